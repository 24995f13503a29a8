package project

import (
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
)

// A directory that cannot be listed may have cards, so it is named. A copy is no card of
// its own.
func TestSearch(t *testing.T) {
	tree := broken{name: "b", open: syscall.EACCES, MapFS: fstest.MapFS{
		"a/agent-card.json": {Data: []byte(`{"name": "A"}`)}, "a/agent.json": {Data: []byte(`{"name": "A"}`)},
		"b/agent-card.json": {Data: []byte(`{"name": "B"}`)},
		"c/agent-card.json": {Data: []byte(`{"name": "C"}`)}, "c/agent.json": {Data: []byte(`{"name": "D"}`)},
	}}
	for _, pattern := range []string{"", "*/agent*.json"} {
		cards, found := Reader{}.search("dist", pattern, "dist", tree, isName)
		var names []string
		for _, c := range cards {
			names = append(names, c.Name)
		}
		const want = "dist/a/agent-card.json dist/c/agent-card.json dist/c/agent.json"
		if strings.Join(names, " ") != want || len(found) != 1 || found[0].Span.File != "dist/b" ||
			found[0].Rule != diag.InputUnreadable {
			t.Errorf("%q: %s, %v", pattern, names, found)
		}
	}
}

// Without keys that are named, a tree is verified with its own, which proves less, and a
// card not at all.
func TestVerify(t *testing.T) {
	key, err := sign.ParseKey(signtest.PEM(t, "ES256"))
	if err != nil {
		t.Fatal(err)
	}
	signer := sign.Signer{Key: key}
	signed, found, err := signer.Sign("c.json", []byte(cardOf("A", "a")))
	if err != nil || signed == nil {
		t.Fatal(found, err)
	}
	const card = "/.well-known/agent-card.json"
	w := in(t, "", map[string]string{"signed" + card: string(signed), "plain" + card: cardOf("A", "a")})
	for _, tt := range []struct {
		name  string
		named bool
		want  string
	}{
		{"signed", true, ""},
		{"signed", false, "error signature-invalid, info verify-own-keys"},
		{"plain", true, "error signature-missing"},
		{"plain", false, "info signature-missing"},
		{"signed" + card, true, ""},
		{"signed" + card, false, "usage"},
	} {
		v := Verifier{Named: tt.named}
		if tt.named {
			v.Trust.Keys = []sign.Key{key}
		}
		_, found, err := Reader{Workspace: w}.Verify(v, tt.name)
		var got []string
		for _, d := range found {
			got = append(got, d.Severity.String()+" "+d.Rule.String())
		}
		if usage(err, "needs a key") {
			got = []string{"usage"}
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s, named %t: %s, %v", tt.name, tt.named, got, err)
		}
	}
}

// Of many lines the first are printed, and how many more there are.
func TestSome(t *testing.T) {
	for n, want := range map[int]string{0: "", 20: "x", 21: "and 1 more"} {
		lines := some(strings.Split(strings.Repeat("x", n), ""), "and %d more")
		if n > 0 && (len(lines) != n || lines[n-1] != want) || n == 0 && len(lines) > 0 {
			t.Errorf("%d: %q", n, lines)
		}
	}
}
