package config

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// Hand is who has written a value: one of those who share a repository, the one
// who decides least first.
type Hand uint8

// The hands.
const (
	BySkill    Hand = iota // the header of a skill
	ByTeam                 // a file of include
	ByPlatform             // the configuration, what it extends, and the command line
)

// May reports whether a hand may make less strict what a key of an agent says.
// decided reports whether a hand above it has decided. The key of a rule is
// "rules/ID"; the rules that guard what is published are decided from the start.
func (h Hand) May(key string, decided bool) bool {
	rule, is := strings.CutPrefix(key, "rules/")
	return h == ByPlatform || !decided && (is && !diag.Guards(rule) || !is && h == ByTeam)
}

// team is a file of include, whose authors decide less than the configuration.
type team struct {
	file  string       // as it is shown
	name  string       // in [Files]
	entry *source.Node // of include that names it
	dirs  []string     // in [Files] that its paths may lead to: its own, and those that entries share
	keys  []string     // env:NAME of the signing keys that entries share
	owner string       // of its agents, "" when it does not say
}

// by returns whose value stands at a place.
func (l *loader) by(at diag.Span) Hand {
	if l.teams[at.File] != nil {
		return ByTeam
	}
	return ByPlatform
}

// broken are the files of teams that have errors.
func (l *loader) broken() map[string]bool {
	files := map[string]bool{}
	for _, d := range l.found {
		if d.Team != "" && d.Severity == diag.Error {
			files[d.Team] = true
		}
	}
	return files
}

// ownerOf returns who answers for a file of include, "" for any other.
func (l *loader) ownerOf(file string) string {
	if file == "" {
		return ""
	}
	if t := l.teams[file]; t != nil && t.owner != "" {
		return t.owner
	}
	return l.owner
}

// confine makes the last finding an error of one team alone.
func (l *loader) confine(file string) {
	d := &l.found[len(l.found)-1]
	d.Team, d.Owner = file, l.ownerOf(file)
}

// ownerIn matches who answers for the agents of a file that cannot be parsed, in any of
// the three forms of a text.
var ownerIn = parallel.Regexp(
	`(?m)^(?:[^#\n]*[\s{,])?["']?owner["']?:[ \t]*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"',{}#&*!|>][^,{}#\n]*))`)

// written returns the first value at or below n that a team has written.
func (l *loader) written(n *source.Node) *source.Node {
	for v := range n.All() {
		if len(v.Members)+len(v.Items) == 0 && l.by(v.Span) == ByTeam {
			return v
		}
	}
	return nil
}

// refuse reports what somebody may not decide. above is where it is decided.
func (l *loader) refuse(at, above diag.Span, hint, format string, args ...any) {
	d := diag.New("config-authority", at, format, args...).WithHint(hint)
	if above.File != "" {
		d = d.WithRelated(diag.Related{Span: above, Message: "decided here"})
	}
	l.report(d)
}

// bound returns an agent of a team as the configuration lets it be. above are the
// defaults of the configuration, with its rules; own is what the team and an
// environment say, and merged is own with the defaults.
func (l *loader) bound(above, own, merged *source.Node) *source.Node {
	merged = l.boundRules(above.Get("rules"), merged)
	for _, key := range []string{"policies", "skills/exclude", "skills/extended"} {
		keys := strings.Split(key, "/")
		floor, list := at(above, keys), at(merged, keys)
		if floor.Is(source.Array) && list.Is(source.Array) && list != floor && !l.by(list.Span).May(key, true) {
			both := *list
			both.Items = slices.Concat(floor.Items, list.Items)
			merged = withPath(merged, keys, &both)
		}
	}
	for _, m := range above.Get("skills").Get("overlay").Fields() {
		keys := []string{"skills", "overlay", m.Key, "visibility"}
		floor, own := m.Value.Get("visibility"), at(merged, keys)
		if floor != nil && own != nil && openness(own) > openness(floor) && !l.by(own.Span).May("visibility", true) {
			l.refuse(own.Span, floor.Span, "", "the configuration makes the skill %s %s, so a file of include cannot make it %s",
				diag.Quote(m.Key), floor.ScalarText(), own.ScalarText())
			merged = withPath(merged, keys, floor)
		}
	}
	if floor := above.Get("signing"); floor != nil && !floor.Is(source.Bool) { // false keeps no team from signing
		if w := l.written(own.Get("signing")); w != nil && !l.by(w.Span).May("signing", true) {
			l.refuse(w.Span, floor.Span, "leave signing out of this file, or move the agent to "+l.File,
				"the configuration decides how every card is signed, so a file of include cannot")
			merged = with(merged, "signing", floor)
		}
	}
	return merged
}

