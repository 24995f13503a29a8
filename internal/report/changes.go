package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// printChanges prints differences for people, a line each, and the same change of many
// agents once. Those that mean nothing to clients are left out.
func printChanges(changes []diff.Change, color bool) string {
	p := printer{color: color}
	for _, c := range shareChanges(changes) {
		p.paint(classColors[c.change.Class], c.change.Class.String())
		if names := c.names(); names != "" {
			p.out.WriteString(": " + inline(names))
		}
		fmt.Fprintf(&p.out, ": %s ", inline(sentence(c.change)))
		p.paint(dim, "["+c.change.Rule.String()+"]")
		p.out.WriteByte('\n')
	}
	return p.out.String()
}

var classColors = map[diff.Class]string{diff.Breaking: red, diff.Additive: yellow, diff.Cosmetic: cyan}

// sharedChange is a change that one agent has, or several.
type sharedChange struct {
	change diff.Change
	agents []string
}

// shareChanges puts the same changes of several agents together, the worst first. Those
// that mean nothing to clients are left out.
func shareChanges(changes []diff.Change) []*sharedChange {
	var list []*sharedChange
	known := map[string]*sharedChange{}
	for _, c := range changes {
		if c.Class == diff.None {
			continue
		}
		key := strings.Join([]string{c.Rule.String(), c.Declared, sentence(c)}, "\x00")
		s := known[key]
		if s == nil || s.agents[len(s.agents)-1] == c.Agent {
			s = &sharedChange{change: c}
			known[key], list = s, append(list, s)
		}
		s.agents = append(s.agents, c.Agent)
	}
	slices.SortStableFunc(list, func(a, b *sharedChange) int { return cmp.Compare(b.change.Class, a.change.Class) })
	return list
}

// names are the agents that have a change, "" where no trees are compared.
func (c *sharedChange) names() string { return enumerate(c.agents, 5, " agents") }

// enumerate lists some names, and says how many more there are.
func enumerate(names []string, most int, noun string) string {
	if len(names) > most+1 {
		return fmt.Sprintf("%s and %d more%s", strings.Join(names[:most], ", "), len(names)-most, noun)
	}
	return strings.Join(names, ", ")
}

// valueShown is how much of a text is shown, in characters.
const valueShown = 120

// sentence is the message of a change with the texts before and after, and the version that
// declares it.
func sentence(c diff.Change) string {
	line := c.Message
	was, is := c.Old.Word(), c.New.Word()
	if was != "" && is != "" {
		line += ": " + quoted(was) + " → " + quoted(is)
	} else if text := cmp.Or(is, was); text != "" && !strings.Contains(line, text) {
		line += ": " + quoted(text)
	}
	if c.Declared != "" {
		line += " (declared by " + c.Declared + ")"
	}
	return line
}

func quoted(text string) string {
	if utf8.RuneCountInString(text) > valueShown {
		text = first(text, valueShown) + "…"
	}
	return strconv.Quote(text)
}

// meaningless counts the changes that mean nothing to clients, by rule, "" for none. Next
// to others a new version alone is not worth a line.
func meaningless(changes []diff.Change) string {
	rules := map[diag.RuleID]int{}
	for _, c := range changes {
		if c.Class == diff.None && (c.Rule != diag.VersionChanged || diff.Worst(changes) == diff.None) {
			rules[c.Rule]++
		}
	}
	var names []string
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		names = append(names, fmt.Sprintf("%s (%d)", rule, rules[rule]))
	}
	if len(names) == 0 {
		return ""
	}
	return "without effect on clients: " + strings.Join(names, ", ") + "; --format json shows them"
}

// summarize counts the changes of each class, and says what declares them and what they
// need: "2 breaking, 1 additive; 1 breaking change declared by 2.0.0; no version declares
// client-moved". It is empty where no change means anything to clients.
func summarize(agents ...diff.Comparison) string {
	var counts [diff.Breaking + 1]int
	versions, open, never := map[string]bool{}, map[string]bool{}, map[string]bool{}
	declared := 0
	for _, c := range diff.All(agents) {
		counts[c.Class]++
		switch {
		case c.Declared != "":
			declared++
			versions[c.Declared] = true
		case c.NeedsPerson():
			never[c.Rule.String()] = true
		case c.Class == diff.Breaking:
			open[c.Rule.String()] = true
		}
	}
	parts := []string{countClasses(counts)}
	if parts[0] == "" {
		return ""
	}
	some := func(set map[string]bool) string { return enumerate(slices.Sorted(maps.Keys(set)), 3, "") }
	if declared > 0 {
		parts = append(parts, diag.Count(declared, "breaking change")+" declared by "+some(versions))
	}
	switch {
	case len(open) > 0 && declared > 0:
		parts = append(parts, "not declared: "+some(open))
	case len(open) > 0, declared+len(never) == 0:
		parts = append(parts, fmt.Sprintf("needs at least a %s version", diff.Asked(agents)))
	}
	if len(never) > 0 {
		parts = append(parts, "no version declares "+some(never))
	}
	return strings.Join(parts, "; ")
}

// countClasses spells how many there are of each class, but of the least:
// "2 breaking, 1 additive".
func countClasses(counts [diff.Breaking + 1]int) string {
	var parts []string
	for class := diff.Breaking; class > diff.None; class-- {
		if n := counts[class]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, class))
		}
	}
	return strings.Join(parts, ", ")
}

// changeMembers returns what changes add to findings in JSON: every change, and the
// version that they need.
func changeMembers(agents []diff.Comparison) []source.Member {
	list := source.ListOf(printable(agents...), func(c diff.Change) *source.Node {
		return source.ObjectOf(
			"rule", c.Rule.String(),
			"class", c.Class.String(),
			"agent", c.Agent,
			"pointer", c.Pointer(),
			"old", c.Old,
			"new", c.New,
			"message", c.Message,
			"declared", c.Declared,
		)
	})
	return source.ObjectOf("changes", list, "bump", diff.Asked(agents).String()).Members
}

// printable are the changes of agents, the worst first, without the credentials that stand
// in their values.
func printable(agents ...diff.Comparison) []diff.Change {
	changes := diff.All(agents)
	for i := range changes {
		c := &changes[i]
		c.Old, c.New, c.Message = MaskedNode(c.Old), MaskedNode(c.New), secret.MaskText(c.Message)
	}
	return changes
}
