package publish

import (
	"bytes"
	"fmt"

	"cardwright/internal/tree"
)

// fewEntries is how many entries are looked for in a manifest without reading it:
// each search goes through all of it.
const fewEntries = 64

// lists tells whether a manifest lists entries just as they are, and no others of
// their agents. It looks at the text only, which is much quicker than reading the
// manifest of a thousand agents: a line break and a quote stand in no JSON string.
func lists(manifest []byte, entries []tree.Entry) bool {
	if len(entries) == 0 || len(entries) > fewEntries {
		return false
	}
	text := func(entries []tree.Entry) []byte {
		all := manifestFile(entries).Data
		return all[bytes.Index(all, []byte("    {\n")):bytes.LastIndex(all, []byte("    }"))]
	}
	together := bytes.Contains(manifest, text(entries)) // as a rule: those of an agent lie in one directory
	agents := map[string]int{}
	for _, e := range entries {
		if !together && !bytes.Contains(manifest, text([]tree.Entry{e})) {
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
