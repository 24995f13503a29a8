package generate

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
	"cardwright/mapping"
)

// Infos of the rules about a card are reported to those who ask for them only.
func TestNotesAreAskedFor(t *testing.T) {
	text := "version: 1\nrules: {interface-insecure: info}\nagents:\n  - {id: a, name: A, " +
		"description: Does things for people., " +
		"version: 1.0.0, interfaces: [{url: http://a.acme.com/a2a}], " +
		"skills: {add: [{id: s, name: Sweep, description: Sweeps., tags: [x]}]}}\n"
	for _, notes := range []bool{false, true} {
		cfg, _ := config.Load([]byte(text), config.Options{})
		_, found, err := Run(t.Context(), Request{Config: cfg, Notes: notes})
		if err != nil || (found.Count(diag.Info) > 0) != notes {
			t.Errorf("notes %t: %v %v", notes, found, err)
		}
	}
}

// With layout auto a published card does not move.
func TestPublishedCardsKeepTheirPlaces(t *testing.T) {
	published := fstest.MapFS{
		"cardwright.manifest.json":      {Data: []byte(`{"version": 1, "files": [".well-known/agent-card.json"]}`)},
		".well-known/agent-card.json":   {Data: []byte("{}")},
		"a/.well-known/agent-card.json": {Data: []byte("{}")},
	}
	for name, tt := range map[string]struct {
		auto   bool
		layout config.Layout
		want   int
	}{
		"auto, more agents": {true, config.Path, 1},
		"chosen":            {false, config.Path, 0},
		"auto, one agent":   {true, config.Single, 0}, // a/ is not listed
	} {
		cfg, _ := config.Load([]byte("version: 1\nagents: [{id: a}]\n"), config.Options{})
		cfg.Auto, cfg.Layout = tt.auto, tt.layout
		r := &run{Request: &Request{Config: cfg, Published: &Published{Public: published}}}
		if err := checkLayout(context.Background(), r); err != nil || len(r.found) != tt.want {
			t.Errorf("%s: %v %v", name, r.found, err)
		}
	}
}

// A key set keeps the published keys that the configuration names, each once, and those
// without a name as far as that many are missing.
func TestKeySetKeepsPublishedKeys(t *testing.T) {
	key := func(alg, kid string) sign.Key {
		k, err := sign.ParseKey(signtest.PEM(t, alg))
		if err != nil {
			t.Fatal(err)
		}
		k = k.Public()
		k.Kid = kid
		return k
	}
	own, named, other := key("ES256", "own"), key("ES384", "named"), key("ES512", "")
	for _, tt := range []struct {
		named   bool
		unnamed int
		want    string
	}{{true, 0, "own named"}, {true, 1, "own named " + other.Name()}, {false, 0, "own"}, {false, 1, "more than one"}} {
		s := keySet{keys: []sign.Key{own}, named: map[string]bool{"named": tt.named}, unnamed: tt.unnamed}
		err := s.keep([]sign.Key{own, named, other})
		var got []string
		for _, k := range s.keys {
			got = append(got, k.Name())
		}
		if err != nil {
			got = []string{"more than one"}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v: got %q, %v", tt, got, err)
		}
	}
}

// A card is checked by policies, where what is missing is missing, and by the one that it
// replaces, unless it has errors itself.
func TestPoliciesAndSuccessor(t *testing.T) {
	published := fstest.MapFS{".well-known/agent-card.json": {Data: []byte(`{"name": "A", "version": "1.0.0"}`)}}
	tree := fstest.MapFS{"p.json": {Data: []byte(`{"required": ["iconUrl"], "properties": {"name": {"const": "A"}}}`)}}
	const warning = "4:5 warning policy /iconUrl"
	for name, tt := range map[string]struct{ text, rules, want string }{
		"as published":  {"version: 1.0.0", "{policy: warning}", warning + ", 4:69 warning card-version-unchanged /version"},
		"newer":         {"version: 1.0.1", "{policy: warning}", warning},
		"with an error": {"version: 1.0.0", "{policy: error}", "4:5 error policy /iconUrl"},
	} {
		cfg, _ := config.Load([]byte("version: 1\npolicies: [p.json]\nagents:\n"+
			"  - {id: a, name: A, description: Does things for people., "+tt.text+", rules: "+tt.rules+
			", interfaces: [{url: https://a.acme.com/a2a}], "+
			"skills: {add: [{id: s, name: Sweep, description: Sweeps., tags: [x]}]}}\n"), config.Options{})
		_, found, err := Run(t.Context(), Request{
			Config: cfg, Base: &Published{Public: published},
			Open: func(name string) (mapping.Tree, error) { return treeAt(tree, name), nil },
		})
		var got []string
		for _, d := range found.Sorted() {
			if d.Rule == diag.Policy || d.Rule == diag.CardVersionUnchanged {
				at := strings.TrimPrefix(d.Span.String(), ":")
				got = append(got, at+" "+d.Severity.String()+" "+d.Rule.String()+" "+d.Pointer)
			}
		}
		if err != nil || strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}
