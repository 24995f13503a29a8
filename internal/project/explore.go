package project

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/dialect"
	"cardwright/internal/lint"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// Starter is what was found out about a project, for its configuration.
type Starter struct {
	Text    []byte // the configuration
	file    string // what it is called
	Schema  string // the file that describes it to editors, "" for none
	BaseURL string
	Out     string
	Agents  []*StarterAgent
	Card    string              // the existing card that was read, "" when none
	Exclude map[string][]string // what is left out, by the path of the source
	Doubts  []string            // what was found and cannot be used
}

// StarterAgent is what was found out about one agent.
type StarterAgent struct {
	ID           string
	Name         string
	Description  string
	Version      string
	URL          string
	Binding      string
	Versions     []string // of A2A
	Sources      []StarterSource
	Forge        bool         // a source is a project of Forge
	forgeName    string       // that forge.yaml gives
	forgeVersion string       // that forge.yaml gives
	Unskilled    bool         // no source has a skill
	Guessed      bool         // URL is a placeholder
	alone        bool         // there is no other agent, so what a source says of URLs counts
	card         *schema.Card // that is there already, which a source brings as a whole
}

// explore finds out what it can; name is that of the directory. A project whose
// directories have skills of their own has an agent for each of them.
func explore(root fs.FS, name string) *Starter {
	s := &Starter{Out: "dist"}
	sources := findSources(root)
	parts := components(sources)
	if len(parts) < 2 {
		a := &StarterAgent{Name: name, Sources: sources}
		a.readForge(root)
		s.readCard(root, a)
		s.Agents = []*StarterAgent{a}
	} else {
		for _, dir := range slices.Sorted(maps.Keys(parts)) {
			a := &StarterAgent{Name: path.Base(dir), Sources: parts[dir]}
			if dir == "." {
				a.Name = name
			}
			a.readForge(root)
			s.Agents = append(s.Agents, a)
		}
	}
	taken := map[string]bool{}
	for i, a := range s.Agents {
		a.ID = cmp.Or(schema.Slug(a.Name), "agent")
		if taken[a.ID] {
			a.ID = fmt.Sprintf("%s-%d", a.ID, i+1)
		}
		taken[a.ID] = true
		a.Name = cmp.Or(a.Name, "Agent")
		if a.card != nil {
			a.whole()
		}
		a.Description = cmp.Or(a.Description, lint.StarterMark+"describe in one or two sentences what "+a.Name+
			" does for its users")
		a.Version = cmp.Or(a.Version, "0.1.0")
		a.Unskilled = len(a.Sources) == 0
		if a.card == nil || len(a.card.Interfaces) == 0 {
			s.placeholder(a)
		}
	}
	return s
}

// whole takes what the card of the agent says, to see what it lacks.
func (a *StarterAgent) whole() {
	a.Name, a.Description, a.Version = a.card.Name, a.card.Description, a.card.Version
}

// components are the sources of each directory of the project that has skills of
// its own, such as billing for billing/skills and billing/.agents/skills. What
// belongs to none of them stands at ".".
func components(sources []StarterSource) map[string][]StarterSource {
	dirs := map[string]bool{}
	for _, s := range sources {
		if dir, ok := s.component(); ok && dir != "." {
			dirs[dir] = true
		}
	}
	if len(dirs) < 2 {
		return nil
	}
	parts := map[string][]StarterSource{}
	for _, s := range sources {
		dir, _ := s.component()
		for dir != "." && !dirs[dir] {
			dir = path.Dir(dir)
		}
		parts[dir] = append(parts[dir], s)
	}
	return parts
}

// placeholder stands for a URL that nobody knows.
func (s *Starter) placeholder(a *StarterAgent) {
	a.Guessed, a.alone = true, len(s.Agents) < 2
	s.BaseURL, a.URL = "https://agents.example.com", "/a2a"
	if !a.alone {
		a.URL = "/" + a.ID
	}
	a.Binding, a.Versions = "JSONRPC", []string{"1.0"}
	if a.Forge {
		a.Versions = []string{"0.3"}
	}
}

// remoteName is the name of the repository of the git remote that a .git directory
// tells, "" when there is none.
func remoteName(git fs.FS) string {
	if git == nil {
		return ""
	}
	data, err := safefile.ReadFile(git, "config", 1<<20)
	if err != nil {
		return ""
	}
	origin := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			origin = line == `[remote "origin"]`
		}
		if key, value, ok := strings.Cut(line, "="); ok && origin && strings.TrimSpace(key) == "url" {
			return strings.TrimSuffix(path.Base(strings.ReplaceAll(strings.TrimSpace(value), ":", "/")), ".git")
		}
	}
	return ""
}

// readCard takes what it can from a card that is there already.
func (s *Starter) readCard(root fs.FS, a *StarterAgent) {
	for _, name := range []string{
		".well-known/agent-card.json", "public/.well-known/agent-card.json", "static/.well-known/agent-card.json",
		"agent-card.json", "agent_card.json", ".well-known/agent.json", "public/.well-known/agent.json",
	} {
		data, err := safefile.ReadFile(root, name, source.Limits{}.WithDefaults().Card)
		if err != nil {
			continue
		}
		document, _ := source.ParseJSONLenient(name, data, source.Limits{}.WithDefaults())
		card := dialect.Read(document, dialect.ReadOptions{}).Card
		if card == nil || card.Name == "" {
			continue
		}
		s.Card, a.Name, a.card = name, card.Name, card
		whole := StarterSource{Type: mapping.TypeCard, Path: name, Whole: true}
		if len(card.Skills) == 0 {
			a.Sources = append([]StarterSource{whole}, a.Sources...)
			return
		}
		if len(a.Sources) > 0 {
			s.Doubts = append(s.Doubts, a.sources()+" left out: "+name+" says which skills are public")
		}
		a.Sources = []StarterSource{whole}
		return
	}
}
