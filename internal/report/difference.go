package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/secret"
	"cardwright/schema"
)

const (
	// changesShown is how long a list of changes in Markdown is, in bytes.
	changesShown = 12_000
	// openShown is how many changes are listed openly. Of more, some of the worst
	// class are, so that a comment about forty agents fits on a screen.
	openShown = 6
	// agentsShown is how many agents the table lists before it folds the others,
	// and agentsFolded how long the folded table is, in bytes.
	agentsShown  = 10
	agentsFolded = 6_000
	// namesShown is how many agents are named that have a change in common.
	namesShown = 5
	// textShown is how much of a text that changed is shown, in characters.
	textShown = 400
	// partShown is how much of each text of a new part is shown, in characters.
	partShown = 2_000
	// nameShown is how much of a name is shown, in characters.
	nameShown = 60
	// filesShown is how long the list of files is, in bytes.
	filesShown = 4_000
)

// Markdown prints the difference: a heading with the verdict, errors, a table
// where there are several agents, the worst changes, and the rest folded. Of a
// text that changed it shows the words that did. As in [Markdown], everything
// that may quote input stands in code.
func (c *Comparison) Markdown(w io.Writer) error {
	var b strings.Builder
	var all []diff.Change
	for _, a := range c.Agents {
		all = append(all, Printable(a)...)
	}
	all = slices.DeleteFunc(all, func(c diff.Change) bool { return c.Class == diff.None })
	heading(&b, c.Title, c.verdict(all))
	if c.Advice != "" {
		b.WriteString("\n" + c.Advice + "\n")
	}
	if len(all) == 0 && len(c.Files) == 0 {
		listFindings(&b, c.Found)
		_, err := io.WriteString(w, b.String())
		return err
	}
	c.listByOwner(&b, all)
	c.files(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// listByOwner lists what differs. Where several teams answer for it, each has a part of
// its own.
func (c *Comparison) listByOwner(b *strings.Builder, all []diff.Change) {
	owners := ownersOf(c.Found)
	for _, change := range all {
		owners = append(owners, change.Owner)
	}
	owners = sortedOwners(owners)
	if len(owners) < 2 {
		c.list(b, all, 1)
		return
	}
	for _, owner := range owners {
		own := slices.DeleteFunc(slices.Clone(all), func(c diff.Change) bool { return c.Owner != owner })
		part := Comparison{Sheet: &Sheet{Found: slices.DeleteFunc(slices.Clone(c.Found),
			func(d diag.Diagnostic) bool { return d.Owner != owner })}}
		for _, a := range c.Agents {
			if slices.ContainsFunc(a.Changes, func(c diff.Change) bool { return c.Owner == owner }) {
				part.Agents = append(part.Agents, a)
			}
		}
		fmt.Fprintf(b, "\n#### %s: %s\n", cmp.Or(Code(owner), "nobody's"), cmp.Or(countClasses(own), Count(part.Found)))
		part.list(b, own, len(owners))
	}
}

// list lists what differs, in as much room as one of several parts gets.
func (c *Comparison) list(b *strings.Builder, all []diff.Change, parts int) {
	errors, others := c.Found.Split(diag.Error)
	list := newFindingsList(c.Found, min(markdownShown, ownersShownIn/parts))
	if len(errors) > 0 {
		b.WriteString("\n" + list.of(errors))
	}
	c.table(b)
	shared := shareChanges(all)
	open := len(shared)
	if open > openShown {
		least := func(c *sharedChange) bool { return c.Class < shared[0].Class }
		if open = slices.IndexFunc(shared[:openShown], least); open < 0 {
			open = openShown
		}
	}
	room := changesShown / parts
	if open > 0 {
		b.WriteString("\n" + listChanges(shared[:open], room))
	}
	if folded := shared[open:]; len(folded) > 0 {
		fold(b, countShared(folded), listChanges(folded, room))
	}
	if len(others) > 0 {
		fold(b, Count(others), list.of(others))
	}
}

// verdict says what the changes come to.
func (c *Comparison) verdict(changes []diff.Change) string {
	bump := needs(diff.Asked(c.Agents))
	if len(c.Agents) == 1 && raised(c.Agents[0]) {
		bump = fmt.Sprintf("version %s → %s is enough", Code(versionOf(c.Agents[0].Old)), Code(versionOf(c.Agents[0].New)))
	}
	summary := Summary(changes, bump)
	if c.Verdict != "" && summary != "" {
		return c.Verdict + ": " + summary
	}
	return cmp.Or(c.Verdict, summary, "no differences")
}

// versionOf is the version of an agent as it is shown, "" for one that is new or gone.
func versionOf(c *schema.Card) string {
	if c == nil {
		return ""
	}
	return first(secret.MaskText(c.Version), nameShown)
}

// table lists the agents that changed where there are several, the worst first.
func (c *Comparison) table(b *strings.Builder) {
	changed := slices.DeleteFunc(slices.Clone(c.Agents),
		func(a diff.Comparison) bool { return diff.Worst(a.Changes) == diff.None })
	if len(changed) < 2 {
		return
	}
	slices.SortStableFunc(changed, func(a, b diff.Comparison) int {
		return cmp.Compare(diff.Worst(b.Changes),
			diff.Worst(a.Changes))
	})
	shown := min(len(changed), agentsShown)
	if shown == len(changed)-1 {
		shown++
	}
	const head = "| agent | breaking | additive | cosmetic | version |\n| --- | --- | --- | --- | --- |\n"
	b.WriteString("\n" + head)
	for _, a := range changed[:shown] {
		b.WriteString(row(a))
	}
	if shown == len(changed) {
		return
	}
	var rest strings.Builder
	rest.WriteString(head)
	for i, a := range changed[shown:] {
		if rest.Len() > agentsFolded {
			fmt.Fprintf(&rest, "\nand %d more\n", len(changed)-shown-i)
			break
		}
		rest.WriteString(row(a))
	}
	fold(b, fmt.Sprintf("%d more agents", len(changed)-shown), rest.String())
}

func row(a diff.Comparison) string {
	var count [diff.Breaking + 1]int
	for _, c := range a.Changes {
		count[c.Class]++
	}
	cells := []string{cell(first(a.Agent, nameShown))}
	for class := diff.Breaking; class > diff.None; class-- {
		number := ""
		if count[class] > 0 {
			number = strconv.Itoa(count[class])
		}
		cells = append(cells, number)
	}
	was, is := versionOf(a.Old), versionOf(a.New)
	version := cell(cmp.Or(is, was))
	if was != "" && is != "" && a.Old.Version != a.New.Version {
		version = cell(was) + " → " + cell(is)
	}
	if was != "" && is != "" {
		version += fmt.Sprintf(", needs %s", a.Asked())
	}
	return "| " + strings.Join(append(cells, version), " | ") + " |\n"
}

// cell is a code span in a table.
func cell(text string) string { return strings.ReplaceAll(Code(text), "|", `\|`) }

// sharedChange is a change that one agent has, or several.
type sharedChange struct {
	diff.Change
	agents []string
}

// shareChanges puts the same changes of several agents together, the worst first.
func shareChanges(changes []diff.Change) []*sharedChange {
	var list []*sharedChange
	known := map[string]*sharedChange{}
	for _, c := range changes {
		key := sharedKey(c)
		s := known[key]
		if s == nil || s.agents[len(s.agents)-1] == c.Agent {
			s = &sharedChange{Change: c}
			known[key], list = s, append(list, s)
		}
		s.agents = append(s.agents, c.Agent)
	}
	slices.SortStableFunc(list, func(a, b *sharedChange) int { return cmp.Compare(b.Class, a.Class) })
	return list
}

// sharedKey is what the same change of several agents has in common.
func sharedKey(c diff.Change) string {
	return strings.Join([]string{c.Class.String(), c.Rule, inFull(c)}, "\x00")
}

// countShared counts the changes of each class in all agents.
func countShared(list []*sharedChange) string {
	var all []diff.Change
	for _, c := range list {
		all = append(all, slices.Repeat([]diff.Change{c.Change}, len(c.agents))...)
	}
	return countClasses(all)
}

func listChanges(changes []*sharedChange, room int) string {
	var b strings.Builder
	for i, c := range changes {
		item := c.item()
		if room -= len(item); room < 0 {
			fmt.Fprintf(&b, "- and %d more\n", len(changes)-i)
			break
		}
		b.WriteString(item)
	}
	return b.String()
}

// item is a change in a list: what changed, in which agents, and the words.
func (c *sharedChange) item() string {
	var b strings.Builder
	fmt.Fprintf(&b, "- **%s**", c.Class)
	if names := c.names(); names != "" {
		b.WriteString(" " + names)
	}
	fmt.Fprintf(&b, " %s (%s)\n", Code(c.Message), Code(c.Rule))
	lines := c.lines()
	for _, line := range partLines(c.Change) {
		lines = append(lines, "+ "+cut(line, partShown))
	}
	for _, line := range fileLines(c.Change) {
		lines = append(lines, "! "+cut(line, partShown))
	}
	if len(lines) > 0 {
		b.WriteString("  ```diff\n")
		for _, line := range lines {
			b.WriteString("  " + line + "\n")
		}
		b.WriteString("  ```\n")
	}
	return b.String()
}

// names are the agents that have a change.
func (c *sharedChange) names() string {
	var names []string
	for i, agent := range c.agents {
		if i == namesShown && len(c.agents) > namesShown+1 {
			return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", len(c.agents)-i)
		}
		if agent != "" {
			names = append(names, codeOf(agent, nameShown))
		}
	}
	return strings.Join(names, ", ")
}

// lines are the words that changed, as lines of a diff. Each begins with a sign,
// so that none can end the block that they stand in.
func (c *sharedChange) lines() []string {
	was, is := c.Old.Word(), c.New.Word()
	switch {
	case newText(c.Change) != "":
		return []string{"+ " + cut(newText(c.Change), textShown)}
	case was == "", is == "" && says(c.Message, was):
		return nil
	case is == "":
		return []string{"- " + cut(was, textShown)}
	}
	if !short(c.Old) || !short(c.New) {
		was, is = rewording(was, is)
	}
	return []string{"- " + cut(was, textShown), "+ " + cut(is, textShown) + pointsIn(c.Old.Text, c.New.Text)}
}

// cut makes a text safe to show, and leaves out what is too long.
func cut(text string, most int) string {
	text = inline(text)
	if utf8.RuneCountInString(text) > most {
		return first(text, most) + "…"
	}
	return text
}

// files lists the files that differ, folded.
func (c *Comparison) files(b *strings.Builder) {
	if len(c.Files) == 0 {
		return
	}
	var list strings.Builder
	for i, file := range c.Files {
		if list.Len() > filesShown {
			fmt.Fprintf(&list, "- and %d more\n", len(c.Files)-i)
			break
		}
		list.WriteString("- " + Code(file) + "\n")
	}
	noun := "files differ"
	if len(c.Files) == 1 {
		noun = "file differs"
	}
	fold(b, fmt.Sprintf("%d %s", len(c.Files), noun), list.String())
}
