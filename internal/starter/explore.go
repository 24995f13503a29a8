package starter

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/mapping"

	"cardwright/internal/dialect"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Starter is what was found out about a project, for its configuration.
type Starter struct {
	Text []byte // the configuration
	file string // what it is called

	ID           string
	Name         string
	Description  string
	Version      string
	URL          string
	BaseURL      string
	Binding      string
	Versions     []string // of A2A
	Streaming    bool
	Out          string
	Sources      []Source
	Exclude      map[string][]string // what is left out, by the path of the source
	Forge        bool                // a source is a project of Forge
	forgeName    string              // that forge.yaml gives
	forgeVersion string              // that forge.yaml gives
	Card         string              // the existing card that was read, "" when none
	Guessed      bool                // URL is a placeholder
	Doubts       []string            // what was found and cannot be used
}

// explore finds out what it can; name is that of the directory.
func explore(root fs.FS, name string) *Starter {
	s := &Starter{Name: name, Sources: findSources(root), Out: "dist"}
	s.readForge(root)
	s.readCard(root)
	s.ID = cmp.Or(schema.Slug(s.Name), "agent")
	s.Name = cmp.Or(s.Name, "Agent")
	s.Description = cmp.Or(s.Description, "Says in a sentence or two what "+s.Name+" does for its users.")
	s.Version = cmp.Or(s.Version, "0.1.0")
	if s.URL == "" {
		s.placeholder()
	}
	return s
}

// placeholder stands for a URL that nobody knows.
func (s *Starter) placeholder() {
	s.Guessed = true
	s.BaseURL, s.URL = "https://agents.example.com", "/a2a"
	s.Binding, s.Versions = "JSONRPC", []string{"1.0"}
	if s.Forge { // which listens nowhere else and speaks nothing else
		s.URL, s.Versions = "/", []string{"0.3"}
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
func (s *Starter) readCard(root fs.FS) {
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
		s.Card = name
		s.Name, s.Description, s.Version = card.Name, card.Description, card.Version
		s.Streaming = card.Capabilities.Streaming != nil && *card.Capabilities.Streaming
		s.endpoint(card.Interfaces)
		if len(s.Sources) == 0 && len(card.Skills) > 0 {
			s.Sources = []Source{{mapping.TypeCard, name}}
		}
		return
	}
}

// endpoint takes over the preferred interface, with each version of A2A that it
// serves.
func (s *Starter) endpoint(list []schema.Interface) {
	for _, e := range list {
		if s.URL == "" && e.URL != "" {
			s.URL, s.Binding = e.URL, e.Binding
		}
		_, known := schema.ParseProtocol(e.Version)
		if known && e.URL == s.URL && e.Binding == s.Binding && !slices.Contains(s.Versions, e.Version) {
			s.Versions = append(s.Versions, e.Version)
		}
	}
	if len(s.Versions) == 0 {
		s.URL = ""
	}
}
