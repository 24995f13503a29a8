package cardfile

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/files"
	"cardwright/internal/project"
	"cardwright/internal/publish"
	"cardwright/internal/sign"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// Verifier verifies the signatures of cards.
type Verifier struct {
	Trust  sign.Trust
	Named  bool   // somebody has named the keys to trust
	All    bool   // every signature has to be good
	Host   string // that the card has to belong to, "" for any
	Limits source.Limits
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
		if !r.Good() {
			continue
		}
		line := fmt.Sprintf("%s: good signature by %s (%s, reading %s)", v.Path(), r.Kid, r.Alg, r.Reading)
		if len(r.Uncovered) > 0 {
			line += " of all but " + sign.Few(r.Uncovered)
		}
		lines = append(lines, line)
	}
	return lines
}

const nameKeys = "pass a key that you trust with --key, --jwks or --jwks-url"

// Verify verifies what one argument names: a card, an output tree or the card at a
// URL.
func (r Reader) Verify(ctx context.Context, v Verifier, name string) ([]Verified, diag.List, error) {
	if dir, err := r.space.Folder(name); err == nil {
		cards, found := v.tree(dir)
		_, _ = r.space.Files(dir) // so that findings can show the cards
		return cards, found, nil
	}
	var card Verified
	var found diag.List
	if u, err := client.HostURL(name); err == nil {
		if u, err = client.CardURL(u.String()); err != nil {
			return nil, nil, diag.UsageError("", "%s", err)
		}
		card, found, err = v.served(u, func(address string) ([]byte, error) { return client.Fetch(ctx, address) })
		return []Verified{card}, found, err
	}
	file, err := r.Read(name)
	switch {
	case err != nil:
		return nil, nil, err
	case !v.Named:
		if d := v.missing(file); d.Span.Line > 0 { // a bundle, for which no key is of use
			return nil, diag.List{d.WithSeverity(diag.Error)}, nil
		}
		return nil, nil, diag.UsageError("--key, --jwks or --jwks-url", "verify %s needs a key to trust",
			diag.Quote(name))
	}
	card, found = v.Card(file)
	return []Verified{card}, found, nil
}

// Card verifies one card, which needs a signature.
func (v Verifier) Card(f Input) (Verified, diag.List) { return v.card(f, diag.Error) }

// card verifies one card. One without a signature is a finding of the given
// severity.
func (v Verifier) card(f Input, unsigned diag.Severity) (Verified, diag.List) {
	results, faults := sign.Verify(f.Path(), f.Data, v.Trust, v.Limits)
	verdict, found := sign.Judge(results, faults, v.All)
	if verdict == sign.Unsigned {
		found = append(found, v.missing(f).WithSeverity(unsigned))
	}
	if v.Host != "" {
		found = append(found, sign.CheckHost(f.Path(), f.Data, results, v.Host, v.Limits)...)
	}
	return Verified{f, verdict, results}, found
}

// missing says that a card has no signature of A2A, and where another kind of
// signature stands instead how to check that.
func (v Verifier) missing(f Input) diag.Diagnostic {
	root, _ := source.ParseJSON(f.Path(), f.Data, v.Limits)
	bundle, how := dialect.Sigstore(root)
	if bundle == nil {
		return diag.New("signature-missing", diag.Span{File: f.Path()}, "the card has no signature").
			WithHint("cardwright sign")
	}
	return diag.New("signature-missing", bundle.Span,
		"the signature is a Sigstore bundle, which is not checked here: only signatures of A2A are").
		WithHint(fmt.Sprintf(how, path.Base(f.Path())))
}

// served verifies the card at a URL. Without a key to trust, it uses the key
// set of the host, which fetch gets: that proves only that the owner of the
// host made the card.
func (v Verifier) served(u *url.URL, fetch func(address string) ([]byte, error)) (Verified, diag.List, error) {
	data, err := fetch(u.String())
	if err != nil {
		return Verified{}, nil, diag.UsageError("", "%s", err)
	}
	var found diag.List
	if !v.Named {
		set := u.ResolveReference(&url.URL{Path: "/" + tree.KeySetPath}).String()
		text, err := fetch(set)
		if err != nil {
			return Verified{}, nil, diag.UsageError(nameKeys, "%s", err)
		}
		v.Trust.Keys, found = sign.ParseJWKS(set, text, source.Limits{})
		found = append(found, diag.New("verify-own-keys", diag.Span{File: u.String()},
			"the signatures were checked against the keys of the same host: "+
				"they prove only that the owner of the host made the card").
			WithHint(nameKeys))
	}
	v.Host = cmp.Or(v.Host, u.Hostname())
	card, more := v.Card(Input{Name: u.String(), Data: data})
	return card, append(found, more...), nil
}

