package report

import (
	"cmp"
	"fmt"
	"io"
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

// Changes prints differences for people, a line each, and the same change of many
// agents once. Those that mean nothing to clients are left out.
func Changes(w io.Writer, changes []diff.Change, color bool) error {
	p := printer{color: color}
	for _, c := range shareChanges(changes) {
		p.paint(classColors[c.change.Class], c.change.Class.String())
		if names := c.names(); names != "" {
			p.out.WriteString(": " + inline(names))
		}
		fmt.Fprintf(&p.out, ": %s ", inline(Change(c.change)))
		p.paint(dim, "["+c.change.Rule.String()+"]")
		p.out.WriteByte('\n')
	}
	_, err := io.WriteString(w, p.out.String())
	return err
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
		key := strings.Join([]string{c.Rule.String(), c.Declared, Change(c)}, "\x00")
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

// agentsNamed is how many of the agents with the same change are named.
const agentsNamed = 5

// names are the agents that have a change, "" where no trees are compared.
func (c *sharedChange) names() string {
	if len(c.agents) > agentsNamed+1 {
		return fmt.Sprintf("%s and %d more agents", strings.Join(c.agents[:agentsNamed], ", "), len(c.agents)-agentsNamed)
	}
	return strings.Join(c.agents, ", ")
}

// valueShown is how much of a text is shown, in characters.
const valueShown = 120

// Change is the message of a change with the texts before and after, and the version that
// declares it.
func Change(c diff.Change) string {
	line := c.Message
	was, is := c.Old.Word(), c.New.Word()
	if was != "" && is != "" {
		line += ": " + excerpt(was) + " → " + excerpt(is)
	} else if text := cmp.Or(is, c.Old.Word()); text != "" && !strings.Contains(line, text) {
		line += ": " + excerpt(text)
	}
	if c.Declared != "" {
		line += " (declared by " + c.Declared + ")"
	}
	return line
}

func excerpt(text string) string {
	if utf8.RuneCountInString(text) > valueShown {
		text = first(text, valueShown) + "…"
	}
	return strconv.Quote(text)
}

// Sentence is a change of an agent as a finding reports it.
func Sentence(c diff.Change) string {
	if c.Agent == "" {
		return Change(c)
	}
	return fmt.Sprintf("agent %q: %s", c.Agent, Change(c))
}

// Meaningless counts the changes that mean nothing to clients, by rule, "" for none. Next
// to others a new version alone is not worth a line.
func Meaningless(changes []diff.Change) string {
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

// Summary counts the changes of each class, and says what declares them and what they
// need: "2 breaking, 1 additive; 1 breaking change declared by 2.0.0; no version declares
// client-moved". It is empty where no change means anything to clients.
func Summary(agents ...diff.Comparison) string {
	changes := diff.All(agents)
	parts := []string{countClasses(changes)}
	if parts[0] == "" {
		return ""
	}
	versions, open, never := map[string]bool{}, map[string]bool{}, map[string]bool{}
	declared := 0
	for _, c := range changes {
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

// some are the first few of a set.
func some(set map[string]bool) string {
	const most = 3
	names := slices.Sorted(maps.Keys(set))
	if len(names) > most+1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// countClasses counts the changes of each class: "2 breaking, 1 additive".
func countClasses(changes []diff.Change) string {
	var count [diff.Breaking + 1]int
	for _, c := range changes {
		count[c.Class]++
	}
	var parts []string
	for class := diff.Breaking; class > diff.None; class-- {
		if n := count[class]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, class))
		}
	}
	return strings.Join(parts, ", ")
}

// ChangeMembers returns what diff adds to [JSON]: every change, and the version that they
// need.
func ChangeMembers(changes []diff.Change, asked diff.Step) []source.Member {
	list := source.ListOf(changes, func(c diff.Change) *source.Node {
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
	return []source.Member{{Key: "changes", Value: list}, {Key: "bump", Value: source.NewText(asked.String())}}
}

// Printable are the changes of agents, the worst first, without the credentials that stand
// in their values.
func Printable(agents ...diff.Comparison) []diff.Change {
	changes := diff.All(agents)
	for i := range changes {
		c := &changes[i]
		c.Old, c.New = MaskedNode(c.Old), MaskedNode(c.New)
		c.Message, c.Key = secret.MaskText(c.Message), maskedKey(c.Key)
	}
	return changes
}
