package project

import (
	"slices"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/publish"
	"cardwright/internal/tree"
)

// Output is one directory of output and what belongs there.
type Output struct {
	Kind    treeKind
	Dir     *files.Dir
	Files   []tree.File
	servers []string // of the server tree: what it configures
	options publish.Options
}

// treeKind says what a tree is for. Files are told apart by it where those of
// several trees are listed together.
type treeKind string

// The trees that a run makes.
const (
	Public  treeKind = ""
	Private treeKind = "private:"
	Servers treeKind = "server:"
)

// OutputOptions say what is made of a run's files.
type OutputOptions struct {
	Places
	Force bool // overwrite files that cardwright did not write
	Check bool // only compare
}

// TreesOf returns the public output directory and, where they are asked for, the
// private one with the extended cards and that of the server configuration.
func TreesOf(run *Run, o OutputOptions) ([]Output, error) {
	out := run.Dirs.Public
	if err := run.checkOut(run.Config, out, run.Sources); err != nil {
		return nil, err
	}
	options := publish.Options{
		Environment: run.Environment, Force: o.Force, Ignored: run.ignoredIn(out),
	}
	trees := []Output{{Kind: Public, Dir: out, Files: run.Result.Public, options: options}}
	if run.Dirs.Private == nil {
		run.Add(unwritten(run.Result))
	} else {
		options.Private, options.Ignored = true, run.ignoredIn(run.Dirs.Private)
		trees = append(trees, Output{
			Kind: Private, Dir: run.Dirs.Private, Files: run.Result.Private,
			options: options,
		})
	}
	return o.addServers(run, trees)
}

// unwritten names the extended cards that have nowhere to go.
func unwritten(r generate.Result) diag.List {
	var found diag.List
	for _, c := range r.Cards {
		if c.Extended {
			found = append(found, diag.New("extended-not-written", c.Place,
				"agent %q has an extended card, which is only written with --private-out", c.Agent).
				WithHint("pass --private-out DIR, and let the server of the agent send it to authenticated clients"))
		}
	}
	return found
}

// key tells a file of the tree from those of others.
func (t Output) key(p string) string { return string(t.Kind) + p }

// cards are those of the run that the tree holds.
func (t Output) cards(run *Run) []generate.Card {
	return slices.DeleteFunc(slices.Clone(run.Result.Cards), func(c generate.Card) bool {
		return c.Extended != (t.Kind == Private)
	})
}

// byPath returns the files of the tree by their paths.
func (t Output) byPath() map[string]*tree.File {
	files := make(map[string]*tree.File, len(t.Files))
	for i := range t.Files {
		files[t.Files[i].Path] = &t.Files[i]
	}
	return files
}

// drift compares the tree with what is on disk. The findings say why a place cannot
// be compared.
func (t Output) drift() (publish.Drift, diag.List) { return publish.Check(t.Dir, t.Files, t.options) }
