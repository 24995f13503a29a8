package publish

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"cardwright/internal/tree"
	"cardwright/schema"
)

// Tree returns the whole output tree that files make for an environment, "" for none:
// the files themselves, the sidecars of those that ask for them, and the manifest,
// sorted by path bytewise. A file sorts before its sidecars.
func Tree(files []tree.File, environment string) []tree.File {
	all := withSidecars(files)
	return sorted(append(all, manifestFile(tree.Manifest{Environment: environment, Files: tree.Entries(all)})))
}

// withSidecars returns files and their sidecars, sorted by path.
func withSidecars(files []tree.File) []tree.File {
	all := make([]tree.File, 0, 3*len(files)+1)
	for _, f := range files {
		f = f.Hashed()
		all = append(append(all, f), f.SidecarFiles()...)
	}
	return sorted(all)
}

// manifestFile returns the file of a manifest.
func manifestFile(m tree.Manifest) tree.File {
	return tree.File{Path: tree.ManifestName, Data: schema.Write(m.Node())}
}

func sorted(files []tree.File) []tree.File {
	slices.SortStableFunc(files, func(a, b tree.File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

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
