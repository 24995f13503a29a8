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
	Dir   string            // of the tree, as findings spell it
	Out   string            // of a project: its output directory, relative to it
	Files map[string][]byte // cards, key sets and lists, by slash paths relative to the tree
	Tree  bool              // and not a single card
	Empty bool              // a directory that has neither a card nor a project
	Found diag.List         // why it cannot be compared
}

// The names of cards in a tree.
var (
	cardName   = path.Base(site.CardPath)
	legacyName = path.Base(site.LegacyCardPath) // a copy for older clients, as a rule
)

// isName reports whether a file has the name of a card, its copy included.
func isName(file string) bool {
	return site.IsCard(file) || path.Base(file) == legacyName && !site.InSkills(file)
}

// names are the paths of the files, sorted.
func (s *Snapshot) names() []string { return slices.Sorted(maps.Keys(s.Files)) }

// show spells a file as findings do.
func (s *Snapshot) show(file string) string {
	if s.Dir == "" {
		return file
	}
	return files.Join(s.Dir, file)
}

func (s *Snapshot) fault(file, why, hint string) {
	s.Found = append(s.Found, diag.New(diag.InputUnreadable, diag.Span{File: s.show(file)}, "%s", why).WithHint(hint))
}

// rebase takes the files in the output directory of a project for the tree, where that is the
// other side, and this one is its directory without the configuration.
func (s *Snapshot) rebase(out string) {
	tree := map[string][]byte{}
	for file, data := range s.Files {
		if file, ok := strings.CutPrefix(file, out+"/"); ok && out != "" && s.Out == "" {
			tree[file] = data
		}
	}
	if len(tree) > 0 {
		s.Dir, s.Files = files.Join(s.Dir, out), tree
	}
}

// listings are the key sets and lists of a tree, by path. What is no JSON names nothing.
func (s *Snapshot) listings() map[string]diff.Listing {
	all := map[string]diff.Listing{}
	for file, data := range s.Files {
		if !s.Tree || !isList(file) {
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

// read reads cards, by what they are called. What keeps one from being read is noted.
func (s *Snapshot) read(cards map[string]string) (sides map[string]diff.Side, readings map[string]*convert.Reading) {
	sides, readings = map[string]diff.Side{}, map[string]*convert.Reading{}
	for name, file := range cards {
		r, found := reading(s.show(file), s.Files[file])
		s.Found = append(s.Found, found...)
		if r == nil {
			continue
		}
		dir := ""
		if s.Tree {
			dir = path.Dir(file)
		}
		sides[name], readings[name] = side(r, dir), r
	}
	return sides, readings
}

// side is a card as diff compares it, at a path of its tree, "" where that does not matter.
func side(card *convert.Reading, path string) diff.Side {
	return diff.Side{Card: card.Card, Document: card.Document(), Pointer: card.Pointer, Path: path}
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
	cards := map[string]string{}
	for _, file := range s.names() {
		current := path.Join(path.Dir(file), cardName)
		_, has := s.Files[current]
		switch base := path.Base(file); {
		case !s.Tree:
			return map[string]string{"": file}
		case base == legacyName && has || !isName(file):
		case base != cardName && has:
			cards[file] = file // not the card of the directory
		default:
			name := agentAt(file)
			if _, taken := cards[name]; taken {
				name = file
			}
			cards[name] = file
		}
	}
	return cards
}

// agentAt is what a card is called by its path: the directory that it is the card of.
func agentAt(file string) string {
	dir := strings.TrimSuffix(path.Dir(file), ".well-known")
	return strings.Trim(strings.TrimSuffix(dir, "."), "/")
}

// addLegacy adds the files for older clients beside the cards of two snapshots, by their
// paths, where one of them says something of its own, or has gone and the card has not.
func addLegacy(older, newer *Snapshot, before, after map[string]string) {
	for name, card := range maps.Clone(before) {
		if path.Base(card) != cardName || after[name] == "" {
			continue
		}
		was, is := path.Join(path.Dir(card), legacyName), path.Join(path.Dir(after[name]), legacyName)
		gone := older.Files[was] != nil && newer.Files[is] == nil
		if !gone && older.copied(was) && newer.copied(is) {
			continue
		}
		if older.Files[was] != nil {
			before[was] = was
		}
		if newer.Files[is] != nil {
			after[was] = is
		}
	}
}

// copied reports whether a file for older clients has nothing to say of its own:
// it is a copy of the card beside it, or is not there.
func (s *Snapshot) copied(legacy string) bool {
	data, ok := s.Files[legacy]
	card, hasCard := s.Files[path.Join(path.Dir(legacy), cardName)]
	return !ok || hasCard && bytes.Equal(card, data)
}
