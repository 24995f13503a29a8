package project

import (
	"bytes"
	"cmp"
	"maps"
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

// Snapshot is one side of a comparison: a card, or a tree with cards.
type Snapshot struct {
	Files []string // cards, key sets and lists: slash paths relative to the tree, sorted
	Tree  bool     // and not a single card
	Empty bool     // a directory that has neither a card nor a project
	Read  func(file string, limit int) ([]byte, error)
	Show  func(file string) string // how findings spell a file
	Found diag.List                // why it cannot be compared
}

// Readings are the cards of a snapshot, by agent.
type Readings map[string]*convert.Reading

// sides are the cards as diff compares them, with their paths in a snapshot.
func (r Readings) sides(s *Snapshot) map[string]diff.Side {
	paths := map[string]string{}
	for _, file := range s.Files {
		if s.Tree {
			paths[s.Show(file)] = path.Dir(file)
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
	return site.IsCard(file) || path.Base(file) == legacyName && !site.InSkills(file)
}

// listings are the key sets and lists of a tree, by path. What is no JSON names nothing.
func (s *Snapshot) listings() map[string]diff.Listing {
	all := map[string]diff.Listing{}
	for _, file := range s.Files {
		if !s.Tree || !isList(file) {
			continue
		}
		data, err := s.Read(file, source.MaxCard)
		if err != nil {
			s.fault(diag.Span{File: s.Show(file)}, "cannot be read: "+files.Reason(err), "")
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
func (s *Snapshot) open(files map[string]string) Readings {
	out := Readings{}
	for name, file := range files {
		if r := s.card(file); r != nil {
			out[name] = r
		}
	}
	return out
}

// card reads one card, nil where that cannot be done.
func (s *Snapshot) card(file string) *convert.Reading {
	data, err := s.Read(file, source.MaxCard)
	if err != nil {
		s.fault(diag.Span{File: s.Show(file)}, "cannot be read: "+files.Reason(err), "")
		return nil
	}
	r, found := reading(s.Show(file), data)
	s.Found = append(s.Found, found...)
	return r
}

func (s *Snapshot) fault(at diag.Span, why, hint string) {
	s.Found = append(s.Found, diag.New(diag.InputUnreadable, at, "%s", why).WithHint(hint))
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

// byDirectory returns the card in each directory. The copy for older clients counts
// only where it is alone.
func (s *Snapshot) byDirectory() map[string]string {
	if !s.Tree && len(s.Files) > 0 {
		return map[string]string{"": s.Files[0]}
	}
	has := set(s.Files)
	cards := map[string]string{}
	for _, file := range s.Files {
		if current := path.Join(path.Dir(file), cardName); path.Base(file) == legacyName && has[current] || !IsName(file) {
			continue
		}
		cards[unique(cards, nameAt(file, has), file)] = file
	}
	return cards
}

// addLegacy adds the files for older clients beside the cards of two snapshots, by their
// paths, where one of them says something of its own, or has gone and the card has not.
func addLegacy(older, newer *Snapshot, before, after map[string]string) {
	old, now := set(older.Files), set(newer.Files)
	for name, card := range maps.Clone(before) {
		was, is := beside(card), beside(after[name])
		gone := old[was] && !now[is] && after[name] != ""
		if path.Base(card) != cardName || !gone && older.copied(was, old) && newer.copied(is, now) {
			continue
		}
		if old[was] {
			before[was] = was
		}
		if now[is] {
			after[was] = is
		}
	}
}

// beside is where the file for older clients lies, "" for no card.
func beside(card string) string {
	if card == "" {
		return ""
	}
	return path.Join(path.Dir(card), legacyName)
}

// unique returns a name that is not taken: the path of the file where another
// file is called the same.
func unique(taken map[string]string, name, file string) string {
	if _, ok := taken[name]; ok {
		return file
	}
	return name
}

// nameAt is what a card is called by its place: the directory that it is the card of.
func nameAt(file string, has map[string]bool) string {
	current := path.Join(path.Dir(file), cardName)
	if has[current] && path.Base(file) != cardName {
		return file // not the card of the directory
	}
	dir := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(file, path.Base(file)), "/"), ".well-known")
	return strings.TrimSuffix(dir, "/")
}

// copied reports whether a file for older clients has nothing to say of its own:
// it is a copy of the card beside it, or is not there.
func (s *Snapshot) copied(legacy string, has map[string]bool) bool {
	if !has[legacy] {
		return true
	}
	card := path.Join(path.Dir(legacy), cardName)
	if !has[card] {
		return false
	}
	a, errA := s.Read(card, source.MaxCard)
	b, errB := s.Read(legacy, source.MaxCard)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

func set(files []string) map[string]bool {
	all := make(map[string]bool, len(files))
	for _, file := range files {
		all[file] = true
	}
	return all
}