// tree checks an output tree and verifies its cards. Where no keys were named,
// those of the tree show at least that it fits together.
func (v Verifier) tree(dir *files.Dir) (cards []Verified, found diag.List) {
	published, _, found := publish.Verify(dir)
	for i, d := range found {
		if path.Base(filepath.ToSlash(d.Span.File)) == tree.ManifestName && published == nil {
			found[i].Hint = d.Hint + "; of a directory that it did not write, name the cards"
		}
	}
	unsigned := diag.Error
	if !v.Named {
		own, faults := ownKeys(dir, published)
		v.Trust.Keys, found = append(v.Trust.Keys, own...), append(found, faults...)
		if !v.All {
			unsigned = diag.Info
		}
	}
	byPath := make(map[string]tree.File, len(published))
	for _, f := range published {
		byPath[f.Path] = f
	}
	digests := site.Digests(published)
	for _, f := range published {
		name := files.Join(dir.Name, f.Path)
		if site.IsListing(f.Path) {
			found = append(found, site.Check(name, f.Data, digests, publish.Remedy)...)
		}
		if site.IsSkillIndex(f.Path) {
			found = append(found, site.CheckSkills(name, f, byPath, publish.Remedy)...)
		}
		if standsAlone(f, byPath) {
			card, more := v.card(Input{Name: name, Data: f.Data}, unsigned)
			cards, found = append(cards, card), append(found, more...)
		}
	}
	if !v.Named && slices.ContainsFunc(cards, func(c Verified) bool { return len(c.Results) > 0 }) {
		found = append(found, diag.New("verify-own-keys", diag.Span{File: dir.Name},
			"the signatures were checked against the tree's own keys: they do not prove who made them").
			WithHint(nameKeys))
	}
	return cards, found
}

// ownKeys are the keys that the tree publishes.
func ownKeys(dir *files.Dir, published []tree.File) (keys []sign.Key, found diag.List) {
	for _, f := range published {
		if path.Base(f.Path) == path.Base(tree.KeySetPath) && !tree.InSkills(f.Path) {
			more, faults := sign.ParseJWKS(files.Join(dir.Name, f.Path), f.Data, source.Limits{})
			keys, found = append(keys, more...), append(found, faults...)
		}
	}
	return keys, found
}

// standsAlone reports whether a file of a tree with these paths is a card, and not
// the copy of one.
func standsAlone(f tree.File, files map[string]tree.File) bool {
	dir, base := path.Split(f.Path)
	card, ok := files[dir+path.Base(tree.CardPath)]
	return project.IsCard(f.Path) || project.IsName(f.Path) && base == "agent.json" &&
		(!ok || !bytes.Equal(card.Data, f.Data))
}

// Verdicts are what a report says in a machine format: one for each card, and
// what became of each signature.
func Verdicts(cards []Verified) []source.Member {
	judged, list := source.ArrayOf(), source.ArrayOf()
	for _, c := range cards {
		judged.Items = append(judged.Items, source.ObjectOf("file", c.Path(), "verdict", string(c.Verdict)))
		for _, r := range c.Results {
			list.Items = append(list.Items, source.ObjectOf(
				"file", c.Path(),
				"pointer", r.Pointer,
				"alg", string(r.Alg),
				"kid", r.Kid,
				"jku", r.JKU,
				"good", r.Good(),
				"reading", string(r.Reading),
				"uncovered", sign.Pointers(r.Uncovered),
				"fault", r.Fault,
			))
		}
	}
	return []source.Member{{Key: "verdicts", Value: judged}, {Key: "signatures", Value: list}}
}
