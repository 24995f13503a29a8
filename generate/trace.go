package generate

import (
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/mapping"
)

// Trace is what a skill is known by, wherever a copy of it lies: its file, its
// names, and its description as the source has it.
type Trace struct {
	Origin      diag.Span
	ID, Name    string
	Description string
	Visibility  mapping.Visibility // of all that its source and the configuration say, the most private
	Agent       string
	Doubt       bool // Agent is a file of include that has errors, and may keep the skill private
	// Texts are what is private of it, and Lines where that stands.
	Texts []string
	Lines []diag.Span
}

// TraceOf returns the trace of a skill as its source tells it.
func TraceOf(s *mapping.Skill) Trace {
	t := Trace{Origin: s.Origin, ID: s.ID, Name: s.Name, Visibility: s.Visibility}
	if s.Description != s.Stopgap {
		t.Description = s.Description
	}
	return t
}

// Traces are what is known beside the skills of an agent.
type Traces struct {
	Agent     string
	Private   []Trace          // of what its sources have and do not want on public cards
	Overlaid  map[string]Trace // of the skills that the configuration changes, by id
	Elsewhere *Private         // what other agents keep private, nil for nothing
}

// of returns the trace of a skill that the configuration may have changed.
func (t Traces) of(s *mapping.Skill) Trace {
	trace, ok := t.Overlaid[s.ID]
	if !ok {
		trace = TraceOf(s)
	}
	trace.Agent, trace.Visibility = t.Agent, s.Visibility
	return trace
}

// Veiled returns the trace of a private skill, with all that is private of it.
func (t Trace) Veiled(s *mapping.Skill) Trace {
	t.Texts = append([]string{t.Description, s.Description, s.Name}, slices.Concat(s.Examples, s.Tags)...)
	t.Lines = []diag.Span{s.Origin}
	for _, p := range s.Places {
		t.Lines = append(t.Lines, p.Span)
	}
	return t
}

// Says reports whether a text is private of the skill, or a part of what is.
func (t Trace) Says(text string) bool {
	const part = 8 // bytes; less is a word that anybody may use
	return slices.ContainsFunc(t.Texts, func(own string) bool {
		return text == own || len(text) >= part && strings.Contains(own, text)
	})
}

// Doubted returns the trace as that of a skill which a file of include with errors may
// keep private.
func (t Trace) Doubted(file string) Trace {
	t.Agent, t.Doubt, t.Visibility = file, true, mapping.Hidden
	return t
}

// Why says who keeps a private skill so.
func (t Trace) Why() string {
	if t.Doubt {
		return fmt.Sprintf("%s has errors, and may keep it private", diag.Quote(t.Agent))
	}
	return fmt.Sprintf("the agent %q has it as %s", t.Agent, t.Visibility)
}

// Names are the id, the name and the directory of the skill.
func (t Trace) Names() []string {
	return []string{t.ID, t.Name, path.Base(path.Dir(t.Origin.File))}
}

// Mark is a short form of a part of a trace, by which traces are looked up.
type Mark uint64

// Marks are those of a trace. Skills without a mark in common are no copies of each
// other.
func (t Trace) Marks() []Mark {
	marks := []Mark{mark("file", t.Origin.File, t.ID)}
	if text := mapping.Plain(t.Description); len(text) >= telling {
		marks = append(marks, mark("text", text))
	}
	seen := map[string]bool{"": true}
	for _, name := range t.Names() {
		if name = mapping.Plain(name); !seen[name] {
			seen[name] = true
			marks = append(marks, mark("name", name))
		}
	}
	return marks
}

func mark(parts ...string) Mark {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write([]byte(p + "\x00")) // which never fails
	}
	return Mark(h.Sum64())
}

// telling is the least length in bytes of a plain text that tells a skill by itself.
const telling = 20

// Private are traces of the skills that somebody keeps private.
type Private struct {
	Others bool // a skill is compared with those of other agents only
	byMark map[Mark][]private
}

type private struct {
	*Trace
	text []rune // plain
}

// mostAlike is how many private skills with one mark a skill is compared with. What
// has more of them counts as private: comparing must not take the square of them.
const mostAlike = 16

// Add adds the traces of skills that are not public.
func (p *Private) Add(list ...Trace) {
	if p.byMark == nil {
		p.byMark = make(map[Mark][]private, len(list))
	}
	for i := range list {
		one := private{&list[i], []rune(mapping.Plain(list[i].Description))}
		for _, m := range one.Marks() {
			p.byMark[m] = append(p.byMark[m], one)
		}
	}
}

// Match returns the most private skill that a skill is, or is a copy of, and that is
// more private than itself; nil when there is none. A copy is
//
//   - what is read from the same file,
//   - what has the same description, but for case, blanks and punctuation, or
//   - what has the same id, name or directory, and nearly the same description.
func (p *Private) Match(t Trace) *Trace {
	if p == nil || len(p.byMark) == 0 {
		return nil
	}
	var found *Trace
	var known grams
	for _, m := range t.Marks() {
		list := p.byMark[m]
		for i, s := range list[:min(len(list), mostAlike+1)] {
			level := t.Visibility
			if found != nil {
				level = found.Visibility
			}
			if p.Others && s.Agent == t.Agent || mapping.MostPrivate(level, s.Visibility) == level {
				continue
			}
			if known == nil {
				known = gramsOf([]rune(mapping.Plain(t.Description)))
			}
			same := s.Origin.File == t.Origin.File && s.ID == t.ID
			if same || i == mostAlike || len(s.text) > 0 && known.hold(s.text) {
				found = s.Trace
			}
		}
	}
	return found
}

// gram is so much of a plain text that few other texts have it.
type gram [5]rune

// grams are all that a text has.
type grams map[gram]bool

func gramsOf(text []rune) grams {
	all := make(grams, len(text))
	for ; len(text) > 0; text = text[1:] {
		var g gram
		copy(g[:], text)
		all[g] = true
	}
	return all
}

// hold reports whether nearly all of another text is there: what one edit changes, or
// one in two hundred characters, may be missing.
func (known grams) hold(text []rune) bool {
	missing := max(min(len(gram{})+1, len(text)/2), len(text)/40)
	for ; len(text) > 0; text = text[1:] {
		var g gram
		copy(g[:], text)
		if !known[g] {
			if missing--; missing < 0 {
				return false
			}
		}
	}
	return true
}
