package diff_test

import (
	"strings"
	"testing"

	"cardwright/internal/diff"
	"cardwright/schema"
)

// What an edit of a card means to the clients of each version, and of each library.
func TestDocuments(t *testing.T) {
	const key = "/securitySchemes/key"
	const typed, wrapped = "/securitySchemes/o", "/securitySchemes/o/oauth2SecurityScheme"
	flows := func(host string) string {
		return `{"clientCredentials": {"tokenUrl": "https://` + host + `/t", "scopes": {"a": "A."}}}`
	}
	for _, tt := range []struct {
		name, card string
		edits      []string
		want       string
	}{
		{"nothing", "dual", nil, ""},
		{
			"scopes of a card that is signed", "dual",
			[]string{"/securityRequirements/0/schemes/key", "{}"},
			"none form-changed",
		},
		{"a key of 0.3 clients", "dual", []string{key + "/name", `"X-Desk"`}, "breaking scheme-changed"},
		{
			"a key of 1.0 clients", "dual",
			[]string{key + "/apiKeySecurityScheme/location", `"cookie"`},
			"breaking scheme-changed",
		},
		{"requirements of 0.3 clients", "dual", []string{"/security", ""}, "breaking requirement-dropped"},
		{"0.3 clients let in to a skill", "dual", []string{"/skills/0/security", "[{}]"}, "breaking requirement-dropped"},
		{"the claim of a dual card", "dual", []string{"/protocolVersion", `"1.0x"`}, "cosmetic protocol-version-changed"},
		{"a patch", "dual", []string{"/supportedInterfaces/0/protocolVersion", `"1.0.0"`}, "none form-changed"},
		{"a repeated interface", "dual", []string{"/additionalInterfaces", ""}, "none form-changed"},
		{
			"a capability that is not there", "dual",
			[]string{"/capabilities/streaming", "", "/capabilities/pushNotifications", "false"},
			"none form-changed, none form-changed",
		},
		{
			"a name that was made up", "dual",
			[]string{"/skills/0/name", ""},
			"breaking client-lost, cosmetic skill-name-changed",
		},
		{
			"tags that were made up", "dual",
			[]string{"/skills/0/tags", ""},
			"breaking client-lost, cosmetic skill-tags-changed",
		},
		{
			"an id that was made up", "dual",
			[]string{"/skills/0/id", ""},
			"breaking skill-id-changed, breaking client-lost",
		},
		{
			"an id and tags that were made up", "dual",
			[]string{"/skills/0/id", "", "/skills/0/tags", ""},
			"breaking skill-removed, breaking client-lost, additive skill-added",
		},
		{
			"capabilities that are a list", "dual",
			[]string{"/capabilities", `["rooms"]`},
			"breaking extension-removed, breaking client-lost, breaking client-lost, " +
				"cosmetic unknown-member-changed, none form-changed",
		},
		{
			"inside a member that A2A does not know", "dual",
			[]string{"/x-desk/rooms/0/floor", "2"},
			"cosmetic unknown-member-changed",
		},
		{
			"parameters of an extension", "dual",
			[]string{"/capabilities/extensions/0/params/most", "6"},
			"cosmetic extension-changed",
		},
		{
			"requirements that clients refuse", "dual",
			[]string{"/skills/0/security", `[["key"]]`},
			"breaking client-lost, breaking client-lost",
		},
		{"what no client reads", "dual", []string{"/securityRequirements/0/x", "1"}, "none form-changed"},

		{"a flow that 0.3 lacks", "0.3", []string{typed + "/flows/foo", "{}"}, "breaking client-lost"},
		{
			"a second flow", "0.3",
			[]string{typed + "/flows/password", `{"tokenUrl": "https://id.acme.example/t", "scopes": {}}`},
			"breaking client-lost, additive scheme-extended",
		},
		{
			"a skill for everybody", "0.3",
			[]string{"/skills/0/security", "[{}]"},
			"breaking requirement-tightened, breaking requirement-dropped, additive requirement-loosened",
		},
		{"a claim", "0.3", []string{"/protocolVersion", `"1.0x"`}, "cosmetic protocol-version-changed"},
		{"a claim of the same version", "0.3", []string{"/protocolVersion", `"0.3.1"`}, "none form-changed"},

		{
			"a binding in lower case", "1.0",
			[]string{"/supportedInterfaces/0/protocolBinding", `"jsonrpc"`},
			"breaking client-lost, none form-changed",
		},
		{"an id that is the name", "1.0", []string{"/skills/0/id", ""}, "breaking skill-id-changed"},
		{
			"requirements of 0.3 in a card of 1.0", "1.0",
			[]string{"/security", `[{"o": []}]`, "/skills/0/security", `[{"o": ["a"]}]`},
			"breaking requirement-tightened, breaking requirement-tightened",
		},
		{
			"a scheme that has a type", "1.0",
			[]string{typed + "/type", `"oauth2"`, typed + "/flows", flows("id.acme.example")},
			"none form-changed",
		},
		{
			"a scheme that is another one by its type", "1.0",
			[]string{typed + "/type", `"oauth2"`, typed + "/flows", flows("b.example")},
			"breaking scheme-changed",
		},
		{"flows without a type", "1.0", []string{typed + "/flows", flows("b.example")}, "none form-changed"},
		{
			"a type without flows", "1.0",
			[]string{typed + "/type", `"oauth2"`, typed + "/flows", "{}"},
			"breaking scheme-changed, breaking client-lost",
		},
		{"another type", "1.0", []string{typed + "/type", `"http"`, typed + "/scheme", `"basic"`}, "breaking scheme-changed"},
		{
			"an unknown type", "1.0",
			[]string{typed + "/type", `"none"`},
			"breaking scheme-removed, breaking scheme-changed, breaking client-lost",
		},
		{"a description of a flow", "1.0", []string{wrapped + "/description", `"D."`}, "cosmetic scheme-description-changed"},
	} {
		var got []string
		for _, c := range diff.Documents(read(t, tt.card), read(t, tt.card, tt.edits...)) {
			got = append(got, c.Class.String()+" "+c.Rule.String())
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, strings.Join(got, ", "), tt.want)
		}
	}
}

// A change that only the clients of one version see names it, at the place of its document.
func TestDocumentsNameClients(t *testing.T) {
	const key = "/securitySchemes/key"
	for pointer, want := range map[string]string{
		key + "/name":                       schema.Flat.Text() + " " + key + "/name",
		key + "/apiKeySecurityScheme/name":  schema.Listed.Text() + " " + key + "/apiKeySecurityScheme/name",
		key + "/apiKeySecurityScheme/xName": " " + key + "/apiKeySecurityScheme/xName",
	} {
		c := diff.Documents(read(t, "dual"), read(t, "dual", pointer, `"X-Desk"`))[0]
		_, version, _ := strings.Cut(c.Message, " for clients of A2A ")
		if got := version + " " + c.Pointer(); got != want {
			t.Errorf("%s: got %s: %s", pointer, got, c.Message)
		}
	}
}
