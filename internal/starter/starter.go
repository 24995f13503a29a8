package starter

import (
	"context"
	"io/fs"
	"maps"
	"slices"

	"cardwright/internal/diag"
	"cardwright/mapping"
)

// Options say what to explore. The zero value explores the whole project.
type Options struct {
	Dirs      []string // directories to search, slash paths in the project; none for all of it
	Out       string   // the output directory, "" to choose one that git keeps
	Directory string   // name of the working directory
	Remote    string   // URL of the git remote, "" for none
	// Ignored reports whether git ignores a file or directory, by a line about itself; nil
	// for nothing.
	Ignored func(name string, isDir bool) bool
	// Ask asks a person for a value and returns found for an empty answer; nil asks no one.
	Ask func(question, found string) string
}

// Starter is a first configuration.
type Starter struct {
	Config    []byte
	Out       string // the output directory
	GitIgnore []byte // the .gitignore to put into it
	// Summary says for people what was found and what was left out: at most six lines.
	Summary []string
	// Missing are the keys that are still to be filled in.
	Missing []string
}

// New explores a project and writes its configuration. The error is of the context.
func New(ctx context.Context, root fs.FS, o Options) (*Starter, error) {
	if o.Ignored == nil {
		o.Ignored = func(string, bool) bool { return false }
	}
	if o.Ask == nil {
		o.Ask = func(_, found string) string { return found }
	}
	p := &project{Options: o, root: root, scan: scanProject(root, o)}
	p.explore(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.identify()
	out := p.output()
	base := p.baseURL()
	return &Starter{
		Config: render(page{Out: out, BaseURL: base, Agents: p.agents}), Out: out, GitIgnore: p.gitIgnore(out),
		Summary: p.summary(), Missing: p.missing(base),
	}, nil
}

// project is one exploration.
type project struct {
	Options
	root    fs.FS
	scan    *scan
	markets mapping.Markets
	agents  []*agent
}

// missing returns the keys that the configuration has in comments only.
func (p *project) missing(base string) []string {
	var keys []string
	if base == "" {
		keys = append(keys, "baseUrl")
	}
	if slices.ContainsFunc(p.agents, func(a *agent) bool {
		return slices.ContainsFunc(a.Members, func(m member) bool { return m.Key == noDescription })
	}) {
		keys = append(keys, "description")
	}
	if slices.ContainsFunc(p.agents, func(a *agent) bool { return a.Empty }) {
		keys = append(keys, "skills")
	}
	return keys
}

// summary describes the agents and what is on no card.
func (p *project) summary() []string {
	var lines, left []string
	for _, a := range p.agents {
		lines = append(lines, a.ID+": "+diag.Count(len(a.skills), "skill"))
	}
	lines = firstOf(lines, "agent")
	if len(p.Dirs) == 0 && len(p.agents[0].Sources) == 0 {
		lines = append(lines, "not searched: dot directories; pass one to init to publish its skills, such as .claude/skills")
	}
	for _, why := range slices.Sorted(maps.Keys(p.scan.left)) {
		if files := p.scan.left[why]; len(files) > 0 {
			left = append(left, "left out, "+why+": "+diag.Count(len(files), "file")+", such as "+slices.Min(files))
		}
	}
	return append(lines, firstOf(left, "reason")...)
}

// firstOf returns at most three lines: few, and how many more there are.
func firstOf(lines []string, noun string) []string {
	const most = 3
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], "and "+diag.Count(len(lines)-most+1, "more "+noun))
}
