package project

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/schema"
)

// accepted is a difference that somebody decided to make, by what it is: see
// [diff.Change.Key]. Where it stands in a card says nothing. With Found, it is a
// finding that somebody decided to live with.
type accepted struct {
	Rule, Agent, Key string
	Old, New         *source.Node // nil where the difference has none, or none is given
	File, Found      string       // of a finding: its file, "" for any, and what it says
	Places           []string     // what it says of the places that belong to it, none for any
	Until            time.Time    // the last day
	Reason           string
	Span             diag.Span
}

// acceptedBy reads what the configuration accepts.
func acceptedBy(p *Project, c *config.Config) ([]accepted, diag.List) {
	n := c.Node.Get("accept")
	if !n.Is(source.String) {
		return nil, nil
	}
	tree, err := p.OpenSource(n.Text, n.Span)
	var data []byte
	if err == nil {
		data, err = files.ReadFile(tree.FS, tree.Root, c.Limits.WithDefaults().Source)
	}
	if err != nil {
		return nil, diag.List{diag.New("config-file", n.Span, "the accepted differences %s cannot be read: %s",
			diag.Quote(n.Text), files.Reason(err)).
			WithHint("create it; cardwright diff and lint add entries with --accept-into " + n.Text)}
	}
	return parseAcceptedList(tree.Show(tree.Root), data, c.Limits.WithDefaults())
}

// day is how dates are written.
const day = time.DateOnly

// parseAcceptedList reads a list of what is accepted; file is what findings call it.
// There are no entries where there are errors among the findings.
func parseAcceptedList(file string, data []byte, limits source.Limits) ([]accepted, diag.List) {
	root, found := source.ParseYAML(file, data, "config-value", limits)
	if found.Worst() == diag.Error || root == nil || root.Kind == source.Null {
		return nil, found
	}
	if root.Kind != source.Array {
		return nil, append(found, diag.New("config-value", root.Span, "the accepted differences are not a list").
			WithHint("begin each entry with a dash: - {rule: …, agent: …, key: …, old: …, until: 2027-01-31, reason: …}"))
	}
	var entries []accepted
	for _, item := range root.Items {
		entry, faults := parseAccepted(item)
		found = append(found, faults...)
		entries = append(entries, entry)
	}
	if found.Worst() == diag.Error {
		return nil, found
	}
	return entries, found
}

func parseAccepted(n *source.Node) (a accepted, found diag.List) {
	fault := func(at diag.Span, hint, format string, args ...any) {
		found = append(found, diag.New("config-value", at, format, args...).WithHint(hint))
	}
	var pointer, until string
	texts := map[string]*string{
		"agent": &a.Agent, "file": &a.File, "found": &a.Found, "key": &a.Key, "pointer": &pointer, "reason": &a.Reason,
		"rule": &a.Rule, "until": &until,
	}
	known := slices.Sorted(slices.Values(slices.AppendSeq([]string{"new", "old", "places"}, maps.Keys(texts))))
	if n.Kind != source.Object {
		fault(n.Span, "known keys: "+strings.Join(known, ", "), "an accepted difference is a map of keys")
		return a, found
	}
	a.Old, a.New, a.Span = n.Get("old"), n.Get("new"), n.Span
	for _, m := range n.Members {
		switch {
		case !slices.Contains(known, m.Key):
			found = append(found, diag.New("config-key-unknown", m.KeySpan,
				"unknown key %s in an accepted difference", diag.Quote(m.Key)).
				WithHint(diag.Hint(m.Key, known, "known keys: "+strings.Join(known, ", "))))
		case m.Key == "old" || m.Key == "new":
		case m.Key == "places":
			for _, item := range m.Value.Items {
				a.Places = append(a.Places, item.ScalarText())
			}
		case !m.Value.Scalar():
			fault(m.Value.Span, "", "%q must be a text", m.Key)
		default:
			*texts[m.Key] = m.Value.Text
		}
	}
	a.Key = cmp.Or(a.Key, pointer)
	if message, hint := a.ruleFault(); message != "" {
		fault(cmp.Or(n.Get("rule"), n).Span, hint, "%s", message)
	}
	var err error
	if a.Until, err = time.Parse(day, until); err != nil {
		fault(cmp.Or(n.Get("until"), n).Span, "until: 2027-01-31, for example",
			"an accepted difference needs %q, the last day on which it is accepted, as YYYY-MM-DD", "until")
	}
	return a, found
}

