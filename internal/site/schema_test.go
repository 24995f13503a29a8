package site

import (
	"strings"
	"testing"

	"cardwright/internal/source"
	"cardwright/schema"
)

// The schema allows what the specification allows, and nothing that a reader of
// the catalog would trip over.
func TestSchema(t *testing.T) {
	entry := func(members string) string {
		return `{"specVersion": "1.0", "entries": [{"identifier": "urn:air:acme.example:agent:a", ` +
			`"type": "application/a2a-agent-card+json"` + members + `}]}`
	}
	for name, c := range map[string]struct{ text, fault string }{
		"minimal":       {`{"specVersion": "1.0", "entries": []}`, ""},
		"by reference":  {entry(`, "url": "https://acme.example/a.json"`), ""},
		"in full":       {entry(`, "data": {"name": "A"}, "version": "1.0.0", "tags": []`), ""},
		"later members": {entry(`, "url": "https://acme.example/a.json", "license": "MIT"`), ""},
		"signed": {entry(
			`, "data": 7, "trustManifests": [{"contributor": "did:web:acme.example", ` +
				`"signature": {"signer": "did:web:acme.example", "profile": "did-web-v1", "issuedAt": "2026-10-01T00:00:00Z", ` +
				`"jws": "e30..c2ln"}}]`), ""},
		"no version":    {`{"entries": []}`, "specVersion"},
		"short version": {`{"specVersion": "1", "entries": []}`, "specVersion"},
		"no entries":    {`{"specVersion": "1.0"}`, "entries"},
		"nameless host": {
			`{"specVersion": "1.0", "host": {"identifier": "acme.example"}, "entries": []}`,
			"displayName",
		},
		"url and data":       {entry(`, "url": "https://acme.example/a.json", "data": {}`), "/entries/0"},
		"neither":            {entry(``), "/entries/0"},
		"relative":           {entry(`, "url": "/a.json"`), "/entries/0/url"},
		"the old type":       {strings.Replace(entry(`, "data": {}`), `"type"`, `"mediaType"`, 1), "type"},
		"digest in capitals": {entry(`, "data": {}, "digest": "sha256:AB"`), "/entries/0/digest"},
		"local time":         {entry(`, "data": {}, "updatedAt": "2026-10-01"`), "/entries/0/updatedAt"},
	} {
		root, found := source.ParseJSON(name, []byte(c.text), source.Limits{})
		if found != nil {
			t.Fatal(found)
		}
		var told []string
		for _, f := range schema.Validate("ai-catalog", root) {
			told = append(told, f.Pointer+" "+f.Missing+" "+f.Message)
		}
		if got := strings.Join(told, "\n"); c.fault == "" && got != "" || !strings.Contains(got, c.fault) {
			t.Errorf("%s: %q, want %q", name, got, c.fault)
		}
	}
}
