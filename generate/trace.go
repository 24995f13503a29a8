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
	// Texts are what else is shown of it, or private, and Lines where that stands.
	Texts []string
	Lines []diag.Span
	home  *mapping.Home // of its files, nil when they are not published
}

// traceOf returns the trace of a skill as its source tells it.
func traceOf(s *mapping.Skill) Trace {
	t := Trace{Origin: s.Origin, ID: s.ID, Name: s.Name, Visibility: s.Visibility}
	if s.Description != s.Stopgap {
		t.Description = s.Description
	}
	return t
}

// trace returns that of a skill of the agent. Overlaid are those of the skills that the
// configuration has changed, by id.
func (w *work) trace(s *mapping.Skill, overlaid map[string]Trace) Trace {
	trace, ok := overlaid[s.ID]
	if !ok {
		trace = traceOf(s)
	}
	trace.Agent, trace.Visibility = w.agent.ID, s.Visibility
	trace.Texts = append([]string{s.Description}, s.Examples...)
	return trace
}

// veiled returns the trace of a private skill, with all that is private of it.
func (t Trace) veiled(s *mapping.Skill) Trace {
	t.Texts = append([]string{t.Description, s.Description, s.Name}, slices.Concat(s.Examples, s.Tags)...)
	t.Lines = []diag.Span{s.Origin}
	for _, p := range s.Places {
		t.Lines = append(t.Lines, p.Span)
	}
	return t
}

// says reports whether a text is private of the skill, or a part of what is.
func (t Trace) says(text string) bool {
	const part = 8 // bytes; less is a word that anybody may use
	return slices.ContainsFunc(t.Texts, func(own string) bool {
		return text == own || len(text) >= part && strings.Contains(own, text)
	})
}

// doubted returns the trace as that of a skill which a file of include with errors may
// keep private.
func (t Trace) doubted(file string) Trace {
	t.Agent, t.Doubt, t.Visibility = file, true, mapping.Hidden
	return t
}

// why says who keeps a private skill so.
func (t Trace) why() string {
	if t.Doubt {
		return fmt.Sprintf("%s has errors, and may keep it private", diag.Quote(t.Agent))
	}
	return fmt.Sprintf("the agent %q has it as %s", t.Agent, t.Visibility)
}

// names are the id, the name and the directory of the skill.
func (t Trace) names() []string {
	return []string{t.ID, t.Name, path.Base(path.Dir(t.Origin.File))}
}

// Mark is a short form of a part of a trace, by which traces are looked up.
type Mark uint64

