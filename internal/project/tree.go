package project

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/hosting"
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
	if !o.Force {
		run.Note(movedTrees(run))
	}
	if len(run.Local) > 0 && run.Config.Lists() && !o.Check {
		first := run.Local[0]
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

// movedTrees reports a card on disk that would get another place, where its clients would
// not find it, and of which nobody has said that it moves. A run for other agents leaves
// it there, unless one of them gets that place, or has come and thereby moves it.
func movedTrees(run *Run) diag.List {
	c := run.Config
	if unmoved(c, run.Request.Published.File(false, tree.ManifestName)) {
		return nil
	}
	manifest := run.Request.Published.Manifest()
	if manifest.Environment != run.Environment {
		return nil // another tree, which is replaced as a whole
	}
	before := map[string]tree.Entry{}
	for _, e := range manifest.Files {
		if path.Base(e.Path) == path.Base(tree.CardPath) && !tree.InSkills(e.Path) {
			before[e.Agent] = e
		}
	}
	made, taken := map[string]bool{}, map[string]bool{}
	for i := range c.Agents {
		a := &c.Agents[i]
		made[a.ID] = len(run.Agents) == 0 || slices.Contains(run.Agents, a.ID)
		if made[a.ID] {
			taken[path.Join(c.Dir(a), tree.CardPath)] = true
		}
	}
	for i := range c.Agents {
		a := &c.Agents[i]
		from, to := before[a.ID].Path, path.Join(c.Dir(a), tree.CardPath)
		was, key := left(c, before[a.ID])
		was.To = c.Dir(a)
		stays := !made[a.ID] && !taken[from] && (!c.Auto || len(run.Options.Agents) > 0)
		if from == "" || from == to || stays || key != "" && slices.Contains(c.Hosting.Moved, was) {
			continue
		}
		because := ""
		hint := fmt.Sprintf("write moved: {%s: %s}, and servers redirect; or pass --force", key, a.ID)
		switch {
		case key == "":
			hint = "pass --force to move it, and redirect at its former host"
		case c.Auto && c.Layout == config.Path:
			because = ", because the number of agents has changed and layout is auto"
			hint = "to move it, " + hint + "; to keep its URL, give the other agents a configuration of their own"
		case c.Auto:
			because = ", because the number of agents has changed and layout is auto"
			hint = "write layout: path to keep it there; to move it, " + hint
		}
		return diag.List{diag.New("config-value", a.Node.Get("id").Span, "agent %q: its card would move from %s to %s%s",
			a.ID, from, to, because).WithHint(hint)}
	}
	return nil
}

// left is what a card leaves, and how moved names it: "" where nobody knows its host, or
// where servers are configured for another one.
func left(c *config.Config, e tree.Entry) (was hosting.Moved, key string) {
	was.From = strings.TrimSuffix(strings.TrimSuffix(e.Path, tree.CardPath), "/")
	if c.Layout != config.Host {
		if e.URL == "https://"+e.Path {
			return was, ""
		}
		return was, cmp.Or(was.From, `"."`)
	}
	place, known := strings.CutSuffix(strings.TrimPrefix(e.URL, "https://"), "/"+tree.CardPath)
	if !known || strings.ContainsAny(place, ":%") {
		return was, ""
	}
	was.Host, was.From, _ = strings.Cut(place, "/")
	was.Host = strings.ToLower(was.Host)
	return was, place
}

// unmoved reports whether the text of a manifest lists the card of each agent where it
// goes, as it does as a rule: reading all of it takes longer.
func unmoved(c *config.Config, manifest []byte) bool {
	cards := make(map[string]bool, len(c.Agents))
	for i := range c.Agents {
		a := &c.Agents[i]
		cards[fmt.Sprintf("      \"path\": %q,\n      \"agent\": %q,\n", path.Join(c.Dir(a), tree.CardPath), a.ID)] = true
	}
	for entry := range bytes.SplitSeq(manifest, []byte("    {\n")) {
		first, rest, _ := bytes.Cut(entry, []byte("\n"))
		second, _, _ := bytes.Cut(rest, []byte("\n"))
		delete(cards, string(entry[:min(len(entry), len(first)+len(second)+2)]))
	}
	return len(cards) == 0
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
	if c.Partial {
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
		if lists && tree.InSkills(file) {
			return true
		}
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
