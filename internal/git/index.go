package git

import (
	"context"
	"slices"
	"strings"
)

// The modes of entries that are no files: submodule stands for the commit of another
// repository.
const (
	symlink   = "120000"
	submodule = "160000"
	directory = "040000" // which only a list of them has
)

// entry is a file in the index or in a commit.
type entry struct{ mode, id, path string }

// Tracked returns the files that git tracks at or below the paths, sorted. All paths
// are slash paths relative to the root of the work tree, "." for all of it. A file
// that is missing in the list is untracked or ignored; a submodule is in the list as
// its directory, and the files in it are not.
func (r Repository) Tracked(ctx context.Context, paths ...string) ([]string, error) {
	entries, err := r.index(ctx, paths)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		files = append(files, e.path)
	}
	return slices.Compact(files), nil
}

// index returns the entries of the index at or below paths, in the order of their
// paths. A file with a conflict has several.
func (r Repository) index(ctx context.Context, paths []string) ([]entry, error) {
	limit := paths
	if slices.Contains(paths, ".") {
		limit = nil
	}
	out, err := r.run(ctx, mostListed, slices.Concat([]string{"ls-files", "--stage", "-z", "--"}, limit)...)
	if err != nil {
		return nil, r.explain(err)
	}
	return entriesOf(out, 1), nil
}

// entriesOf reads a list of entries: a mode and two other words, of which one is the id,
// and a path.
func entriesOf(list []byte, id int) []entry {
	var entries []entry
	for line := range strings.SplitSeq(string(list), "\x00") {
		meta, file, ok := strings.Cut(line, "\t")
		if words := strings.Fields(meta); ok && len(words) == 3 {
			entries = append(entries, entry{words[0], words[id], file})
		}
	}
	return entries
}