// marks are those of a trace. Skills without a mark in common, and without a part of
// their texts, are no copies of each other.
func (t Trace) marks() []Mark {
	marks := []Mark{mark("file", t.Origin.File, t.ID)}
	seen := map[string]bool{"": true}
	for _, name := range t.names() {
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

// telling is the least length in runes of a plain text that tells a skill by itself, and
// partLength that of the parts of a text by which a longer text that holds it is found:
// at least fewestParts, of which one edit leaves one as it is, and at most mostParts.
const (
	telling     = 20
	partLength  = 16
	fewestParts = 3
	mostParts   = 32
	mostShared  = 4 // skills that share a part; what more have is a phrase that many use
)

// Private are traces of the skills that somebody keeps private.
type Private struct {
	Others bool // a skill is compared with those of other agents only
	byMark map[Mark][]*passage
}

// passage is a plain text of a private skill.
type passage struct {
	*Trace
	text []rune
}

// mostAlike is how many private skills with one mark a skill is compared with. What
// has the name of more of them counts as private: comparing must not take the square of
// them.
const mostAlike = 16

// Add adds the traces of skills that are not public.
func (p *Private) Add(list ...Trace) {
	if p.byMark == nil {
		p.byMark = make(map[Mark][]*passage, len(list))
	}
	for i := range list {
		t := &list[i]
		for n, text := range t.texts() {
			one := &passage{t, []rune(mapping.Plain(text))}
			if n == 0 {
				for _, m := range t.marks() {
					p.add(m, one)
				}
			}
			p.addText(one)
		}
	}
}

func (p *Private) add(m Mark, one *passage) {
	if list := p.byMark[m]; len(list) <= mostAlike {
		p.byMark[m] = append(list, one)
	}
}

// addText adds the marks of a text as a whole, and of parts of it.
func (p *Private) addText(one *passage) {
	if len(one.text) < telling {
		return
	}
	whole := mark("text", string(one.text))
	again := 0
	for _, s := range p.byMark[whole] {
		if s.Visibility == one.Visibility {
			again++
		}
	}
	p.add(whole, one)
	if len(one.text) < fewestParts*partLength || again > 1 { // two agents have it: one is another
		return
	}
	step := max(partLength, len(one.text)/mostParts)
	eachPart(one.text, func(at int, m Mark) {
		if at%step == 0 {
			p.add(m, one)
		}
	})
}

// eachPart calls f with the mark of each part of a text, in time that grows with the
// text alone.
func eachPart(text []rune, f func(at int, m Mark)) {
	const base = 1_099_511_628_211
	var sum, first Mark = 0, 1
	for range partLength {
		first *= base
	}
	for i, r := range text {
		sum = (sum + Mark(r) + 1) * base //nolint:gosec // no rune of a text is negative
		if i >= partLength {
			sum -= (Mark(text[i-partLength]) + 1) * first * base //nolint:gosec // as above
		}
		if i+1 >= partLength {
			f(i+1-partLength, sum)
		}
	}
}

// texts are the description and the other texts, each once.
func (t Trace) texts() []string {
	list := []string{t.Description}
	for _, text := range t.Texts {
		if !slices.Contains(list[:min(len(list), mostAlike)], text) {
			list = append(list, text)
		}
	}
	return list
}

// Match returns the most private skill that a skill is, or is a copy of, and that is
// more private than itself; nil when there is none. A copy is
//
//   - what is read from the same file,
//   - what shows the same text, but for case, blanks and punctuation,
//   - what shows nearly the same text, alone or among others, or
//   - what has the same id, name or directory, and nearly the same short description.
func (p *Private) Match(t Trace) *Trace {
	if p == nil || len(p.byMark) == 0 {
		return nil
	}
	var found *Trace
	level := t.Visibility
	for n, text := range t.texts() {
		plain := []rune(mapping.Plain(text))
		var known grams
		var tried []*passage
		compare := func(m Mark, named bool) {
			for i, s := range p.byMark[m] {
				if slices.Contains(tried, s) || p.Others && s.Agent == t.Agent ||
					mapping.MostPrivate(level, s.Visibility) == level {
					continue
				}
				if known == nil {
					known = gramsOf(plain)
				}
				same := named && (i == mostAlike || s.Origin.File == t.Origin.File && s.ID == t.ID)
				if tried = append(tried, s); same || len(s.text) > 0 && known.hold(s.text) {
					found, level = s.Trace, s.Visibility
				}
			}
		}
		if n == 0 {
			for _, m := range t.marks() {
				compare(m, true)
			}
		}
		if len(plain) >= telling {
			compare(mark("text", string(plain)), false)
		}
		if len(plain) >= fewestParts*partLength-1 {
			eachPart(plain, func(_ int, m Mark) {
				if len(p.byMark[m]) <= mostShared {
					compare(m, false)
				}
			})
		}
	}
	return found
}

// showing returns the most private skill that public texts show, nil when there is none.
func (p *Private) showing(texts ...string) *Trace {
	return p.Match(Trace{Visibility: mapping.Public, Texts: texts})
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
	missing := max(min(len(gram{})+1, (len(text)-len(gram{})+1)/2), len(text)/40)
	for ; len(text) >= len(gram{}); text = text[1:] { // what follows the end is open
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