// boundRules returns an agent of a team without the severities that are below what
// the configuration sets, or below the default of a rule that guards.
func (l *loader) boundRules(floors, agent *source.Node) *source.Node {
	rules := agent.Get("rules")
	for _, m := range rules.Fields() {
		severity, ok := diag.ParseSeverity(m.Value.ScalarText())
		rule, known := diag.FindRule(m.Key)
		by := l.by(m.Value.Span)
		floor := floors.Get(m.Key)
		if !ok || !known || by.May("rules/"+m.Key, floor != nil) {
			continue
		}
		least, set := diag.ParseSeverity(floor.ScalarText())
		if !set {
			least = rule.Severity
		}
		switch why := "its default, and this rule guards what is published"; {
		case severity < least:
			if set {
				why = "which the configuration sets"
			}
			l.refuse(m.Value.Span, spanOf(floor), "only the configuration can: "+l.File,
				"a file of include cannot lower the rule %s to %s, below %s, %s", diag.Quote(m.Key), severity, least, why)
			fallthrough
		case severity == least: // a finding may weigh less than its rule, and must not weigh less for that
			rules = rules.Without(m.Key)
			if set {
				rules = with(rules, m.Key, floor)
			}
		}
	}
	return with(agent, "rules", rules)
}

// openness orders visibilities, the most private one first.
func openness(n *source.Node) int {
	return slices.Index([]mapping.Visibility{mapping.Hidden, mapping.Extended, mapping.Public},
		mapping.Visibility(n.ScalarText()))
}

// at returns what a path of member names leads to.
func at(n *source.Node, keys []string) *source.Node {
	for _, key := range keys {
		n = n.Get(key)
	}
	return n
}

// checkReach reports a path in a file of include, relative to that, which leads to
// what its team may not read. What leaves the project is reported when it is opened.
func (l *loader) checkReach(n *source.Node, name string) {
	t := l.teams[n.Span.File]
	full := path.Join(l.dirs[n.Span.File], name)
	if t == nil || full == ".." || strings.HasPrefix(full, "../") || l.by(n.Span).May("path", !below(t.dirs, full)) {
		return
	}
	share := full
	if path.Ext(full) != "" { // a file
		share = path.Dir(full)
	}
	l.refuse(n.Span, t.entry.Span, fmt.Sprintf("share it in %s: include: [{files: %s, reads: [%s]}]", l.File,
		diag.Quote(t.entry.Text), relative(path.Dir(l.Files.Name), share)),
		"%s leads out of the directory of this file, and the configuration does not share that place", diag.Quote(n.Text))
}

// checkKeys reports the environment variables that files of include name as keys
// and that the configuration does not give them.
func (l *loader) checkKeys(root *source.Node) {
	var shared []string
	note := func(key *source.Node) { shared = append(shared, key.Text) }
	eachSigning(root.Get("defaults"), note)
	check := func(key *source.Node) {
		t := l.teams[key.Span.File]
		if t == nil || !strings.HasPrefix(key.Text, "env:") ||
			l.by(key.Span).May("signing/key", !slices.Contains(slices.Concat(shared, t.keys), key.Text)) {
			return
		}
		l.refuse(key.Span, t.entry.Span, fmt.Sprintf("share it in %s: include: [{files: %s, reads: [%s]}]", l.File,
			diag.Quote(t.entry.Text), diag.Quote(key.Text)),
			"a file of include names an environment variable as its key that the configuration does not share")
	}
	for _, agent := range root.Get("agents").Elements() {
		eachSigning(agent, check)
	}
}

// below reports whether a slash path is one of the directories or lies below one.
func below(dirs []string, name string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
	})
}
