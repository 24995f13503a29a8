package project

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/tree"
	"cardwright/internal/walk"
	"cardwright/mapping"
)

// StarterOptions say where a starter is to stand.
type StarterOptions struct {
	// Directory is the name of the directory, for an agent that nothing names.
	Directory string
	// Git is the .git directory, nil when there is none.
	Git fs.FS
	// File is the name of the configuration, and Schema that of the file beside
	// it which describes it to editors, "" for none.
	File, Schema string
	// Blocked returns what keeps a run from writing files below the directory out.
	Blocked func(out string, files []tree.File) diag.List
}

// NewStarter explores a project and writes a configuration for it, without what would
// keep generate from making its cards.
func NewStarter(ctx context.Context, root fs.FS, o StarterOptions) (*Starter, error) {
	s := explore(root, cmp.Or(remoteName(o.Git), o.Directory))
	s.file, s.Schema = o.File, o.Schema
	if len(s.Agents) > 1 {
		if err := s.audition(ctx, root, o); err != nil {
			return nil, err
		}
	}
	return s, s.improve(ctx, root, o)
}

// audition tries each agent by itself. What keeps one of them from being made
// then says which.
func (s *Starter) audition(ctx context.Context, root fs.FS, o StarterOptions) error {
	o.Blocked = func(string, []tree.File) diag.List { return nil } // which is asked once for all
	var kept []*StarterAgent
	for _, a := range s.Agents {
		one := &Starter{file: s.file, BaseURL: s.BaseURL, Out: s.Out, Agents: []*StarterAgent{a}, Exclude: s.Exclude}
		if err := one.improve(ctx, root, o); err != nil {
			return err
		}
		s.Doubts, s.Exclude = append(s.Doubts, one.Doubts...), one.Exclude
		if len(a.Sources) > 0 {
			kept = append(kept, a)
		}
	}
	if len(kept) == 0 {
		kept = s.Agents[:1]
	}
	s.Agents = kept
	return nil
}

// improve changes the configuration until nothing keeps generate from making the
// cards, as far as it can.
func (s *Starter) improve(ctx context.Context, root fs.FS, o StarterOptions) error {
	for {
		found, err := s.rehearse(ctx, root, o)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
		if i < 0 || !s.exclude(found) && !s.avoid(found[i]) {
			return nil
		}
	}
}

// exclude leaves out the skills that have errors, and tells whether there were
// any that it could.
func (s *Starter) exclude(found diag.List) bool {
	excluded := false
	for _, d := range found {
		for _, a := range s.Agents {
			for _, from := range a.Sources {
				excluded = s.excludeFrom(from, d) || excluded
			}
		}
	}
	return excluded
}

// excludeFrom leaves out the skill of a source that a finding is an error in.
func (s *Starter) excludeFrom(from StarterSource, d diag.Diagnostic) bool {
	dir := from.Path
	if from.Type != mapping.TypeSkills || !from.reads(d.Span.File) {
		return false
	}
	skill := path.Dir(d.Span.File)
	if dir != "." {
		skill = strings.TrimPrefix(skill, dir+"/")
	}
	if d.Severity != diag.Error || skill == "." || skill == dir || strings.ContainsAny(skill, `*?[\`) ||
		slices.Contains(s.Exclude[dir], skill) {
		return false
	}
	if s.Exclude == nil {
		s.Exclude = map[string][]string{}
	}
	s.Exclude[dir] = append(s.Exclude[dir], skill)
	s.Doubts = append(s.Doubts, d.Span.File+" is left out: "+d.Message)
	return true
}

// avoid changes the configuration so that it does not have the fault, and tells
// whether it could.
func (s *Starter) avoid(d diag.Diagnostic) bool {
	const other = "agent-cards"
	only := s.Agents[0]
	switch {
	case len(s.Agents) == 1 && !only.Guessed && (strings.HasPrefix(d.Rule, "interface-") ||
		strings.Contains(d.Pointer, "/interfaces/") || d.Rule == "config-value" && only.card != nil && strings.HasSuffix(d.Message, "no interfaces")):
		s.Doubts = append(s.Doubts, "the URL in "+s.Card+" cannot be used: "+d.Message)
		s.placeholder(only)
	case len(s.Agents) == 1 && d.Rule == "source-empty" && !only.Unskilled:
		kept := slices.DeleteFunc(slices.Clone(only.Sources), func(s StarterSource) bool { return !s.Whole })
		if len(kept) < len(only.Sources) {
			s.Doubts = append(s.Doubts, "no skill in "+only.sources()+
				" can be read: cardwright lint says why, once skills.from names them")
		}
		only.Sources, only.Unskilled = kept, true
	case strings.HasPrefix(d.Rule, "output-") && s.Out != other:
		s.Doubts = append(s.Doubts, "output: "+other+": "+d.Message)
		s.Out = other
	case d.Span.File == s.Card && only.card != nil:
		return false // what is wrong in it is for its author to fix: nothing of it may get lost
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
	given := false
	for _, a := range s.Agents {
		before := len(a.Sources)
		a.Sources = slices.DeleteFunc(a.Sources, func(s StarterSource) bool { return s.reads(file) })
		given = given || len(a.Sources) < before
	}
	return given
}

// rehearse writes the configuration and does what generate would do with it,
// short of writing its output.
func (s *Starter) rehearse(ctx context.Context, root fs.FS, o StarterOptions) (diag.List, error) {
	var text bytes.Buffer
	if err := starterTemplate().Execute(&text, s); err != nil {
		return nil, fmt.Errorf("writing the starter: %w", err)
	}
	s.Text = text.Bytes()
	cfg, found := config.Load(s.Text, config.Options{File: o.File})
	if found.Worst() == diag.Error {
		return found, nil
	}
	open := func(name string, _ diag.Span) (walk.Tree, error) {
		return walk.Tree{FS: root, Root: name, Show: func(file string) string { return file }}, nil
	}
	result, more, err := generate.Run(ctx, generate.Request{Config: cfg, Open: open})
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
	guessed, described := false, true
	for _, a := range s.Agents {
		guessed = guessed || a.Guessed
		described = described && !strings.HasPrefix(a.Description, lint.StarterMark)
		of := ""
		if len(s.Agents) > 1 {
			of = " of " + a.ID
		}
		if len(a.Sources) > 0 {
			lines = append(lines, "skills"+of+": "+a.sources())
		} else {
			lines = append(lines, "no skill found, so one example skill is defined in it")
		}
	}
	switch {
	case guessed && !described:
		lines = append(lines, "baseUrl and description are placeholders: replace them")
	case guessed:
		lines = append(lines, "baseUrl is a placeholder: replace it")
	case !described:
		lines = append(lines, "description is a placeholder: replace it")
	}
	return lines
}
