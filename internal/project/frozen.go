package project

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cardwright/internal/diag"
)

// baseline are the findings that a project lives with for a while: those of entries with
// what was found. Each entry is for one finding, so another one with the same words counts.
type baseline struct {
	dir     string // of the configuration, as findings spell it
	today   time.Time
	entries []accepted
	spent   []diag.Span      // by entry, on what
	index   map[string][]int // of entries, by what they are compared by
}

func (p *Project) baselineOf(entries []accepted, today time.Time) *baseline {
	b := &baseline{dir: path.Dir(p.Config), today: today, index: map[string][]int{}}
	for _, a := range entries {
		if a.Found != "" {
			b.index[a.key()] = append(b.index[a.key()], len(b.entries))
			b.entries = append(b.entries, a)
		}
	}
	b.spent = make([]diag.Span, len(b.entries))
	return b
}

// key is what an entry and a finding of it have in common: what was found or, where the
// entry lists places, the agent, because fewer places are another message.
func (a *accepted) key() string {
	if len(a.Places) > 0 {
		return a.Rule + "\x00places\x00" + a.Agent
	}
	return a.Rule + "\x00found\x00" + a.Found
}

// accept notes that a finding about an agent is accepted, and reports whether it is. "" is
// no agent.
func (b *baseline) accept(agent string, d *diag.Diagnostic) bool {
	if len(b.entries) == 0 || losesSource(d) {
		return false
	}
	expired := -1
	exact := accepted{Rule: d.Rule, Found: d.Message}
	some := accepted{Rule: d.Rule, Agent: agent, Places: []string{d.Message}}
	for _, i := range slices.Concat(b.index[exact.key()], b.index[some.key()]) {
		a := &b.entries[i]
		free := b.spent[i] == (diag.Span{}) || b.spent[i] == d.Span
		switch {
		case !free, a.Agent != "" && a.Agent != agent, a.File != "" && a.File != within(b.dir, d.Span.File), !a.covers(d):
		case !a.current(b.today):
			expired = i
		default:
			b.spent[i], d.Accepted = d.Span, true
			d.Hint = strings.TrimSuffix(fmt.Sprintf("accepted until %s: %s", a.Until.Format(day), a.Reason), ": ")
			return true
		}
	}
	if expired >= 0 {
		b.spent[expired] = d.Span
	}
	return false
}

// losesSource reports whether a source that the configuration names cannot be read. Without
// this error the skills in it would be gone from the card.
func losesSource(d *diag.Diagnostic) bool {
	return d.Rule == "source-unreadable" && d.Severity == diag.Error
}

// covers reports whether a finding has no other places than those of the entry. One that is
// left stands in the message.
func (a *accepted) covers(d *diag.Diagnostic) bool {
	if len(a.Places) == 0 {
		return true
	}
	if len(d.Related) == 0 {
		return slices.ContainsFunc(a.Places, func(place string) bool { return strings.HasPrefix(d.Message, place) })
	}
	left := map[string]int{}
	for _, place := range a.Places {
		left[place]++
	}
	for _, r := range d.Related {
		if left[r.Message]--; left[r.Message] < 0 {
			return false
		}
	}
	return true
}

// apply divides findings that are about no agent into those that remain and those that are
// accepted.
func (b *baseline) apply(found diag.List) (remain, accepted diag.List) {
	for _, d := range found {
		if !d.Accepted && b.accept("", &d) {
			accepted = append(accepted, d)
		} else {
			remain = append(remain, d)
		}
	}
	return remain, accepted
}

// stale reports the entries that are past their date and, after a run for all agents that
// notes everything, those that nothing matches.
func (b *baseline) stale(whole bool) diag.List {
	var found diag.List
	for i := range b.entries {
		a, used := &b.entries[i], b.spent[i] != (diag.Span{})
		switch {
		case used && !a.current(b.today):
			found = append(found, a.finding("accept-expired", "the finding of %q was accepted until %s and counts again",
				a.Rule, a.Until.Format(day)).WithHint("fix what it finds, or decide on a later date"))
		case !used && whole:
			found = append(found, a.finding("accept-unmatched", "no finding matches the entry: %q of %q", a.Rule,
				cmp.Or(a.Agent, a.File)).WithHint("delete the entry, if it is fixed by now"))
		}
	}
	return found
}

// AcceptFindings returns the findings in a project of at least a severity, those that can be
// accepted and those that cannot.
func AcceptFindings(p *Project, found diag.List, least diag.Severity) (out []Acceptance, refused diag.List) {
	for _, d := range found {
		if d.Severity < least {
			continue
		}
		agents := d.Agents
		entry := accepted{Rule: d.Rule, Found: cmp.Or(d.Plain, d.Message)}
		for _, r := range d.Related {
			entry.Places = append(entry.Places, r.Message)
		}
		if len(agents) == 0 || agents[0] == "" {
			agents = []string{""}
		}
		if agents[0] == "" || len(entry.Places) == 0 { // else the first place may be the one that is fixed
			entry.File = within(path.Dir(p.Config), d.Span.File)
		}
		for _, entry.Agent = range agents {
			if message, _ := entry.ruleFault(); message != "" || losesSource(&d) {
				refused = append(refused, d)
				break
			}
			out = append(out, Acceptance{entry: entry, known: entry.same, reason: "found before this list was made"})
		}
	}
	return out, refused
}

// same reports whether an entry is for the same finding.
func (a accepted) same(b accepted) bool {
	return b.Found == a.Found && b.Rule == a.Rule && b.Agent == a.Agent && b.File == a.File &&
		slices.Equal(b.Places, a.Places)
}

// within is the path of a file below a directory, both as findings spell them.
func within(dir, file string) string {
	rel, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(file))
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}
