package project

import (
	"slices"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/publish"
	"cardwright/internal/site"
)

// Output is one directory of output and what belongs there.
type Output struct {
	Kind    treeKind
	Dir     *files.Dir
	Files   []site.File
	Report  publish.Report // what was written, nil where nothing was
	servers []string       // of the server tree: what it configures
	options publish.Options
}

// treeKind says what a tree is for. It distinguishes files where the files of
// several trees are listed together.
type treeKind string

// The trees that a run makes.
const (
	Public  treeKind = ""
	Private treeKind = "private:"
	Servers treeKind = "server:"
)

// OutputOptions say where a run's files go.
type OutputOptions struct {
	DirFlags
	Force bool // overwrite files that cardwright did not write
	Check bool // only compare
	Log   Log
}

// trees are the public output directory and, where they are asked for, the private one
// with the extended cards and the one with the server configuration.
func (r *Run) trees() ([]Output, error) {
	made := r.Result
	list := []Output{{Kind: Public, Dir: r.Dirs.Public, Files: made.Public, options: r.publishOptions(r.Dirs.Public)}}
	if dir := r.Dirs.Private; dir != nil {
		private := Output{Kind: Private, Dir: dir, Files: made.Private, options: r.publishOptions(dir)}
		private.options.Private = true
		list = append(list, private)
	}
	dir := r.Dirs.Servers
	switch {
	case dir == nil && len(made.Servers) > 0:
		return nil, diag.UsageError("name a directory that is not served, such as --server-dir ../servers",
			"--server-dir is missing, but there is no default for the output directory %s", r.Dirs.Public.Name)
	case dir == nil || len(r.Output.Servers) == 0 && !hasManifest(dir): // else the servers are no longer configured
		return list, nil
	}
	return append(list, Output{
		Kind: Servers, Dir: dir, Files: made.Servers, servers: r.Output.Servers, options: r.publishOptions(dir),
	}), nil
}

func (r *Run) publishOptions(dir *files.Dir) publish.Options {
	return publish.Options{
		Environment: r.Options.Environment, Force: r.Output.Force, Written: &r.Progress.Written,
		Ignored: func(file string) bool { return r.Request.Ignored(files.Join(dir.Name, file)) },
	}
}

// hasManifest reports whether an earlier run has written to a directory.
func hasManifest(dir *files.Dir) bool {
	_, err := dir.ReadFile(site.ManifestName, site.MaxManifest)
	return err == nil
}

// key distinguishes a file of the tree from files of other trees.
func (t Output) key(p string) string { return string(t.Kind) + p }

// cards are the cards of the run that the tree holds.
func (t Output) cards(run *Run) []generate.Card {
	return slices.DeleteFunc(slices.Clone(run.Result.Cards), func(c generate.Card) bool {
		return c.Extended != (t.Kind == Private)
	})
}

// ChangedCards are the files that were written or removed, by [Output.key].
func ChangedCards(run *Run) map[string]bool {
	changed := map[string]bool{}
	for _, t := range run.Trees {
		for _, r := range t.Report {
			changed[t.key(r.Path)] = r.State != publish.Unchanged
		}
	}
	return changed
}
