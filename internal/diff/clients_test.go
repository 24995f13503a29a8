package diff_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"cardwright/internal/diff"
	"cardwright/schema"
)

// cardOf writes a card for 1.0, for 0.3 or for both, or one for 0.3 that names no transport.
// An interface is HOST[/BINDING][@VERSION].
func cardOf(t *testing.T, form, interfaces string) diff.Side {
	t.Helper()
	var listed, flat []string
	var first string
	for n, text := range strings.Fields(interfaces) {
		text, version, _ := strings.Cut(text, "@")
		host, binding, _ := strings.Cut(text, "/")
		url, binding := "https://"+host+".example/a2a", cmp.Or(binding, "JSONRPC")
		listed = append(listed, fmt.Sprintf(`{"url": %q, "protocolBinding": %q, "protocolVersion": %q}`, url, binding,
			cmp.Or(version, "1.0")))
		if n > 0 {
			flat = append(flat, fmt.Sprintf(`{"url": %q, "transport": %q}`, url, binding))
			continue
		}
		first = fmt.Sprintf(`"protocolVersion": "0.3.0", "url": %q, `, url)
		if form != "unnamed" {
			first += fmt.Sprintf(`"preferredTransport": %q, `, binding)
		}
	}
	card := `{"name": "Desk", "description": "Books rooms.", "version": "1.0.0", "capabilities": {}, `
	if form == "1.0" || form == "dual" {
		card += `"supportedInterfaces": [` + strings.Join(listed, ", ") + `], `
	}
	if form != "1.0" {
		card += first + `"additionalInterfaces": [` + strings.Join(flat, ", ") + `], `
	}
	return parse(t, card+`"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "book", "name": "Book", "description": "Books a room.", "tags": ["rooms"]}]}`)
}

// Which host the clients of each library call, in the order of the table; - for none.
func TestAnswers(t *testing.T) {
	for _, tt := range []struct{ form, interfaces, binding, want string }{
		{"1.0", "a b c", "", "c c a a a a a - - - -"},
		{"1.0", "a b@1.1", "", "a a a a a a a - - - -"},
		{"1.0", "b@1.1 a", "", "a a b b b b b - - - -"},
		{"1.0", "a@0.3 b", "", "b b a a a b b - - - -"},
		{"1.0", "a@0.3 b@0.3", "", "a a a a a - a - - - -"},
		{"1.0", "a@1 b@10.0", "", "a a a a a a a - - - -"},
		{"1.0", "a/GRPC b c/HTTP+JSON", "", "b b b b b b b - - - -"},
		{"1.0", "a/HTTP+JSON b c/HTTP+JSON", "", "c c b b a a a - - - -"},
		{"1.0", "a/jsonrpc b", "", "b b b b a b b - - - -"},
		{"1.0", "a/GRPC", "", "- - - - - - - - - - -"},
		{"1.0", "a b/GRPC c/GRPC", "GRPC", "c c b b b b b - - - -"},
		{"1.0", "a b/grpc", "GRPC", "b b - - b - - - - - -"},
		{"0.3", "a b c", "", "- a a - - - a c c a a"},
		{"0.3", "a a b", "", "- a a - - - a b b a a"},
		{"0.3", "a/HTTP+JSON b c/HTTP+JSON", "", "- a b - - - a c b b b"},
		{"0.3", "a/GRPC b", "", "- b b - - - b b b b a"},
		{"0.3", "a/jsonrpc b", "", "- a b - - - b b b b b"},
		{"0.3", "a/HTTP+JSON a b/GRPC", "", "- a a - - - a a a a a"},
		{"0.3", "a b/HTTP+JSON", "HTTP+JSON", "- b b - - - b b b b b"},
		{"unnamed", "a b", "", "- a a - - - b b b a b"},
		{"unnamed", "a", "", "- a a - - - - a a a -"},
		{"dual", "a b", "", "b b a a a a a b b a a"},
		{"dual", "a@0.3 b", "", "b b a a a b b b b a a"},
		{"dual", "a@0.3 b/HTTP+JSON", "", "a a a a a b b a a a a"},
	} {
		var got []string
		for _, a := range diff.Answers(cardOf(t, tt.form, tt.interfaces).Document, tt.binding) {
			got = append(got, cmp.Or(strings.TrimSuffix(schema.Host(a.URL), ".example"), "-"))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s %s %s: %s, want %s", tt.form, tt.interfaces, tt.binding, strings.Join(got, " "), tt.want)
		}
	}
}

// What moves the clients of some libraries is one change for each pair of URLs, and breaks
// them.
func TestClientMoved(t *testing.T) {
	const all = "a2a-js 1.3, a2a-js 1.3 with legacyCompat, a2a-python 1.1, a2a-java 1.x, a2a-dotnet 1.x, a2a-go 2.4 and " +
		"a2a-go 2.4 with a2av0"
	for _, tt := range []struct {
		name, form, old, new string
		want                 string // rules and libraries
	}{
		{"an equal list", "1.0", "a b", "a b", ""},
		{"a second interface", "1.0", "a", "a b", "client-moved a2a-js 1.3 and a2a-js 1.3 with legacyCompat"},
		{
			"a new first interface", "1.0", "a", "b a",
			"client-moved a2a-python 1.1, a2a-java 1.x, a2a-dotnet 1.x, a2a-go 2.4 and a2a-go 2.4 with a2av0",
		},
		{"a repeated transport", "0.3", "a", "a b", "client-moved a2a-js 0.3 and a2a-python 0.3"},
		{
			"an interface that only some clients are set to", "1.0", "a b/GRPC", "a c/GRPC",
			"client-moved " + strings.ReplaceAll(strings.Replace(all, " and ", " set to GRPC and ", 1), ", ", " set to GRPC, ") +
				" set to GRPC",
		},
		{"another binding", "1.0", "a", "a/GRPC", "client-lost " + all},
		{"a binding that all support", "1.0", "a/GRPC", "a", "client-gained " + all},
		{
			"two URLs in one step", "1.0", "a b", "b c",
			"client-moved a2a-js 1.3 and a2a-js 1.3 with legacyCompat; " +
				"client-moved a2a-python 1.1, a2a-java 1.x, a2a-dotnet 1.x, a2a-go 2.4 and a2a-go 2.4 with a2av0",
		},
	} {
		changes := diff.Documents(cardOf(t, tt.form, tt.old), cardOf(t, tt.form, tt.new))
		var got []string
		for _, c := range changes {
			if _, who, ok := strings.Cut(c.Message, "clients of "); ok {
				for _, end := range []string{" call another", " can "} {
					who, _, _ = strings.Cut(who, end)
				}
				got = append(got, c.Rule.String()+" "+who)
			}
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, strings.Join(got, "; "), tt.want)
		}
		if breaks := strings.Contains(tt.want, "moved") || strings.Contains(tt.want, "lost"); breaks &&
			diff.Worst(changes) != diff.Breaking {
			t.Errorf("%s is %s", tt.name, diff.Worst(changes))
		}
	}
}
