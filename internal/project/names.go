package project

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/tree"
)

// inManifest returns the card of each agent that the manifest lists. A manifest that
// does not say which card is the agent's cannot be relied on.
func (e *Edition) inManifest() map[string]string {
	if len(e.Files) == 0 {
		return nil
	}
	name := diag.Span{File: e.Show(tree.ManifestName)}
	data, err := e.Read(tree.ManifestName, tree.MaxManifest)
	if err != nil {
		e.fault(name, "cannot be read: "+files.Reason(err), "")
		return nil
	}
	files, found := tree.Listing(name.File, data)
	if found.Worst() == diag.Error {
		e.Found = append(e.Found, found...)
		return nil
	}
	const hint = "run cardwright verify to compare the directory with its manifest"
	for _, file := range e.Files {
		if _, ok := files[file]; !ok && IsCard(file) {
			e.fault(diag.Span{File: e.Show(file)}, "the manifest beside it does not list the card", hint)
		}
	}
	cards := map[string]string{}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if !IsCard(file) {
			continue
		}
		agent := files[file].Agent
		if first, taken := cards[agent]; taken {
			e.fault(name, fmt.Sprintf("the manifest lists two cards of the agent %s: %s and %s", diag.Quote(agent),
				diag.Quote(first), diag.Quote(file)), hint)
			continue
		}
		cards[agent] = file
	}
	return cards
}

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
		cards[unique(cards, nameAt(file, has, nil), file)] = file
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

// EditionTree is an output tree in a work tree, and whose cards it holds.
type EditionTree struct {
	Dir    string            // slash path below the root of the work tree, "." for all of it
	Agents map[string]string // ids of the agents by their directory in the tree, "" for its root
}

// below returns the path of a file in the tree.
func (t EditionTree) below(file string) (string, bool) {
	if t.Dir == "." {
		return file, true
	}
	return strings.CutPrefix(file, t.Dir+"/")
}

// nameAt is what a card is called by its place: the id of the agent whose
// directory it lies in, or else that directory.
func nameAt(file string, has map[string]bool, trees []EditionTree) string {
	current := path.Join(path.Dir(file), cardName)
	if has[current] && path.Base(file) != cardName {
		return file // not the card of the directory
	}
	var agents map[string]string
	longest := -1
	rest := file
	for _, t := range trees {
		if below, ok := t.below(file); ok && len(t.Dir) > longest {
			rest, longest, agents = below, len(t.Dir), t.Agents
		}
	}
	dir := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(rest, path.Base(rest)), "/"), ".well-known")
	dir = strings.TrimSuffix(dir, "/")
	if id, ok := agents[dir]; ok {
		return id
	}
	return dir
}

func set(files []string) map[string]bool {
	all := make(map[string]bool, len(files))
	for _, file := range files {
		all[file] = true
	}
	return all
}
