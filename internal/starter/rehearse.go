package starter

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/mapping"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/tree"
)

// Options say where a starter is to stand.
type Options struct {
	// Directory is the name of the directory, for an agent that nothing names.
	Directory string
	// Git is the .git directory, nil when there is none.
	Git fs.FS
	// File is the name of the configuration.
	File string
	// Blocked returns what keeps a run from writing files below the directory out.
	Blocked func(out string, files []tree.File) diag.List
}

// New explores a project and writes a configuration for it, without what would
// keep generate from making a card of it.
func New(ctx context.Context, root fs.FS, o Options) (*Starter, error) {
	s := explore(root, cmp.Or(remoteName(o.Git), o.Directory))
	s.file = o.File
	for {
		found, err := s.rehearse(ctx, root, o)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
		if i < 0 || !s.exclude(found) && !s.avoid(found[i]) {
			return s, nil
		}
	}
}

// exclude leaves out the skills that have errors, and tells whether there were
// any that it could.
func (s *Starter) exclude(found diag.List) bool {
	excluded := false
	for _, d := range found {
		for _, from := range s.Sources {
			dir := from.Path
			if from.Type != mapping.TypeSkills || !from.reads(d.Span.File) {
				continue
			}
			skill := path.Dir(d.Span.File)
			if dir != "." {
				skill = strings.TrimPrefix(skill, dir+"/")
			}
			if d.Severity != diag.Error || skill == "." || skill == dir || strings.ContainsAny(skill, `*?[\`) || slices.Contains(s.Exclude[dir], skill) {
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
func (s *Starter) avoid(d diag.Diagnostic) bool {
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
	case d.Span.File != s.file && s.give(d.Span.File):
		s.Doubts = append(s.Doubts, d.Span.File+" cannot be used: "+d.Message)
	default:
		return false
	}
	return true
}

// give leaves out the sources that a file belongs to, and tells whether there
// are any.
func (s *Starter) give(file string) bool {
	before := len(s.Sources)
	s.Sources = slices.DeleteFunc(s.Sources, func(s Source) bool { return s.reads(file) })
	return len(s.Sources) < before
}

// rehearse writes the configuration and does what generate would do with it,
// short of writing its output.
func (s *Starter) rehearse(ctx context.Context, root fs.FS, o Options) (diag.List, error) {
	var text bytes.Buffer
	if err := starterTemplate().Execute(&text, s); err != nil {
		return nil, fmt.Errorf("writing the starter: %w", err)
	}
	s.Text = text.Bytes()
	cfg, found := config.Load(s.Text, config.Options{File: o.File, Rules: lint.IDs()})
	if found.Worst() == diag.Error {
		return found, nil
	}
	result, more, err := generate.Run(ctx, generate.Request{Config: cfg, Open: func(name string) (mapping.Tree, error) {
		return mapping.Tree{FS: root, Root: name, Show: func(file string) string { return file }}, nil
	}})
	if err != nil {
		return nil, err
	}
	return slices.Concat(found, more, o.Blocked(s.Out, result.Public)), nil
}

// Summary says what was found, in lines for people.
func (s *Starter) Summary() []string {
	var lines []string
	if s.Card != "" {
		lines = append(lines, "the agent is described as in "+s.Card)
	}
	lines = append(lines, s.Doubts...)
	if len(s.Sources) > 0 {
		lines = append(lines, "skills: "+s.sources())
	} else {
		lines = append(lines, "no skill found, so it has one skill spelled out as an example")
	}
	if s.Guessed {
		lines = append(lines, "the URL is a placeholder: put the real one")
	}
	return lines
}
