package project

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/tree"
	"cardwright/internal/walk"
	"cardwright/mapping"
	"cardwright/schema"
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
	// Ask returns what somebody answers to a question, by default what was found; nil
	// when there is nobody to ask.
	Ask func(question, found string) string
	// One makes one agent of everything, and Each one of each directory with skills.
	One, Each bool
	// Blocked returns what keeps a run from writing files below the directory out.
	Blocked func(out string, files []tree.File) diag.List
}

// NewStarter explores a project and writes a configuration for it, without what would
// keep generate from making its cards.
func NewStarter(ctx context.Context, root fs.FS, o StarterOptions) (*Starter, error) {
	s, err := explore(ctx, root, cmp.Or(remoteName(o.Git), mapping.Title(schema.Slug(o.Directory))), o)
	if err != nil {
		return nil, err
	}
	s.file, s.Schema = o.File, o.Schema
	if o.Ask != nil && len(s.Agents) == 1 {
		s.ask(o.Ask)
	}
	return s, s.improve(ctx, root, o)
}

// ask lets somebody say what is public of the only agent. What a source gives is copied
// only when the answer differs.
func (s *Starter) ask(ask func(question, found string) string) {
	const from = "your answer"
	a := s.Agents[0]
	if found := cmp.Or(a.Name, a.brought.Name); found != "" {
		if name := ask("Name", found); name != found {
			a.Name = name
			a.ID, a.IDFrom = cmp.Or(schema.Slug(name), a.ID), ""
		}
	}
	found := cmp.Or(a.Description, a.brought.Description)
	if description := ask("Description", found); description != found {
		a.Description, a.DescriptionFrom = description, from
	}
	s.BaseURL = ask("URL of the host, such as https://agents.acme.example", "")
}

// improve changes the configuration until nothing keeps generate from making the
// cards, as far as it can.
func (s *Starter) improve(ctx context.Context, root fs.FS, o StarterOptions) error {
	for {
		found, err := s.rehearse(ctx, root, o)
		if err != nil {
			return err
		}
		each := func(repair func(diag.Diagnostic) bool) (repaired bool) {
			for _, d := range found {
				repaired = repair(d) || repaired
			}
			return repaired
		}
		if !each(s.exclude) && !each(s.avoid) && !s.dismiss() {
			return nil
		}
	}
}

// dismiss drops the agents without skills where others have some, and reports whether
// there were any.
func (s *Starter) dismiss() bool {
	kept := slices.DeleteFunc(slices.Clone(s.Agents), func(a *starterAgent) bool { return a.Add })
	if len(kept) == 0 {
		kept = s.Agents[:1]
	}
	dropped := len(kept) < len(s.Agents)
	s.Agents = kept
	return dropped
}

// exclude leaves out the skill that has an error, and reports whether it could.
func (s *Starter) exclude(d diag.Diagnostic) bool {
	excluded := false
	for _, a := range s.Agents {
		for _, from := range a.Sources {
			excluded = s.excludeFrom(from, d) || excluded
		}
	}
	return excluded
}