// ruleFault says what is wrong with the rule of an entry, "" for nothing. A finding may
// be one of a policy, which only the configuration knows.
func (a *accepted) ruleFault() (message, hint string) {
	var ids []string
	for _, r := range diff.Rules() {
		ids = append(ids, r.ID)
	}
	rule, finding := lint.Find(a.Rule)
	switch {
	case a.Rule == "":
		return `an accepted difference has no "rule"`, "cardwright diff names the rule of each difference"
	case a.Found == "" && finding:
		return fmt.Sprintf("an accepted finding of %q has no %q", a.Rule, "found"),
			"found: the message of the finding; cardwright lint --accept-into writes such entries"
	case a.Found == "" && !slices.Contains(ids, a.Rule):
		return fmt.Sprintf("no difference is named %q", a.Rule), diag.Hint(a.Rule, ids, "run cardwright rules for a list")
	case a.Found != "" && (rule.Fixed || rule.Exit != diag.Findings || strings.HasPrefix(a.Rule, "accept-")):
		return fmt.Sprintf("findings of %q cannot be accepted", a.Rule), "fix what it finds"
	case a.Found != "" && a.Agent == "" && a.File == "":
		return fmt.Sprintf("an accepted finding of %q has neither %q nor %q", a.Rule, "agent", "file"),
			"name what it is about"
	}
	return "", ""
}

func (a accepted) finding(rule, format string, args ...any) diag.Diagnostic {
	return diag.New(rule, a.Span, format, args...)
}

// current reports whether the entry counts on a day.
func (a accepted) current(today time.Time) bool {
	return !today.UTC().Truncate(24 * time.Hour).After(a.Until)
}

// acceptDays is how long a difference without a date is accepted.
const acceptDays = 90

// Acceptance is what an entry can be written for.
type Acceptance struct {
	entry  accepted
	known  func(accepted) bool // reports whether an entry is about it
	reason string
}

// AcceptInto adds entries to a list of what is accepted, behind those that it has, and
// returns how many.
func AcceptInto(name string, list []byte, wanted []Acceptance, now time.Time) ([]byte, int, error) {
	entries, found := parseAcceptedList(name, list, source.Limits{}.WithDefaults())
	if found.Worst() == diag.Error {
		return nil, 0, diag.UsageError("name a file with a list of accepted differences, or none", "%s: %s", found[0].Span,
			found[0].Message)
	}
	valid := slices.DeleteFunc(slices.Clone(entries), func(a accepted) bool { return !a.current(now) })
	added := slices.DeleteFunc(slices.Clone(wanted), func(w Acceptance) bool {
		i := slices.IndexFunc(valid, w.known)
		if i >= 0 && valid[i].Found != "" { // which is for one finding
			valid = slices.Delete(valid, i, i+1)
		}
		return i >= 0
	})
	root, _ := source.ParseYAML(name, list, "config-value", source.Limits{}.WithDefaults())
	if len(entries) == 0 { // nothing can stand behind [], as an empty list is spelled
		lines := slices.DeleteFunc(bytes.SplitAfter(list, []byte("\n")), func(line []byte) bool {
			line = bytes.TrimSpace(line)
			return !bytes.HasPrefix(line, []byte("#")) && !bytes.HasPrefix(line, []byte("---")) && len(line) > 0
		})
		list = bytes.Join(lines, nil)
	}
	if list = bytes.TrimRight(list, "\n"); len(list) > 0 {
		list = append(list, '\n')
	}
	entry := acceptEntries(added, now.UTC().AddDate(0, 0, acceptDays))
	if len(entries) > 0 && len(entry) > 0 { // where the others stand
		indent := strings.Repeat(" ", max(root.Span.Column-1, 0))
		entry = []byte(indent + strings.TrimSuffix(strings.ReplaceAll(string(entry), "\n", "\n"+indent), indent))
	}
	list = append(list, entry...)
	if _, found := parseAcceptedList(name, list, source.Limits{}.WithDefaults()); found.Worst() == diag.Error {
		return nil, 0, diag.UsageError("write each entry on a line of its own, behind a dash",
			"%s: entries cannot be added to a list in brackets", name)
	}
	return list, len(added), nil
}

// acceptEntries are entries as YAML, which are accepted until a day.
func acceptEntries(added []Acceptance, until time.Time) []byte {
	var b []byte
	for _, w := range added {
		entry := source.ObjectOf(
			"rule", w.entry.Rule,
			"agent", w.entry.Agent,
			"file", w.entry.File,
			"found", w.entry.Found,
			"places", w.entry.Places,
			"key", w.entry.Key,
			"old", w.entry.Old,
			"new", w.entry.New,
			"until", until.Format(day),
			"reason", w.reason,
		)
		b = append(b, schema.WriteYAML(source.ArrayOf(entry), nil)...)
	}
	return b
}
