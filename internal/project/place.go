package project

import (
	"bytes"
	"path"
	"slices"
)

// InPlace opens two states of one work tree. A card is compared with what stands
// at its own path in the other: who proposes a change may not say in a manifest or
// a configuration which card takes the place of which, and one that is gone from
// its place is gone, or has moved, where its agent has a card in a new place. Trees name
// the agents, the first one that knows a card. With two trees, the first one of the
// commit, cards have moved from it to the other.
func InPlace(older, newer *Edition, trees []EditionTree) (before, after Readings) {
	old, now := set(older.Files), set(newer.Files)
	all := slices.Clone(older.Files) // which have the names first
	for _, file := range newer.Files {
		if !old[file] {
			all = append(all, file)
		}
	}
	either := set(all)
	taken, oldCards, newCards := map[string]string{}, map[string]string{}, map[string]string{}
	for _, file := range all {
		if !IsName(file) || path.Base(file) == legacyName && !lost(file, old, now) && older.copied(file, old) &&
			newer.copied(file, now) {
			continue
		}
		name := nameAt(file, either, trees)
		if first, known := taken[name]; !known || now[first] || old[file] {
			name = unique(taken, name, file)
		}
		taken[name] = file
		if other, ok := moved(file, trees); ok && old[file] && now[file] && !old[other] {
			// A file at the old place is not the one that is published.
			oldCards[other] = file
		}
		if old[file] {
			oldCards[name] = file
		}
		if now[file] {
			newCards[name] = file
		}
	}
	return older.open(oldCards), newer.open(newCards)
}

// moved returns where a file of the first tree lies in the second.
func moved(file string, trees []EditionTree) (string, bool) {
	if len(trees) < 2 {
		return "", false
	}
	below, ok := trees[0].below(file)
	return path.Join(trees[1].Dir, below), ok
}

// lost reports whether a file for older clients is gone, and the card beside it is
// not.
func lost(legacy string, old, now map[string]bool) bool {
	return old[legacy] && !now[legacy] && now[path.Join(path.Dir(legacy), cardName)]
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
	limit := e.Limits.WithDefaults().Card
	a, errA := e.Read(card, limit)
	b, errB := e.Read(legacy, limit)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
