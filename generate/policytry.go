package generate

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/internal/walk"
)

// Try tries a policy on its examples: cards that are named ok*.json, which it has to
// allow, and bad*.json, which it must not. The findings are about the policy itself
// and, as policy-example, about examples that it judges wrongly.
// An error is that of the context.
func (s *PolicySet) Try(ctx context.Context, p config.Policy) (found diag.List, err error) {
	rule, _ := s.get(p) // what is wrong with it is reported where cards are checked
	if rule == nil {
		return nil, nil
	}
	verdicts := map[bool]int{}
	dir, base := path.Split(p.Schema.Value)
	stem, _, _ := strings.Cut(base, ".")
	for _, name := range slices.Compact([]string{path.Join(dir, p.ID), path.Join(dir, stem)}) {
		tree, err := s.open(name, p.Schema.Span)
		if err != nil {
			continue // it is as far away as the schema, which could be read
		}
		entries, err := fs.ReadDir(tree.FS, tree.Root)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			found = append(found, diag.New("config-file", p.Schema.Span, "the examples %s of the policy %q cannot be read: %s",
				diag.Quote(name), p.ID, files.Reason(err)))
		}
		for _, e := range entries {
			ok, _ := path.Match("ok*.json", e.Name())
			bad, _ := path.Match("bad*.json", e.Name())
			if ok || bad {
				verdicts[ok]++
				judged, err := rule.try(ctx, tree, path.Join(tree.Root, e.Name()), ok)
				if errors.Is(err, jsonschema.ErrMatched) {
					return append(found, diag.New("config-value", p.Schema.Span, "%s", err)), nil
				}
				if err != nil {
					return nil, err
				}
				found = append(found, judged...)
			}
		}
	}
	if verdicts[true]+verdicts[false] == 0 {
		return found, nil
	}
	for _, name := range []string{"ok*.json", "bad*.json"} {
		if verdicts[name == "ok*.json"] == 0 {
			found = append(found, diag.New("policy-example", p.Schema.Span, "the policy %q has no example %s", p.ID, name).
				WithSeverity(diag.Warning).WithHint("add one in "+path.Join(path.Dir(p.Schema.Value), p.ID)))
		}
	}
	return found, nil
}

// try reports an example that the policy does not judge as its name says.
func (p *Policy) try(ctx context.Context, tree walk.Tree, file string, allowed bool) (diag.List, error) {
	limits := source.Limits{}.WithDefaults()
	shown := tree.Show(file)
	data, err := files.ReadFile(tree.FS, file, limits.Card)
	if err != nil {
		return diag.List{diag.New("policy-example", diag.Span{File: shown}, "the example cannot be read: %s",
			files.Reason(err))}, nil
	}
	card, found := source.ParseJSON(shown, data, limits)
	if found.Worst() == diag.Error {
		return found, nil
	}
	judged, err := p.Judge(ctx, card)
	switch {
	case err != nil:
		return nil, err
	case allowed && len(judged) > 0:
		at, _ := card.Find(judged[0].Pointer)
		return diag.List{diag.New("policy-example", at.Span, "the policy %q refuses this example, but must allow it", p.ID).
			WithHint(judged[0].Hint)}, nil
	case !allowed && len(judged) == 0:
		return diag.List{diag.New("policy-example", diag.Top(shown), "the policy %q allows this example, but must refuse it",
			p.ID).WithHint("correct the policy, or rename the example to ok*.json")}, nil
	}
	return nil, nil
}
