package starter

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/mapping"
)

// Options say what to explore. The zero value explores the whole project.
type Options struct {
	Dirs      []string // directories to search, slash paths in the project; none for all of it
	Out       string   // the output directory, "" to choose one that git keeps
	Directory string   // name of the working directory
	Remote    string   // URL of the git remote, "" for none
	Ignored   Ignored  // what git ignores, nil for nothing
	// Ask asks a person for a value and returns found for an empty answer; nil asks no one.
	Ask func(question, found string) string
}

// Ignored reports whether git ignores a file or directory, by a line about itself.
type Ignored func(name string, isDir bool) bool

// Starter is a first configuration.
type Starter struct {
	Config    []byte
	Out       string // the output directory
	GitIgnore []byte // the .gitignore to put into it
	// Summary says for people what was found and what was left out: at most seven lines.
	Summary []string
	// Unplaced means that baseUrl is still to be filled in.
	Unplaced bool
}

// New explores a project and writes its configuration. The error is of the context.
func New(ctx context.Context, root fs.FS, o Options) (*Starter, error) {
	if o.Ignored == nil {
		o.Ignored = func(string, bool) bool { return false }
	}
	p := &project{Options: o, root: root, scan: scanProject(root, o)}
	if err := p.explore(ctx); err != nil {
		return nil, err
	}
	p.identify()
	out := p.output()
	base := p.ask()
	s := &Starter{Out: out, GitIgnore: p.gitIgnore(out), Summary: p.summary(), Unplaced: base == ""}
	s.Config = render(page{Out: out, BaseURL: base, Agents: p.agents})
	return s, nil
}

// project is one exploration.
type project struct {
	Options
	root    fs.FS
	scan    *scan
	markets mapping.Markets
	agents  []*agent
}

// ask lets a person replace what was found about a single agent, and returns the base URL.
func (p *project) ask() string {
	if p.Ask == nil {
		return ""
	}
	if len(p.agents) == 1 {
		a := p.agents[0]
		if name := p.Ask("Name of the agent", cmp.Or(a.Name, a.card.Name)); name != a.card.Name {
			a.Name, a.NameFrom = name, ""
		}
		found := cmp.Or(a.Description, a.card.Description)
		if text := p.Ask("What it does", found); text != found {
			a.Description, a.DescriptionFrom = text, ""
		}
	}
	for {
		text := p.Ask("URL where cards and agents are served, empty for later", "")
		if text == "" {
			return ""
		}
		if base, ok := baseURL(text); ok {
			return base
		}
	}
}

// dotSkills are directories of skills below dot directories, where a project has no
// other skill.
func dotSkills(p *project) []string {
	none := func(a *agent) bool { return len(a.skills) == 0 && len(a.Sources) == 0 }
	if len(p.Dirs) > 0 || !slices.ContainsFunc(p.agents, none) {
		return nil
	}
	names, _ := fs.Glob(p.root, ".*/skills") // the pattern is valid
	return slices.DeleteFunc(names, func(name string) bool {
		return strings.HasPrefix(name, ".git/") || p.ignoresDir(name)
	})
}

// summary describes the agents and what is on no card.
func (p *project) summary() []string {
	const shown = 3
	var lines []string
	for i, a := range p.agents {
		if i == shown && len(p.agents) > shown+1 {
			lines = append(lines, "and "+diag.Count(len(p.agents)-shown, "more agent"))
			break
		}
		lines = append(lines, a.ID+": "+diag.Count(len(a.skills), "skill"))
	}
	if aside := dotSkills(p); len(aside) > 0 {
		lines = append(lines,
			"not searched: "+strings.Join(aside, ", ")+"; pass such a directory to init to publish its skills")
	}
	reasons := p.scan.reasons()
	for i, why := range reasons {
		files := p.scan.left[why]
		line := "left out, " + why + ": " + diag.Count(len(files), "file") + ", such as " + slices.Min(files)
		if i == shown-1 && len(reasons) > shown {
			line = "left out for other reasons: " + diag.Count(p.scan.leftAfter(reasons[i:]), "file")
		}
		if lines = append(lines, line); i == shown-1 {
			break
		}
	}
	return lines
}
