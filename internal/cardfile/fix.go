package cardfile

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Fixed is a file after what [Reader.FixAll] could repair of it.
type Fixed struct {
	Rewritten
	// Tree is the output tree that the card is generated into, "" for none. Such
	// a card stays as it is.
	Tree string
	Left []string // a line for each fault that needs more than a fix, with the reason
}

// FixAll repairs the cards that the command line names.
func (r Reader) FixAll(named []string) ([]Fixed, error) {
	var all []Fixed
	for _, name := range named {
		if name == "-" {
			return nil, diag.UsageError("cardwright convert - prints a clean card", "--fix needs files, but stdin is not one")
		}
		files, _ := r.Find(name)
		for _, f := range files {
			text, left := r.fix(f)
			fixed := Fixed{Rewritten: Rewritten{f, text}, Left: left}
			if !fixed.Same() {
				fixed.Tree, _, _ = r.outputTree(f.Name)
			}
			all = append(all, fixed)
		}
	}
	return all, nil
}

// FixSources repairs the files of a project that have findings, which are sorted: the
// headers of SKILL.md files, and in YAML the addresses of gRPC.
func (r Reader) FixSources(found diag.List) []Fixed {
	var all []Fixed
	for len(found) > 0 {
		name, n := found[0].Span.File, 1
		for n < len(found) && found[n].Span.File == name {
			n++
		}
		if before, after := r.fixSource(name, found[:n]); after != nil {
			all = append(all, Fixed{Rewritten: Rewritten{Input{name, before}, after}})
		}
		found = found[n:]
	}
	return all
}

// fixSource returns a source before and after what can be repaired of it, nil where
// nothing can.
func (r Reader) fixSource(name string, found diag.List) (before, after []byte) {
	has := func(rules ...string) bool {
		return slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return slices.Contains(rules, d.Rule) })
	}
	header := has("source-yaml-repaired", "source-frontmatter-opening")
	address := has(ruleGRPC) && slices.Contains([]string{".yaml", ".yml"}, path.Ext(name))
	if !header && !address {
		return nil, nil
	}
	in, file, err := r.Open(name)
	if err != nil {
		return nil, nil // it was read a moment ago, and the next run says why it is not
	}
	before, err = files.ReadFile(in, file, r.Limits.WithDefaults().Card)
	switch {
	case err != nil:
	case header:
		if text, ok := source.FixFrontmatter(name, before, r.Limits); ok {
			return before, text
		}
	default:
		if text, ok := source.Apply(string(before), addresses(string(before), found)); ok {
			return before, []byte(text)
		}
	}
	return nil, nil
}

const ruleGRPC = "interface-url-grpc"

// addresses replaces the URLs of findings by the addresses that gRPC clients dial, where
// a URL stands in the text as it is in the card, and says nothing else. Agents may share
// one.
func addresses(text string, found diag.List) diag.Fix {
	var fix diag.Fix
	for _, d := range found {
		known := slices.ContainsFunc(fix, func(e diag.Edit) bool { return e.Span == d.Span })
		if d.Rule != ruleGRPC || known || d.Span.Line != d.Span.EndLine {
			continue
		}
		_, _ = source.Narrow(text, d.Span, func(old string) (at, length int) {
			url := strings.Trim(old, `"'`)
			if address, certain := schema.GRPCAddress(url); certain {
				fix = append(fix, diag.Edit{Span: d.Span, Text: strings.Replace(old, url, address, 1)})
			}
			return 0, len(old)
		})
	}
	return fix
}

// mostRounds is how often a card is read again to find what a fix has uncovered.
const mostRounds = 5

// fix applies each repair that has one right form by itself and returns the text, with
// a line for each that it does not apply. The rest of the file stays as it is, and
// no fix makes a finding more or another card.
func (r Reader) fix(f Input) (text []byte, left []string) {
	f.Data = slices.Clone(f.Data)
	for range mostRounds {
		root, faults := source.ParseJSONLenient(f.Path(), f.Data, r.Limits.WithDefaults())
		if root == nil || f.isCatalog() || lint.IsCatalog(root) {
			return f.Data, nil
		}
		reading := dialect.Read(root, dialect.ReadOptions{})
		if reading.Card == nil {
			return f.Data, nil
		}
		found := slices.Concat(faults, reading.Found, reading.Missing)
		if root.Get("signatures") != nil {
			if !slices.ContainsFunc(found, fixable) {
				return f.Data, nil
			}
			return f.Data, []string{f.Path() +
				" is not fixed: a fix would void its signatures; fix the unsigned card and sign it again"}
		}
		run := fixing{Reader: r, file: f, before: r.stateOf(f).uncovered()}
		run.apply(found)
		if text, left = run.text(), run.left(root, found); bytes.Equal(text, f.Data) {
			return text, left
		}
		f.Data = text
	}
	return text, left
}

func fixable(d diag.Diagnostic) bool { return len(d.Fixes) > 0 }

// state is what a text must not lose, and of what it must not get more.
type state struct {
	card    *source.Node
	rules   map[string]int  // findings by rule, those of level info aside
	readers map[string]bool // the clients that can use it, and whether they find a requirement in it
}

