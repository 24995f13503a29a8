package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/publish"
	"cardwright/internal/source"
	"cardwright/schema"
)

// starter is what init found out about the project.
type starter struct {
	ID          string
	Name        string
	Description string
	Version     string
	URL         string
	BaseURL     string
	Binding     string
	Versions    []string // of A2A
	Streaming   bool
	Out         string
	Sources     []starterSource
	Exclude     map[string][]string // what is left out, by the path of the source
	Forge       bool                // a source is a project of Forge
	Card        string              // the existing card that was read, "" when none
	Guessed     bool                // URL is a placeholder
	Doubts      []string            // what was found and cannot be used
}

func explore(root fs.FS) starter {
	s := starter{Name: projectName(root), Sources: findSources(root), Out: "dist"}
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
func (s *starter) placeholder() {
	s.Guessed = true
	s.BaseURL, s.URL = "https://agents.example.com", "/a2a"
	s.Binding, s.Versions = "JSONRPC", []string{"1.0"}
	if s.Forge { // which speaks nothing else
		s.Versions = []string{"0.3"}
	}
}

// projectName is the name of the git remote's repository, else that of the
// directory.
func projectName(root fs.FS) string {
	if data, err := source.ReadFile(root, ".git/config", 1<<20); err == nil {
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
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	return filepath.Base(dir)
}

// readCard takes what it can from a card that is there already.
func (s *starter) readCard(root fs.FS) {
	for _, name := range []string{
		".well-known/agent-card.json", "public/.well-known/agent-card.json", "static/.well-known/agent-card.json",
		"agent-card.json", "agent_card.json", ".well-known/agent.json", "public/.well-known/agent.json",
	} {
		data, err := source.ReadFile(root, name, source.Limits{}.WithDefaults().Card)
		if err != nil {
			continue
		}
		document, _ := source.ParseJSONLenient(name, data, source.Limits{}.WithDefaults())
		card := schema.Read(document, schema.ReadOptions{}).Card
		if card == nil || card.Name == "" {
			continue
		}
		s.Card = name
		s.Name, s.Description, s.Version = card.Name, card.Description, card.Version
		s.Streaming = card.Capabilities.Streaming != nil && *card.Capabilities.Streaming
		s.endpoint(card.Interfaces)
		if len(s.Sources) == 0 && len(card.Skills) > 0 {
			s.Sources = []starterSource{{config.CardSource, name}}
		}
		return
	}
}

// endpoint takes over the preferred interface, with each version of A2A that it
// serves.
func (s *starter) endpoint(list []schema.Interface) {
	for _, e := range list {
		if s.URL == "" && e.URL != "" {
			s.URL, s.Binding = e.URL, e.Binding
		}
		known := e.Version == string(schema.V10) || e.Version == string(schema.V03)
		if known && e.URL == s.URL && e.Binding == s.Binding && !slices.Contains(s.Versions, e.Version) {
			s.Versions = append(s.Versions, e.Version)
		}
	}
	if len(s.Versions) == 0 {
		s.URL = ""
	}
}

// rehearsed returns the configuration, without what would keep generate from
// making a card of it.
func (s *starter) rehearsed(ctx context.Context, root fs.FS) ([]byte, error) {
	for {
		text, found, err := s.rehearse(ctx, root)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
		if i < 0 || !s.exclude(found) && !s.avoid(found[i]) {
			return text, nil
		}
	}
}

// exclude leaves out the skills that have errors, and tells whether there were
// any that it could.
func (s *starter) exclude(found diag.List) bool {
	excluded := false
	for _, d := range found {
		for _, from := range s.Sources {
			dir := from.Path
			if from.Type != config.SkillsSource || !from.reads(d.Span.File) {
				continue
			}
			rel, err := filepath.Rel(dir, d.Span.File)
			skill := path.Dir(filepath.ToSlash(rel))
			if d.Severity != diag.Error || err != nil || !filepath.IsLocal(rel) || skill == "." || strings.ContainsAny(skill, `*?[\`) || slices.Contains(s.Exclude[dir], skill) {
				continue
			}
			if s.Exclude == nil {
				s.Exclude = map[string][]string{}
			}
			s.Exclude[dir] = append(s.Exclude[dir], skill)
			s.Doubts = append(s.Doubts, d.Span.File+" is left out: "+d.Message)
			excluded = true
		}
	}
	return excluded
}

// avoid changes the configuration so that it does not have the fault, and tells
// whether it could.
func (s *starter) avoid(d diag.Diagnostic) bool {
	const other = "agent-cards"
	switch {
	case !s.Guessed && (strings.HasPrefix(d.Rule, "interface-") || strings.Contains(d.Pointer, "/interfaces/")):
		s.Doubts = append(s.Doubts, "the URL in "+s.Card+" cannot be used: "+d.Message)
		s.placeholder()
	case d.Rule == "source-empty" && len(s.Sources) > 0:
		s.Doubts = append(s.Doubts, "no skill in "+s.sources()+" can be read: cardwright lint tells why, once skills.from names them")
		s.Sources = nil
	case strings.HasPrefix(d.Rule, "output-") && s.Out != other:
		s.Doubts = append(s.Doubts, "the cards go to "+other+": "+d.Message)
		s.Out = other
	case s.give(d.Span.File):
		s.Doubts = append(s.Doubts, d.Span.File+" cannot be used: "+d.Message)
	default:
		return false
	}
	return true
}

// give leaves out the sources that a file belongs to, and tells whether there
// are any.
func (s *starter) give(file string) bool {
	before := len(s.Sources)
	s.Sources = slices.DeleteFunc(s.Sources, func(s starterSource) bool { return s.reads(file) })
	return len(s.Sources) < before
}

// rehearse does what generate would do with the configuration, short of writing.
func (s *starter) rehearse(ctx context.Context, root fs.FS) ([]byte, diag.List, error) {
	var text bytes.Buffer
	if err := starterTemplate().Execute(&text, s); err != nil {
		return nil, nil, fmt.Errorf("writing the starter: %w", err)
	}
	cfg, found := config.Load(text.Bytes(), config.Options{File: configNames[0], Rules: ruleIDs()})
	if found.Worst() == diag.Error {
		return text.Bytes(), found, nil
	}
	result, more, err := generate.Run(ctx, generate.Request{Config: cfg, Open: func(name string) (generate.Tree, error) {
		return generate.Tree{FS: root, Root: name, Show: func(file string) string { return file }}, nil
	}})
	if err != nil {
		return nil, nil, err
	}
	found = append(found, more...)
	return text.Bytes(), append(found, publish.Obstacles(s.Out, result.Public, publish.Options{})...), nil
}
