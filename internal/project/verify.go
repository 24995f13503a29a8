package project

import (
	"fmt"
	"path"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/publish"
	"cardwright/internal/sign"
	"cardwright/internal/site"
)

// Verifier verifies the signatures of cards.
type Verifier struct {
	Trust sign.Trust
	Named bool // the command line names the keys to trust
}

// Verified is what became of the signatures of one card.
type Verified struct {
	Input
	Verdict sign.Verdict
	Results []sign.Result
}

// Good names in a line each the keys that good signatures are by.
func (v Verified) Good() []string {
	var lines []string
	for _, r := range v.Results {
		if r.Good() {
			lines = append(lines, fmt.Sprintf("%s: good signature by %s (%s)", v.Path(), r.Kid, r.Alg))
		}
	}
	return lines
}

const nameKeys = "pass a key that you trust with --key or --jwks"

// Verify verifies what one argument names: a card or an output tree.
func (r Reader) Verify(v Verifier, name string) ([]Verified, diag.List, error) {
	if dir, err := r.Workspace.Folder(name); err == nil {
		cards, found := v.tree(dir)
		_, _ = r.Workspace.Files(dir) // so that findings can show the cards
		return cards, found, nil
	}
	file, err := r.Read(name)
	switch {
	case err != nil:
		return nil, nil, err
	case !v.Named:
		return nil, nil, diag.UsageError("--key or --jwks", "verify %s needs a key to trust", diag.Quote(name))
	}
	card, found := v.card(file, diag.Error)
	return []Verified{card}, found, nil
}

// card verifies one card. One without a signature is a finding of the given
// severity.
func (v Verifier) card(f Input, unsigned diag.Severity) (Verified, diag.List) {
	verdict, results, found := sign.Verify(f.Path(), f.Data, v.Trust)
	if verdict == sign.Unsigned {
		found = append(found, diag.New(diag.SignatureMissing, diag.Span{File: f.Path()}, "the card has no signature").
			WithSeverity(unsigned).
			WithHint("cardwright sign"))
	}
	return Verified{f, verdict, results}, found
}

// tree checks an output tree and verifies its cards. Where no keys were named,
// the keys of the tree show at least that it fits together.
func (v Verifier) tree(dir *files.Dir) (cards []Verified, found diag.List) {
	published, found := publish.Verify(dir)
	unsigned := diag.Error
	if !v.Named {
		own, faults := ownKeys(dir, published)
		v.Trust.Keys, found = append(v.Trust.Keys, own...), append(found, faults...)
		if !v.Trust.All {
			unsigned = diag.Info
		}
	}
	for _, f := range published {
		if isName(f.Path) {
			card, more := v.card(Input{Name: files.Join(dir.Name, f.Path), Data: f.Data}, unsigned)
			cards, found = append(cards, card), append(found, more...)
		}
	}
	if !v.Named && slices.ContainsFunc(cards, func(c Verified) bool { return len(c.Results) > 0 }) {
		found = append(found, diag.New(diag.VerifyOwnKeys, diag.Span{File: dir.Name},
			"the signatures were checked against the tree's own keys: they do not prove who made them").
			WithHint(nameKeys))
	}
	return cards, found
}

// ownKeys are the keys that the tree publishes.
func ownKeys(dir *files.Dir, published []site.File) (keys []sign.Key, found diag.List) {
	for _, f := range published {
		if path.Base(f.Path) == path.Base(site.KeySetPath) && !site.InSkills(f.Path) {
			more, faults := sign.ParseJWKS(files.Join(dir.Name, f.Path), f.Data)
			keys, found = append(keys, more...), append(found, faults...)
		}
	}
	return keys, found
}
