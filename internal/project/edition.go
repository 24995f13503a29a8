package project

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/files"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// Edition is one side of a comparison: a card, or a tree with cards.
type Edition struct {
	Files []string // cards, key sets and lists: slash paths relative to the tree, sorted
	Tree  bool     // and not a single card
	Read  func(file string, limit int) ([]byte, error)
	Show  func(file string) string // how findings spell a file
	Found diag.List                // why it cannot be compared
}

// Readings are the cards of an edition, by agent.
type Readings map[string]*convert.Reading

// sides are the cards as diff compares them, with their paths in an edition.
func (r Readings) sides(e *Edition) map[string]diff.Side {
	paths := map[string]string{}
	for _, file := range e.Files {
		if e.Tree {
			paths[e.Show(file)] = path.Dir(file)
		}
	}
	list := make(map[string]diff.Side, len(r))
	for agent, card := range r {
		list[agent] = side(card, paths[card.Place("").File])
	}
	return list
}

// side is a card as diff compares it, at a path of its tree, "" where that does not matter.
func side(card *convert.Reading, path string) diff.Side {
	return diff.Side{Card: card.Card, Document: card.Document(), Pointer: card.Pointer, Path: path}
}

// Place is where a value of the document of an agent's card stands, none where there is no
// such card.
func (r Readings) Place(agent, pointer string) diag.Span {
	if card, ok := r[agent]; ok {
		return card.Span(pointer)
	}
	return diag.Span{}
}

// The names of cards in a tree.
var (
	cardName   = path.Base(site.CardPath)
	legacyName = path.Base(site.LegacyCardPath) // a copy for older clients, as a rule
)

// IsName reports whether a file has the name of a card, its copy included.
func IsName(file string) bool {
	return IsCard(file) || path.Base(file) == legacyName && !site.InSkills(file)
}

// IsCard reports whether a file of an output tree is a card, and not the copy for
// older clients.
func IsCard(file string) bool {
	base := path.Base(file)
	return (base == cardName || base == site.ExtendedCardName) && !site.InSkills(file)
}

// isListing reports whether a file of a tree is a key set or a list.
func isListing(file string) bool {
	return slices.ContainsFunc([]string{site.KeySetPath, site.CatalogPath, site.SkillsDir + "/" + site.SkillsIndexName},
		func(name string) bool { return file == name || strings.HasSuffix(file, "/"+name) })
}

// listings are the key sets and lists of a tree, by path. What is no JSON names nothing.
func (e *Edition) listings() map[string]diff.Listing {
	all := map[string]diff.Listing{}
	for _, file := range e.Files {
		if !e.Tree || !isListing(file) {
			continue
		}
		data, err := e.Read(file, source.MaxCard)
		if err != nil {
			e.fault(diag.Span{File: e.Show(file)}, "cannot be read: "+files.Reason(err), "")
			continue
		}
		l := diff.Listing{Data: string(data)}
		root, _ := source.ParseJSON(file, data)
		for _, m := range root.Fields() {
			for _, item := range m.Value.Elements() {
				name := cmp.Or(item.Get("kid").Word(), item.Get("identifier").Word(), item.Get("name").Word())
				l.Names = append(l.Names, name)
			}
		}
		all[file] = l
	}
	return all
}

// open reads cards, by what they are called. What keeps one from being read is
// noted.
func (e *Edition) open(files map[string]string) Readings {
	out := Readings{}
	for name, file := range files {
		if r := e.card(file); r != nil {
			out[name] = r
		}
	}
	return out
}

// card reads one card, nil where that cannot be done.
func (e *Edition) card(file string) *convert.Reading {
	data, err := e.Read(file, source.MaxCard)
	if err != nil {
		e.fault(diag.Span{File: e.Show(file)}, "cannot be read: "+files.Reason(err), "")
		return nil
	}
	r, found := reading(e.Show(file), data)
	e.Found = append(e.Found, found...)
	return r
}

func (e *Edition) fault(at diag.Span, why, hint string) {
	e.Found = append(e.Found, diag.New(diag.InputUnreadable, at, "%s", why).WithHint(hint))
}

// reading reads a card, or says why it cannot be read. Of members that are defined
// twice, each client has its own opinion.
func reading(name string, data []byte) (*convert.Reading, diag.List) {
	root, found := source.ParseJSON(name, data)
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Rule == diag.CardDuplicateMember })
	if found.Worst() == diag.Error {
		return nil, found
	}
	r := convert.Read(root, convert.ReadOptions{Stated: true})
	if r.Card == nil {
		return nil, r.Found
	}
	return r, nil
}