// excludeFrom leaves out the skill of a source that a finding is an error in.
func (s *Starter) excludeFrom(from *starterSource, d diag.Diagnostic) bool {
	collides := d.Rule == "source-id-collision"
	if d.Severity != diag.Error && !collides || !from.excludable() || !from.reads(d.Span.File) ||
		d.Span.File == from.Path {
		return false
	}
	skill := from.skill(d.Span.File)
	if strings.ContainsAny(skill, `*?[\`) || slices.Contains(from.Exclude, skill) {
		return false
	}
	from.Exclude = append(from.Exclude, skill)
	if collides {
		s.survey.leave(whyTaken, d.Span.File)
		return true
	}
	s.Doubts = append(s.Doubts, d.Span.File+" is left out: "+d.Message)
	return true
}

// about is the agent that a finding is about, nil for all of them.
func (s *Starter) about(d diag.Diagnostic) *starterAgent {
	for _, a := range s.Agents {
		if len(s.Agents) == 1 || a.ID == d.Agent {
			return a
		}
	}
	return nil
}

// avoid changes the configuration so that it does not have the error, and reports
// whether it could.
func (s *Starter) avoid(d diag.Diagnostic) bool {
	const other = "agent-cards"
	only := s.about(d)
	switch {
	case d.Severity != diag.Error:
		return false
	case only != nil && only.URL == "" && (strings.HasPrefix(d.Rule, "interface-") ||
		strings.Contains(d.Pointer, "/interfaces/")):
		s.Doubts = append(s.Doubts, "the URL in "+only.sources()+" cannot be used: "+d.Message)
		only.URL = "/a2a"
	case only != nil && d.Rule == "source-empty" && !only.Add:
		only.Add = true
		only.Sources = slices.DeleteFunc(only.Sources, func(from *starterSource) bool {
			lost := from.Type == mapping.TypeSkills
			if lost {
				s.Doubts = append(s.Doubts, "no skill in "+from.Path+
					" can be read: cardwright lint says why, once skills.from names it")
			}
			return lost
		})
	case strings.HasPrefix(d.Rule, "output-") && s.Out != other:
		s.Doubts = append(s.Doubts, "output: "+other+": "+d.Message)
		s.Out = other
	case d.Span.File != s.file && s.give(d):
	default:
		return false
	}
	return true
}

// give leaves out the sources that a file with an error belongs to, and reports
// whether there are any. A card is none of them: what is wrong in it is for its
// author to fix, and nothing of it may get lost.
func (s *Starter) give(d diag.Diagnostic) bool {
	given := false
	for _, a := range s.Agents {
		before := len(a.Sources)
		a.Sources = slices.DeleteFunc(a.Sources, func(from *starterSource) bool {
			return from.Type != mapping.TypeCard && from.reads(d.Span.File)
		})
		given = given || len(a.Sources) < before
	}
	if given {
		s.Doubts = append(s.Doubts, d.Span.File+" cannot be used: "+d.Message)
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

// mostSaid is how many lines a summary has at most: with what init says of the files
// that it writes, these are ten.
const mostSaid = 7

// Summary says what was found, in lines for people: a few, or all there is to say.
func (s *Starter) Summary(all bool) []string {
	var agents []string
	for _, a := range s.Agents {
		of := ""
		if len(s.Agents) > 1 {
			of = a.ID + ": "
		}
		said := a.sources()
		if a.Add {
			said = strings.TrimPrefix(said+"; no skill found, so one is defined in it", "; ")
		}
		agents = append(agents, of+said)
	}
	most := mostSaid
	if all {
		most = math.MaxInt
	}
	lines := fewer(agents, "more agents", min(most, 3))
	doubts := fewer(s.Doubts, "more remarks", min(most, 3))
	return slices.Concat(lines, s.leftOut(all, most-len(lines)-len(doubts)), doubts)
}

// leftOut counts the skills that no agent gets by the reason, and names them all.
func (s *Starter) leftOut(all bool, most int) (lines []string) {
	reasons := slices.Sorted(maps.Keys(s.Left))
	for i, why := range reasons {
		files := slices.Compact(slices.Sorted(slices.Values(s.Left[why])))
		if i == most-1 && i < len(reasons)-1 {
			n := 0
			for _, more := range reasons[i:] {
				n += len(slices.Compact(slices.Sorted(slices.Values(s.Left[more]))))
			}
			return append(lines, "left out for "+diag.Count(len(reasons)-i, "other reason")+": "+diag.Count(n, "skill")+
				" (--all lists them)")
		}
		lines = append(lines, fmt.Sprintf("left out, %s: %s", why, diag.Count(len(files), "skill")))
		if all {
			for _, f := range files {
				lines = append(lines, "  "+f)
			}
		}
	}
	return lines
}

// fewer shortens a list of lines.
func fewer(lines []string, rest string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(slices.Clone(lines[:most-1]), fmt.Sprintf("and %d %s (--all lists them)", len(lines)-most+1, rest))
}
