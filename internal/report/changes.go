package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Changes prints differences for people, a line each, and the same change of many
// agents once. Those that mean nothing to clients are left out.
func Changes(w io.Writer, changes []diff.Change, color bool) error {
	p := printer{color: color}
	common := Common(changes)
	for _, c := range changes {
		agents := common[sharedKey(c)]
		if c.Class == diff.None || len(agents) > 0 && agents[0] != c.Agent {
			continue
		}
		p.paint(classColors[c.Class], c.Class.String())
		if len(agents) > 0 {
			fmt.Fprintf(&p.out, ": %s and %d more agents", inline(strings.Join(agents[:agentsNamed], ", ")),
				len(agents)-agentsNamed)
		} else if c.Agent != "" {
			p.out.WriteString(": " + inline(c.Agent))
		}
		fmt.Fprintf(&p.out, ": %s ", inline(Change(c)))
		p.paint(dim, "["+c.Rule+"]")
		p.out.WriteByte('\n')
		for _, line := range append(partLines(c), fileLines(c)...) {
			p.out.WriteString("  " + inline(line) + "\n")
		}
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// agentsNamed is how many of the agents with the same change are named.
const agentsNamed = 3

// Common are the agents of each change that more agents have than are named of them.
func Common(changes []diff.Change) map[string][]string {
	common := map[string][]string{}
	for _, s := range shareChanges(changes) {
		if len(s.agents) > agentsNamed+1 {
			common[sharedKey(s.Change)] = s.agents
		}
	}
	return common
}

// IsCommon reports whether a change is among common ones.
func IsCommon(c diff.Change, common map[string][]string) bool { return common[sharedKey(c)] != nil }

// WithoutCommon are the changes that are not among common ones, or all where nothing
// else is left.
func WithoutCommon(changes []diff.Change, common map[string][]string) []diff.Change {
	own := slices.DeleteFunc(slices.Clone(changes), func(c diff.Change) bool { return IsCommon(c, common) })
	if diff.Worst(own) == diff.None {
		return changes
	}
	return own
}

var classColors = map[diff.Class]string{diff.Breaking: red, diff.Additive: yellow, diff.Cosmetic: cyan}

// valueShown is how long a text is at most that is shown as a whole beside its
// successor, in characters.
const valueShown = 60

// Change says what changed, and from what text to what text: of long ones, the
// words that changed. Of what is new it says the value.
func Change(c diff.Change) string {
	if text := newText(c); text != "" && c.New.Is(source.String) {
		return c.Message + ": " + diag.Quote(text)
	} else if text != "" {
		return c.Message + ": " + text
	}
	if !c.Old.Is(source.String) || !c.New.Is(source.String) {
		return c.Message
	}
	older, newer := diag.Quote(c.Old.Text), diag.Quote(c.New.Text)
	if !short(c.Old) || !short(c.New) {
		older, newer = reworded(c.Old.Text, c.New.Text)
	}
	return c.Message + ": " + older + " → " + newer + pointsIn(c.Old.Text, c.New.Text)
}

// newText is a text, a number or a flag that is new, "" where the message says it.
func newText(c diff.Change) string {
	text := c.New.ScalarText()
	if c.Old != nil || c.Part != nil || says(c.Message, text) || strings.HasPrefix(c.Rule, "capability-") {
		return ""
	}
	return text
}

// says reports whether a message has a text in it, quoted or as a word.
func says(message, text string) bool {
	return strings.Contains(message, diag.Quote(text)) || strings.Contains(message, "("+text+")") ||
		strings.Contains(message+" ", " "+text+" ")
}

func short(n *source.Node) bool { return utf8.RuneCountInString(n.Text) <= valueShown }

// Summary says how many changes there are of each class, and what they ask of
// the version: "2 breaking, 1 additive; needs at least a major version". It is empty
// where no change means anything to clients.
func Summary(changes []diff.Change, bump string) string {
	counts := countClasses(changes)
	if counts == "" {
		return ""
	}
	return counts + "; " + bump
}

// Bump says what the differences of agents ask of their versions, and of one agent
// whether its version has that.
func Bump(agents ...diff.Comparison) string {
	if len(agents) == 1 {
		a := agents[0]
		if a.Edited {
			return "the file was edited after it was generated"
		}
		if raised(a) {
			return fmt.Sprintf("version %s → %s is enough", a.Old.Version, a.New.Version)
		}
	}
	return needs(diff.Asked(agents))
}

// raised reports whether the version of an agent moves as far as its changes ask.
func raised(a diff.Comparison) bool {
	return a.Old != nil && a.New != nil && a.Old.Version != a.New.Version && !a.Short()
}

func needs(asked diff.Step) string { return fmt.Sprintf("needs at least a %s version", asked) }

// Meaningless names the changes that mean nothing to clients, which [Changes]
// leaves out. It is empty where there are none, and beside other changes where
// nothing but the version changed.
func Meaningless(changes []diff.Change) string {
	rules := map[string]int{}
	total := 0
	for _, c := range changes {
		if c.Class == diff.None && (c.Rule != "version-changed" || diff.Worst(changes) == diff.None) {
			rules[c.Rule]++
			total++
		}
	}
	none := diag.Count(total, "change") + " without effect on clients: "
	i := slices.IndexFunc(changes, func(c diff.Change) bool { return c.Rule == "version-changed" })
	if total == 1 && i >= 0 {
		return fmt.Sprintf("%sversion %s → %s", none, changes[i].Old.ScalarText(), changes[i].New.ScalarText())
	}
	if len(rules) == 0 {
		return ""
	}
	var names []string
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		if n := rules[rule]; n > 1 {
			rule = fmt.Sprintf("%s (%d)", rule, n)
		}
		names = append(names, rule)
	}
	return none + strings.Join(names, ", ") + "; --format json shows them"
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

// ChangeMembers returns what diff adds to [JSON]: every change, what they ask of the
// version, and [FileMembers].
func ChangeMembers(changes []diff.Change, asked diff.Step) []source.Member {
	list := source.ListOf(changes, func(c diff.Change) *source.Node {
		if c.New == nil {
			c.Part = nil
		}
		return source.ObjectOf(
			"rule", c.Rule,
			"class", c.Class.String(),
			"agent", c.Agent,
			"owner", c.Owner,
			"pointer", c.Pointer(),
			"key", c.Key,
			"old", c.Old,
			"new", c.New,
			"part", c.Part,
			"message", c.Message,
		)
	})
	members := []source.Member{{Key: "changes", Value: list}, {Key: "bump", Value: source.NewText(asked.String())}}
	return append(members, FileMembers(changes)...)
}

// partLines are what people and models read of a part of a card that is new, or that
// clients refuse: a line for each of its members, but for what the message says.
func partLines(c diff.Change) []string {
	if c.New == nil {
		return nil
	}
	part := c.Part
	if part == nil && (!c.New.Scalar() || c.Rule == "card-unreadable") && c.Rule != "requirement-loosened" {
		part = beyond(c.New, c.Old)
	}
	if c.Part != nil && part.Empty() {
		return nil
	}
	return memberLines(nil, c.Message, "", "", part)
}

// beyond returns the items of a list that another one has not, or any other value as it
// is.
func beyond(list, other *source.Node) *source.Node {
	if !list.Is(source.Array) || !other.Is(source.Array) {
		return list
	}
	known := map[string]bool{}
	for _, item := range other.Items {
		known[schema.WriteCompact(item)] = true
	}
	has := func(n *source.Node) bool { return known[schema.WriteCompact(n)] }
	items := slices.DeleteFunc(slices.Clone(list.Items), has)
	if len(items) == 0 {
		return nil
	}
	return &source.Node{Kind: source.Array, Items: items}
}

// memberLines adds lines for a value with a name: one for its scalars and those of its
// list, and one for each of the others. What a message says of it is left out: items of a
// list, and of an object the member that identifies it.
func memberLines(lines []string, message, indent, name string, n *source.Node) []string {
	var values []string
	for _, v := range append([]*source.Node{n}, n.Elements()...) {
		switch {
		case v.Is(source.Null) && name == "": // nothing is there
		case v != nil && !v.Scalar() && v.Empty(): // such as the requirement {}, which lets everybody in
			values = append(values, schema.WriteCompact(v))
		case v.Scalar() && !said(message, v):
			values = append(values, shown(v))
		}
	}
	if name != "" {
		name += ": "
	}
	if len(values) > 0 {
		lines = append(lines, indent+name+strings.Join(values, ", "))
	}
	within := indent
	if name != "" {
		within += "  "
	}
	var inner []string
	for _, item := range n.Elements() {
		if !item.Scalar() {
			inner = memberLines(inner, message, within, "", item)
		}
	}
	identified := false
	for _, m := range n.Fields() {
		if !identified && said(message, m.Value) {
			identified = true
			continue
		}
		inner = memberLines(inner, "", within, m.Key, m.Value)
	}
	if name != "" && len(inner) > 0 {
		lines = append(lines, indent+strings.TrimSuffix(name, " "))
	}
	return append(lines, inner...)
}

// said reports whether a message has a scalar in it as it quotes one.
func said(message string, v *source.Node) bool {
	if v.Is(source.String) {
		return strings.Contains(message, strconv.Quote(v.Text))
	}
	return v.Scalar() && strings.Contains(message, "("+v.Text+")")
}

// shown is a scalar as people read it.
func shown(v *source.Node) string {
	if v.Is(source.String) {
		return strconv.Quote(v.Text)
	}
	return v.ScalarText()
}

// inFull is a change with what is read of a new part, on one line.
func inFull(c diff.Change) string {
	var full strings.Builder
	full.WriteString(Change(c))
	introduces := strings.HasSuffix(full.String(), ":")
	for _, line := range append(partLines(c), fileLines(c)...) {
		if !introduces {
			full.WriteByte(';')
		}
		line = " " + strings.TrimSpace(line)
		full.WriteString(line)
		introduces = strings.HasSuffix(line, ":")
	}
	return full.String()
}

// Sentence is a change of an agent as a finding says it, in full.
func Sentence(c diff.Change) string {
	if c.Agent == "" {
		return inFull(c)
	}
	return fmt.Sprintf("agent %q: %s", c.Agent, inFull(c))
}