// stateOf returns the state of a card, also of one that is almost JSON.
func (r Reader) stateOf(f Input) state {
	limits := r.Limits.WithDefaults()
	_, faults := source.ParseJSON(f.Path(), f.Data, limits)
	root, _ := source.ParseJSONLenient(f.Path(), f.Data, limits)
	if root == nil {
		return state{}
	}
	s := state{rules: map[string]int{}, readers: map[string]bool{}}
	for _, client := range dialect.Clients() {
		if card := client.Take(root).Card; card != nil {
			s.readers[client.Name] = s.readers[client.Name] || len(card.Security) > 0
		}
	}
	reading := dialect.Read(root, dialect.ReadOptions{})
	if reading.Card != nil {
		s.card, _ = dialect.Convert(reading, schema.Dual, schema.WireOptions{})
	}
	var byShape schema.Protocol
	for _, d := range slices.Concat(faults, judge(root, byShape)) {
		if d.Severity > diag.Info {
			s.rules[d.Rule]++
		}
	}
	return s
}

// uncovered is the state with the findings that the faults of the text hide: what is found
// in the card once all of it is repaired is no fault of a fix.
func (s state) uncovered() state {
	if s.card == nil {
		return s
	}
	var byShape schema.Protocol
	hidden := map[string]int{}
	for _, d := range judge(s.card, byShape) {
		hidden[d.Rule]++
		s.rules[d.Rule] = max(s.rules[d.Rule], hidden[d.Rule])
	}
	return s
}

// worse names a finding that s has more often than before, or a client that can no longer
// use the card, or says that it is another card. It returns "" for none of these.
func (s state) worse(before state) string {
	if s.card == nil || !s.card.Equal(before.card) {
		return "the card would say something else"
	}
	for _, rule := range slices.Sorted(maps.Keys(s.rules)) {
		if s.rules[rule] > before.rules[rule] {
			return "lint would report " + rule + " then"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before.readers)) {
		switch asked, reads := s.readers[name]; {
		case !reads:
			return name + " could not read the card then"
		case before.readers[name] && !asked:
			return name + " would find no security requirement then"
		}
	}
	return ""
}

// fixing is the work on one text.
type fixing struct {
	Reader
	file    Input
	before  state
	applied []diag.Fix
	refused map[*diag.Edit]string // why, by the first edit of a fix
	trials  int
}

// mostTrials bounds how often one text is judged.
const mostTrials = 200

// apply applies the fixes of findings: all at once where that is right, else each
// half, down to those that are not. What needs another one first comes last.
func (x *fixing) apply(found diag.List) {
	x.refused = map[*diag.Edit]string{}
	var fixes []diag.Fix
	for _, d := range found {
		fixes = append(fixes, d.Fixes...)
	}
	x.half(fixes)
	var again []diag.Fix
	for _, fix := range fixes {
		if x.refused[&fix[0]] != "" {
			again = append(again, fix)
		}
	}
	if len(again) > 1 && len(again) < len(fixes) && x.try(again) == "" {
		clear(x.refused)
	}
}

func (x *fixing) half(fixes []diag.Fix) {
	if len(fixes) == 0 {
		return
	}
	why := x.try(fixes)
	switch {
	case why == "":
	case len(fixes) == 1:
		x.refused[&fixes[0][0]] = why
	default:
		middle := len(fixes) / 2
		x.half(fixes[:middle])
		x.half(fixes[middle:])
	}
}

// try applies fixes beside those that are applied already, and returns why it does
// not, "" when it does.
func (x *fixing) try(fixes []diag.Fix) string {
	if x.trials++; x.trials > mostTrials {
		return "the card has too many faults to try this one; run lint --fix again"
	}
	all := slices.Concat(x.applied, fixes)
	text, ok := source.Apply(string(x.file.Data), all...)
	if !ok {
		return "another fix changes the same place; run lint --fix again"
	}
	why := x.stateOf(Input{Name: x.file.Name, Data: []byte(text)}).worse(x.before)
	if why == "" {
		x.applied = all
	}
	return why
}

func (x *fixing) text() []byte {
	text, _ := source.Apply(string(x.file.Data), x.applied...)
	return []byte(text)
}

// left has a line for each repair of convert that is not applied.
func (x *fixing) left(root *source.Node, found diag.List) []string {
	var lines []string
	for _, d := range found {
		why := ""
		switch {
		case fixable(d):
			for _, fix := range d.Fixes {
				why = cmp.Or(why, x.refused[&fix[0]])
			}
		case d.Rule == "card-duplicate-member":
			why = "clients differ in which one they read, so it is for you to choose"
		case d.Rule == "convert-assumed" || d.Severity == diag.Error || isEmpty(root, d.Pointer):
			why = "a value would have to be made up"
		case d.Rule == "convert-repaired":
			why = "the fix moves other members as well; cardwright convert does it"
		case d.Rule == "convert-dropped":
			why = "something would be lost"
		}
		if why != "" {
			lines = append(lines, fmt.Sprintf("%s: not fixed: %s: %s", d.Span, d.Message, why))
		}
	}
	return lines
}

func isEmpty(root *source.Node, pointer string) bool {
	value, there := root.Find(pointer)
	return there && value.Empty()
}
