package publish

import (
	"bytes"
	"testing"

	"cardwright/internal/tree"
)

// A manifest lists entries when it has each as it is, and no others of their agents,
// and is for the same environment.
func TestLists(t *testing.T) {
	entry := func(agent, file, data string) tree.Entry {
		return tree.Entry{
			Path: file, Agent: agent, Size: len(data), Digest: tree.DigestOf([]byte(data)),
			URL: "https://a.example/" + file,
		}
	}
	a, b, c, shared := entry("a", "a/x", "1"), entry("a", "a/y", "2"), entry("b", "b/x", "3"), entry("", "z", "4")
	all := tree.Manifest{Environment: "staging", Files: []tree.Entry{a, b, c, shared}}
	manifest := manifestFile(all).Data
	for name, test := range map[string]struct {
		entries []tree.Entry
		want    bool
	}{
		"all of an agent":  {[]tree.Entry{a, b}, true},
		"last agent":       {[]tree.Entry{c}, true},
		"two agents":       {[]tree.Entry{a, b, c}, true},
		"one too few":      {[]tree.Entry{a}, false},
		"other bytes":      {[]tree.Entry{entry("b", "b/x", "5")}, false},
		"other agent":      {[]tree.Entry{entry("c", "b/x", "3")}, false},
		"none":             {nil, false},
		"of no agent":      {[]tree.Entry{shared}, false},
		"another URL":      {[]tree.Entry{{Path: c.Path, Agent: "b", Size: c.Size, Digest: c.Digest}}, false},
		"one that is gone": {[]tree.Entry{c, entry("b", "b/y", "3")}, false},
	} {
		made := tree.Manifest{Environment: "staging", Files: test.entries}
		if got := lists(manifest, made); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
		if lists(bytes.ReplaceAll(manifest, []byte("\n"), []byte(" ")), made) {
			t.Errorf("%s: a manifest of other form lists it", name)
		}
		for _, environment := range []string{"", "stag", "production"} {
			if made.Environment = environment; lists(manifest, made) {
				t.Errorf("%s: a manifest of staging lists it for %q", name, environment)
			}
		}
	}
}
