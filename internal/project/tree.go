package project

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/config"
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
	// Last is shared by the runs of a command that is repeated, nil for others.
	Last *publish.Last
}

// TreesOf returns the public output directory and, where they are asked for, the
// private one with the extended cards and that of the server configuration.
func TreesOf(run *Run, o OutputOptions) ([]Output, error) {
	out := run.Dirs.Public
	if !run.Series.partial() { // else nothing has moved since the last run
		if err := run.checkOut(run.Config, out, run.Sources); err != nil {
			return nil, err
		}
	}
	if len(run.Local) > 0 && run.Config.Lists() && !o.Check {
		worst := run.Local.Worst()
		first := run.Local[slices.IndexFunc(run.Local, func(d diag.Diagnostic) bool { return d.Severity == worst })]
		kept := diag.New("config-file", diag.Span{File: cmp.Or(first.Team, first.Span.File)},
			"the files that list all agents stay as they are, because this file has errors").WithSeverity(diag.Info)
		kept.Owner = first.Owner
		run.Add(diag.List{kept})
	}
	options := publish.Options{
		Environment: run.Environment, Force: o.Force, Guard: run.Series == nil, Keep: leftAlone(run), URL: run.Config.URL,
	}
	trees := []Output{{Kind: Public, Dir: out, Files: run.Result.Public, options: options}}
	trees[0].options.Last = o.Last
	trees[0].Files = append(slices.Clip(trees[0].Files), former(run, trees[0])...)
	if run.Dirs.Private == nil {
		run.Add(unwritten(run.Result))
	} else {
		options.Private = true
		trees = append(trees, Output{
			Kind: Private, Dir: run.Dirs.Private, Files: run.Result.Private,
			options: options,
		})
	}
	return o.addServers(run, trees)
}

// leftAlone tells which files of an earlier run a run for some agents leaves
// alone: those of the other agents, also of one whose card would move, and those of a
// site as a whole. It is nil for a run for all agents. What else a committed manifest
// lists belongs to nobody, and goes as it does in a run for all.
func leftAlone(run *Run) func(agent, file string) bool {
	c := run.Config
	if len(run.Agents) == 0 {
		return nil
	}
	lists := len(run.Local) > 0 // stay as they are, and the files of skills with them
	if c.Partial || lists {
		return func(agent, file string) bool {
			return !slices.Contains(run.Agents, agent) || lists && tree.InSkills(file)
		}
	}
	others, sites := map[string]bool{}, map[string]bool{}
	for i := range c.Agents {
		a := &c.Agents[i]
		sites[a.Host] = true
		others[a.ID] = !slices.Contains(run.Agents, a.ID)
	}
	return func(agent, file string) bool {
		if agent != "" {
			return others[agent]
		}
		if c.Layout == config.Host {
			host, rest, _ := strings.Cut(file, "/")
			if !sites[host] {
				return false
			}
			file = rest
		}
		dir, base := path.Split(file)
		server := strings.HasPrefix(dir, "mcp/") && strings.HasPrefix(base, "server-card.json")
		return !IsName(base) && (dir == "" || server || strings.HasPrefix(dir, ".well-known/"))
	}
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
