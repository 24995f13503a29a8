package project

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/sign"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// Lint checks the cards and lists that an argument names, a card by the
// protocol version that its shape shows.
func (r Reader) Lint(name string) diag.List {
	files, found := r.find(name, isList)
	trees := map[string][]lint.Named{}
	seen, roots := pairs{}, map[string]string{}
	for _, f := range files {
		if r.Cards != nil {
			r.Cards.Add(1)
		}
		if d, ok := f.source(); ok {
			found = append(found, d)
			continue
		}
		d := site.Read(f.Path(), f.Data, r.listed(f))
		if found = append(found, d.Found...); d.Kind != site.Card && d.Kind != site.Unknown {
			continue
		}
		card := d.Root
		found = append(append(found, lintCard(card)...), dialectOf(f, card)...)
		if card != nil {
			found = append(found, seen.check(f, card)...)
			tree, agent := r.place(f, roots)
			trees[tree] = append(trees[tree], lint.Named{Agent: agent, Card: card})
		}
	}
	for _, tree := range trees {
		found = append(found, lint.Tree(tree)...)
	}
	return found
}

// place is the output tree that a card is in, and the directory of its agent
// there: the tree is where the manifest is, or the card itself without one. Roots
// holds the trees of directories that were asked about before.
func (r Reader) place(f Input, roots map[string]string) (root, agent string) {
	dir := path.Dir(f.Path())
	agent = strings.TrimSuffix(dir, "/.well-known")
	if root = r.rootOf(agent, roots); root == "" {
		return f.Path(), dir
	}
	return root, agent
}

func (r Reader) rootOf(dir string, roots map[string]string) string {
	root, known := roots[dir]
	switch {
	case known:
		return root
	case r.Workspace.Has(filepath.FromSlash(files.Join(dir, site.ManifestName))):
		root = dir
	case dir != path.Dir(dir):
		root = r.rootOf(path.Dir(dir), roots)
	}
	roots[dir] = root
	return root
}

// pairs are the cards that have been checked, by directory.
type pairs map[string]*source.Node

// check checks a card by the one of the same directory that came before it:
// agent-card.json comes before agent.json.
func (p pairs) check(f Input, card *source.Node) diag.List {
	dir, base := path.Split(f.Path())
	switch base {
	case path.Base(site.CardPath):
		p[dir] = card
	case path.Base(site.LegacyCardPath):
		if newer := p[dir]; newer != nil {
			return lint.Pair(newer, card)
		}
	}
	return nil
}

// source reports a file that cards are made from, which is not a card itself.
func (f Input) source() (diag.Diagnostic, bool) {
	var what string
	switch base := path.Base(f.Path()); {
	case strings.EqualFold(base, "SKILL.md"):
		what = "a skill"
	case slices.Contains(config.FileNames(), base):
		what = "the configuration of cardwright"
	default:
		return diag.Diagnostic{}, false
	}
	return diag.New(diag.CardForeign, diag.Top(f.Path()), "not an agent card: it is %s", what).
		WithHint("to check the skills and the configuration of a project, run cardwright lint without arguments"), true
}

// dialectOf names the dialect of a card that is not A2A, and what convert would
// repair. It also reads text that is almost JSON.
func dialectOf(f Input, card *source.Node) diag.List {
	var slips diag.List
	if card == nil {
		if card, slips = source.ParseJSONLenient(f.Path(), f.Data); slips.Worst() == diag.Error {
			return nil
		}
	}
	if d, ok := convert.Summary(convert.Read(card, convert.ReadOptions{}), len(slips)); ok {
		return diag.List{d}
	}
	return nil
}

// lintCard returns the findings about a card, and about its signatures if it has
// no errors: a card with errors must be signed again anyway. A member that
// verifiers read differently is not reported as unknown or empty as well.
func lintCard(card *source.Node) diag.List {
	extended := card != nil && path.Base(card.Span.File) == site.ExtendedCardName
	found := lint.Card(card, lint.Options{Extended: extended})
	if card.Get("signatures").Empty() || found.Worst() == diag.Error {
		return found
	}
	hazards := sign.Hazards(card)
	malformed := map[string]bool{}
	for _, d := range hazards {
		malformed[d.Pointer] = true
	}
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return malformed[d.Pointer] && (d.Rule == diag.CardMemberUnknown || d.Rule == diag.CapabilityUnknown ||
			d.Rule == diag.CardEmptyOptional)
	})
	return append(found, hazards...)
}
