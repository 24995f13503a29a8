package publish

import (
	"bytes"
	"fmt"

	"cardwright/internal/tree"
)

// fewEntries is how many entries are looked for in a manifest without reading it:
// each search goes through all of it.
const fewEntries = 64

// lists reports whether a manifest is for the environment of another one and lists its
// entries just as they are, and no others of their agents. It looks at the text only,
// which is much quicker than reading the manifest of a thousand agents: a line break
// and a quote stand in no JSON string.
func lists(manifest []byte, made tree.Manifest) bool {
	if len(made.Files) == 0 || len(made.Files) > fewEntries {
		return false
	}
	parts := func(entries []tree.Entry) (head, list []byte) {
		all := manifestFile(tree.Manifest{Environment: made.Environment, Files: entries}).Data
		first := bytes.Index(all, []byte("    {\n"))
		return all[:first], all[first:bytes.LastIndex(all, []byte("    }"))]
	}
	head, list := parts(made.Files)
	if !bytes.HasPrefix(manifest, head) {
		return false
	}
	together := bytes.Contains(manifest, list) // as a rule: those of an agent lie in one directory
	agents := map[string]int{}
	for _, e := range made.Files {
		if _, one := parts([]tree.Entry{e}); !together && !bytes.Contains(manifest, one) {
			return false
		}
		agents[e.Agent]++
	}
	for agent, n := range agents {
		if agent == "" || bytes.Count(manifest, fmt.Appendf(nil, "\n      \"agent\": %q,\n", agent)) != n {
			return false
		}
	}
	return true
}
