package project

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"cardwright/internal/diag"
)

// closed is a tree with a directory that cannot be listed.
type closed struct{ fstest.MapFS }

func (c closed) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "b" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.ReadDir(name)
}

// A directory that cannot be listed may have cards, so it is named. A copy is no card of
// its own.
func TestSearch(t *testing.T) {
	tree := closed{fstest.MapFS{
		"a/agent-card.json": {Data: []byte(`{"name": "A"}`)}, "a/agent.json": {Data: []byte(`{"name": "A"}`)},
		"b/agent-card.json": {Data: []byte(`{"name": "B"}`)},
		"c/agent-card.json": {Data: []byte(`{"name": "C"}`)}, "c/agent.json": {Data: []byte(`{"name": "D"}`)},
	}}
	for _, pattern := range []string{"", "*/agent*.json"} {
		files, found := Reader{}.search("dist", pattern, "dist", tree, IsName)
		if len(files) != 3 || len(found) != 1 || found[0].Span.File != "dist/b" || found[0].Rule != diag.InputUnreadable {
			t.Errorf("%q: %d files, %v", pattern, len(files), found)
		}
	}
}
