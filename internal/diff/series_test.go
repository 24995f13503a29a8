package diff_test

import (
	"strings"
	"testing"

	"cardwright/internal/diff"
)

// The life of a card, as those of public repositories go: what a step does to clients is
// what it says, and a step that only spells the card in another way does nothing.
func TestLifeOfACard(t *testing.T) {
	card := `{
  "name": "Room Desk", "description": "Books meeting rooms.", "version": "0.9.0",
  "url": "https://desk.acme.example/a2a",
  "protocolVersion": "0.2.9", "preferredTransport": "JSONRPC", "capabilities": {"streaming": false}, "supports_x": null,
  "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "securitySchemes": {"login": {"type": "http", "scheme": "bearer"}}, "security": [{"login": []}],
  "skills": [{"id": "book", "name": "Book", "description": "Books a room.", "tags": ["rooms"]}]
}`
	steps := []struct {
		what     string
		old, new string
		class    diff.Class
		rules    string
	}{
		{"0.3 is stated", `"0.2.9"`, `"0.3.0"`, diff.Cosmetic, "protocol-version-changed"},
		{"a patch of it", `"0.3.0"`, `"0.3.1"`, diff.None, "form-changed"},
		{"what is empty goes", `, "supports_x": null`, ``, diff.None, "form-changed"},
		{"another spelling", `https://desk.acme.example/a2a`, `https://Desk.acme.example:443/a2a`, diff.None, "form-changed"},
		{"of a scheme", `"bearer"`, `"Bearer"`, diff.None, "form-changed"},
		{"a release", `"0.9.0"`, `"1.0.0"`, diff.None, "version-changed"},
		{
			"a false that was absent", `"streaming": false`, `"streaming": false, "pushNotifications": false`, diff.None,
			"form-changed",
		},
		{"it streams", `"streaming": false`, `"streaming": true`, diff.Additive, "capability-gained"},
		{"a word", "Books a room.", "Books a meeting room.", diff.Cosmetic, "skill-description-changed"},
		{
			"more it takes", `"defaultInputModes": ["text/plain"]`, `"defaultInputModes": ["text/*"]`, diff.Additive,
			"input-mode-added",
		},
		{
			"a skill", `"skills": [`, `"skills": [{"id": "free", "name": "Free", "description": "Frees it.", "tags": ["a"]}, `,
			diff.Additive, "skill-added",
		},
		{
			"the other form beside it", `"protocolVersion": "0.3.1"`, `"protocolVersion": "0.3.0", "supportedInterfaces": [
      {"url": "https://desk.acme.example/v1", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
      {"url": "https://desk.acme.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}]`,
			diff.Breaking, "scheme-removed",
		}, // its scheme has no form for 1.0, and a2a-js took that of 0.3
		{
			"the scheme too", `"scheme": "Bearer"`, `"scheme": "Bearer", "httpAuthSecurityScheme": {"scheme": "bearer"}`,
			diff.Additive, "scheme-added",
		},
		{"a patch in an interface", `"protocolVersion": "1.0"`, `"protocolVersion": "1.0.0"`, diff.None, "form-changed"},
		{
			"the skill goes", `{"id": "free", "name": "Free", "description": "Frees it.", "tags": ["a"]}, `, ``, diff.Breaking,
			"skill-removed",
		},
	}
	for _, step := range steps {
		next := strings.Replace(card, step.old, step.new, 1)
		if next == card {
			t.Fatalf("%s: the card has no %s", step.what, step.old)
		}
		changes := diff.Documents(document(t, card), document(t, next))
		var rules []string
		for _, c := range changes {
			rules = append(rules, c.Rule)
		}
		if got := strings.Join(rules, " "); diff.Worst(changes) != step.class || !strings.Contains(got, step.rules) {
			t.Errorf("%s: %s by %s, want %s by %s", step.what, diff.Worst(changes), got, step.class, step.rules)
		}
		card = next
	}
}
