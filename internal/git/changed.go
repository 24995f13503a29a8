package git

import (
	"context"
	"slices"
	"strings"
)

// Changed returns the files of the work tree that differ from a commit, those that
// git does not know yet among them, as sorted slash paths relative to the root.
// Files that are gone count.
func (r Repository) Changed(ctx context.Context, commit string) ([]string, error) {
	quiet := []string{"-c", "core.fsmonitor=false"}
	var files []string
	for _, args := range [][]string{
		{
			"diff", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "-z",
			commit, "--",
		},
		{"ls-files", "--others", "--exclude-standard", "-z"},
	} {
		out, err := r.run(ctx, nil, mostListed, append(slices.Clone(quiet), args...)...)
		if err != nil {
			return nil, r.explain(err)
		}
		for file := range strings.SplitSeq(string(out), "\x00") {
			if file != "" {
				files = append(files, file)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// Links returns the symbolic links and the submodules that git knows, as sorted slash
// paths relative to the root: what lies behind them is not in the commit.
func (r Repository) Links(ctx context.Context) ([]string, error) {
	out, err := r.run(ctx, nil, mostListed, "ls-files", "--stage", "-z")
	if err != nil {
		return nil, r.explain(err)
	}
	var links []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if meta, file, ok := strings.Cut(entry, "\t"); ok &&
			(strings.HasPrefix(meta, "120000 ") || strings.HasPrefix(meta, "160000 ")) {
			links = append(links, file)
		}
	}
	slices.Sort(links)
	return links, nil
}
