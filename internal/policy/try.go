package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/walk"
)

// Trial is how a policy judges an example.
type Trial struct {
	Rule  string // id of the policy
	File  string // the card, as findings spell it
	Fault string // what is wrong, "" where the policy judges as the example wants
}

// String is the trial in a line.
func (t Trial) String() string {
	if t.Fault != "" {
		return fmt.Sprintf("FAIL  %s: %s %s", t.Rule, t.File, t.Fault)
	}
	return fmt.Sprintf("ok    %s: %s", t.Rule, t.File)
}

// Failed counts the trials with a fault.
func Failed(trials []Trial) int {
	n := 0
	for _, t := range trials {
		if t.Fault != "" {
			n++
		}
	}
	return n
}

// Try tries a policy on its examples: cards that are named ok*.json, which it has to
// allow, and bad*.json, which it must not. The findings are about the policy itself.
func Try(p config.Policy, open Open, limits source.Limits) ([]Trial, diag.List) {
	rule, found := Read(p, open, limits)
	if rule == nil {
		return nil, found
	}
	var trials []Trial
	verdicts := map[bool]int{}
	dir, base := path.Split(p.Schema.Value)
	stem, _, _ := strings.Cut(base, ".")
	for _, name := range slices.Compact([]string{path.Join(dir, p.ID), path.Join(dir, stem)}) {
		tree, err := open(name)
		if err != nil {
			continue // it is as far away as the schema, which could be read
		}
		entries, err := fs.ReadDir(tree.FS, tree.Root)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			found = append(found, diag.New("config-file", p.Schema.Span, "the examples %s of the policy %q cannot be read: %s",
				diag.Quote(name), p.ID, safefile.Reason(err)))
		}
		for _, e := range entries {
			ok, _ := path.Match("ok*.json", e.Name())
			bad, _ := path.Match("bad*.json", e.Name())
			if ok || bad {
				verdicts[ok]++
				file := path.Join(tree.Root, e.Name())
				trials = append(trials, Trial{p.ID, tree.Show(file), rule.try(tree, file, ok)})
			}
		}
	}
	for want, name := range map[bool]string{true: "ok*.json", false: "bad*.json"} {
		if verdicts[want] == 0 {
			found = append(found, diag.New("config-file", p.Schema.Span, "the policy %q has no example %s", p.ID, name).
				WithSeverity(diag.Warning).WithHint("add one in "+path.Join(path.Dir(p.Schema.Value), p.ID)))
		}
	}
	return trials, found
}

// try says what is wrong with how the policy judges a card, "" for nothing.
func (p *Policy) try(tree walk.Tree, file string, allowed bool) string {
	limits := source.Limits{}.WithDefaults()
	data, err := safefile.ReadFile(tree.FS, file, limits.Card)
	if err != nil {
		return "cannot be read: " + safefile.Reason(err)
	}
	card, found := source.ParseJSON(tree.Show(file), data, limits)
	if found.Worst() == diag.Error {
		return "is not JSON: " + found[0].Message
	}
	judged := p.Judge(card)
	switch {
	case allowed && len(judged) > 0:
		at, _ := card.Find(judged[0].Pointer)
		return fmt.Sprintf("is refused: %s: %s", at.Span, judged[0].Hint)
	case !allowed && len(judged) == 0:
		return "is allowed"
	}
	return ""
}
