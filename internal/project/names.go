package project

import (
	"bytes"
	"maps"
	"path"
	"strings"

	"cardwright/internal/source"
)

// byDirectory returns the card in each directory. The copy for older clients counts
// only where it is alone.
func (e *Edition) byDirectory() map[string]string {
	if !e.Tree && len(e.Files) > 0 {
		return map[string]string{"": e.Files[0]}
	}
	has := set(e.Files)
	cards := map[string]string{}
	for _, file := range e.Files {
		if current := path.Join(path.Dir(file), cardName); path.Base(file) == legacyName && has[current] || !IsName(file) {
			continue
		}
		cards[unique(cards, nameAt(file, has), file)] = file
	}
	return cards
}

// addLegacy adds the files for older clients beside the cards of two editions, by their
// paths, where one of them says something of its own, or has gone and the card has not.
func addLegacy(older, newer *Edition, before, after map[string]string) {
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
func (e *Edition) copied(legacy string, has map[string]bool) bool {
	if !has[legacy] {
		return true
	}
	card := path.Join(path.Dir(legacy), cardName)
	if !has[card] {
		return false
	}
	a, errA := e.Read(card, source.MaxCard)
	b, errB := e.Read(legacy, source.MaxCard)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

func set(files []string) map[string]bool {
	all := make(map[string]bool, len(files))
	for _, file := range files {
		all[file] = true
	}
	return all
}
