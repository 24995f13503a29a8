package cli

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"time"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/edition"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/safefile"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

func (a *app) verifyCommand() *ucli.Command {
	var o verifyOptions
	return &ucli.Command{
		Name:      "verify",
		Usage:     "verify signed cards and output trees",
		UsageText: "cardwright verify [flags] CARD|DIR|URL...",
		Description: `Says of each signature by which key it is good, or why it is refused. One good
signature a card is enough. Keys come from where you say, never from the card.
Of a directory that generate or catalog wrote, everything is checked: files, sidecars,
copies, catalogue, manifest and signatures. A card at a URL is checked with the key set
of its host, and its interfaces have to belong to that host.

Examples:
  cardwright verify agent-card.json --jwks jwks.json
  cardwright verify agent-card.json --jwks-url https://agents.acme.example/.well-known/jwks.json
  cardwright verify dist --key file:card-key.pub.json
  cardwright verify https://agents.acme.example --expect-host acme.example`,
		Flags: append(o.flags(),
			&ucli.StringSliceFlag{Name: "key", Usage: "a key to trust: file:`PATH` or env:NAME (repeatable)"},
			&ucli.StringSliceFlag{Name: "jwks", Usage: "a key set `FILE` to trust (repeatable)"},
			&ucli.StringFlag{Name: "jwks-url", Usage: "fetch the key set to trust from this https `URL`", Destination: &o.url},
			&ucli.StringFlag{Name: "expect-host", Usage: "interfaces and key set have to belong to `HOST` (default: that of the URL)", Destination: &o.host},
			&ucli.StringSliceFlag{Name: "limit", Usage: "raise a bound, `NAME=N`: card, nesting (repeatable)"},
			&ucli.StringFlag{Name: "at", Usage: "check that the keys are valid at this `TIME`, as 2026-11-22T12:00:00Z (default: now)", Destination: &o.at},
			&ucli.BoolFlag{Name: "all", Usage: "every signature has to be good, and every card signed", Destination: &o.all},
		),
		Action: func(c *ucli.Context) error {
			o.keys, o.sets = c.StringSlice("key"), c.StringSlice("jwks")
			limits, err := parseLimits(c.StringSlice("limit"))
			if err != nil {
				return err
			}
			o.limits = limits
			return a.verify(c.Context, &o, c.Args().Slice())
		},
	}
}

// verifyOptions are the flags of verify.
type verifyOptions struct {
	findingOptions
	keys []string
	sets []string
	url  string
	all  bool
	at   string
	host string

	limits source.Limits
}

// trusts tells whether any key was named.
func (o *verifyOptions) trusts() bool { return len(o.keys) > 0 || len(o.sets) > 0 || o.url != "" }

// verified is what became of the signatures of one card.
type verified struct {
	cardfile.File
	verdict sign.Verdict
	results []sign.Result
}

func (a *app) verify(ctx context.Context, o *verifyOptions, names []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if len(names) == 0 {
		return usageError("cardwright verify agent-card.json --jwks jwks.json", "verify needs a card or a directory")
	}
	p, err := a.workplace()
	if err != nil {
		return err
	}
	defer p.close()
	run := &built{options: &o.findingOptions, project: p, given: names}
	keys, found, err := o.trusted(ctx, p)
	if err != nil {
		return err
	}
	run.found = found
	trust := sign.Trust{Keys: keys, At: a.now()}
	if o.at != "" {
		if trust.At, err = time.Parse(time.RFC3339, o.at); err != nil {
			return usageError("for example --at 2026-11-22T12:00:00Z", "--at %s is not a time", diag.Quote(o.at))
		}
	}
	var cards []verified
	for _, name := range names {
		if dir, err := p.folder(name); err == nil {
			cards = append(cards, o.verifyTree(run, dir, trust)...)
			continue
		}
		if u, err := client.HostURL(name); err == nil {
			card, err := o.verifyURL(ctx, run, u, trust)
			if err != nil {
				return err
			}
			cards = append(cards, card)
			continue
		}
		c, err := a.reader(run.project, o.limits).Read(name)
		if err != nil {
			return err
		}
		if !o.trusts() {
			return usageError("--key, --jwks or --jwks-url", "to verify %s, say whose signature to trust", diag.Quote(name))
		}
		cards = append(cards, o.verifyCard(run, c, trust, diag.Error, o.host))
	}
	run.found = o.apply(run.found)
	if o.format == "text" && !a.quiet {
		for _, c := range cards {
			a.tellVerified(c)
		}
	}
	if err := a.printFindings(run, verdicts(cards)...); err != nil {
		return err
	}
	if run.failed() {
		return done(exitFindings)
	}
	return nil
}

// trusted gathers the keys that were named.
func (o *verifyOptions) trusted(ctx context.Context, p *project) ([]sign.Key, diag.List, error) {
	var keys []sign.Key
	var found diag.List
	for _, ref := range o.keys {
		k, more, err := p.readKey(ref)
		if err != nil {
			return nil, nil, err
		}
		keys, found = append(keys, k.Public()), append(found, more...)
	}
	for _, name := range o.sets {
		data, err := p.readSet(name)
		if err != nil {
			return nil, nil, err
		}
		more, faults := sign.ParseJWKS(name, data, source.Limits{})
		keys, found = append(keys, more...), append(found, faults...)
	}
	if o.url != "" {
		data, err := client.Fetch(ctx, o.url)
		if err != nil {
			return nil, nil, usageError("", "%s", err)
		}
		more, faults := sign.ParseJWKS(o.url, data, source.Limits{})
		keys, found = append(keys, more...), append(found, faults...)
	}
	return keys, found, nil
}

func (p *project) readSet(name string) ([]byte, error) {
	file, err := p.read(name, source.Limits{}.WithDefaults().Card)
	if err != nil {
		return nil, usageError("", "cannot read the key set %s: %s", diag.Quote(name), safefile.Reason(err))
	}
	return file.data, nil
}

// verifyTree checks an output tree and the signatures of its cards. Where no
// keys were named, those of the tree show at least that it fits together.
func (o *verifyOptions) verifyTree(run *built, at *paths.Dir, trust sign.Trust) []verified {
	dir := at.Name
	files, found := publish.Verify(at)
	for i, d := range found {
		if path.Base(filepath.ToSlash(d.Span.File)) == tree.ManifestName && files == nil {
			found[i].Hint = d.Hint + "; of a directory that it did not write, name the cards"
		}
	}
	remedy := remedyFor(at)
	for i := range found {
		if found[i].Hint == publish.Remedy {
			found[i].Hint = remedy
		}
	}
	run.found = append(run.found, found...)
	_, _ = run.project.files(at) // so that findings can show the cards
	unsigned := diag.Error
	if !o.trusts() {
		more, faults := ownKeys(dir, files)
		trust.Keys, run.found = append(trust.Keys, more...), append(run.found, faults...)
		if !o.all {
			unsigned = diag.Info
		}
	}
	paths := make(map[string]bool, len(files))
	for _, f := range files {
		paths[f.Path] = true
	}
	digests := discovery.Digests(files)
	var cards []verified
	for _, f := range files {
		if discovery.IsListing(f.Path) {
			run.found = append(run.found, discovery.Check(shown(dir, f), f.Data, digests, remedy)...)
		}
		if standsAlone(f, paths) {
			cards = append(cards, o.verifyCard(run, cardfile.File{Name: shown(dir, f), Data: f.Data}, trust, unsigned, o.host))
		}
	}
	if !o.trusts() && slices.ContainsFunc(cards, func(c verified) bool { return len(c.results) > 0 }) {
		run.found = append(run.found, diag.New("verify-own-keys", diag.Span{File: dir}, "the signatures were held against the key set of the tree itself, which shows that they fit together, and not who made them").
			WithHint("name a key that you trust with --key, --jwks or --jwks-url"))
	}
	return cards
}

// remedyFor is what brings a tree back to what cardwright wrote.
func remedyFor(dir *paths.Dir) string {
	if indexes, others := cardfile.Lists(dir); indexes && !others {
		return "run the cardwright catalog again that wrote it"
	}
	return publish.Remedy
}

// ownKeys are the keys that the tree publishes.
func ownKeys(dir string, files []tree.File) (keys []sign.Key, found diag.List) {
	for _, f := range files {
		if path.Base(f.Path) == "jwks.json" {
			more, faults := sign.ParseJWKS(shown(dir, f), f.Data, source.Limits{})
			keys, found = append(keys, more...), append(found, faults...)
		}
	}
	return keys, found
}

// standsAlone tells whether a file of a tree with these paths is a card, and not
// the copy of one.
func standsAlone(f tree.File, paths map[string]bool) bool {
	dir, base := path.Split(f.Path)
	return edition.IsCard(f.Path) || base == "agent.json" && !paths[dir+"agent-card.json"]
}

func shown(dir string, f tree.File) string { return paths.Join(dir, f.Path) }

// verifyURL checks the card at a URL. Without a key to trust, the key set of the
// host vouches for it: whoever runs the host made the card.
func (o *verifyOptions) verifyURL(ctx context.Context, run *built, u *url.URL, trust sign.Trust) (verified, error) {
	u, err := client.CardURL(u.String())
	if err != nil {
		return verified{}, usageError("", "%s", err)
	}
	data, err := client.Fetch(ctx, u.String())
	if err != nil {
		return verified{}, usageError("", "%s", err)
	}
	if !o.trusts() {
		set := u.ResolveReference(&url.URL{Path: "/.well-known/jwks.json"}).String()
		text, err := client.Fetch(ctx, set)
		if err != nil {
			return verified{}, usageError("name a key that you trust with --key, --jwks or --jwks-url", "%s", err)
		}
		keys, faults := sign.ParseJWKS(set, text, source.Limits{})
		trust.Keys, run.found = keys, append(run.found, faults...)
		run.found = append(run.found, diag.New("verify-own-keys", diag.Span{File: u.String()}, "the signatures were checked against the key set of the same host, which shows that whoever runs the host made the card").
			WithHint("name a key that you trust with --key, --jwks or --jwks-url"))
	}
	return o.verifyCard(run, cardfile.File{Name: u.String(), Data: data}, trust, diag.Error, cmp.Or(o.host, u.Hostname())), nil
}

// verifyCard checks the signatures of one card, and that it belongs to a host, if
// one is given. A card without any is a finding of the given severity.
func (o *verifyOptions) verifyCard(run *built, c cardfile.File, trust sign.Trust, unsigned diag.Severity, host string) verified {
	results, faults := sign.Verify(c.Path(), c.Data, trust, o.limits)
	verdict, found := sign.Judge(results, faults, o.all)
	if verdict == sign.Unsigned {
		found = append(found, diag.New("signature-missing", diag.Span{File: c.Path()}, "the card has no signature").WithSeverity(unsigned).WithHint("cardwright sign"))
	}
	if host != "" {
		found = append(found, sign.CheckHost(c.Path(), c.Data, results, host, o.limits)...)
	}
	run.found = append(run.found, found...)
	return verified{c, verdict, results}
}

func (a *app) tellVerified(c verified) {
	for _, r := range c.results {
		if !r.Good() {
			continue
		}
		line := fmt.Sprintf("%s: good signature by %s (%s, reading %s)", c.Path(), r.Kid, r.Alg, r.Reading)
		if len(r.Uncovered) > 0 {
			line += " of all but " + sign.Few(r.Uncovered)
		}
		a.print(line)
	}
}

// verdicts are what verify adds to the findings in a machine format: one for each
// card, and what became of each signature.
func verdicts(cards []verified) []source.Member {
	judged, list := &source.Node{Kind: source.Array}, &source.Node{Kind: source.Array}
	for _, c := range cards {
		n := &source.Node{Kind: source.Object}
		n.SetText("file", c.Path())
		n.SetText("verdict", string(c.verdict))
		judged.Items = append(judged.Items, n)
		for _, r := range c.results {
			n := &source.Node{Kind: source.Object}
			n.SetText("file", c.Path())
			n.SetText("pointer", r.Pointer)
			n.SetText("alg", string(r.Alg))
			n.SetText("kid", r.Kid)
			n.SetText("jku", r.JKU)
			n.Set("good", source.NewBool(r.Good()))
			n.SetText("reading", string(r.Reading))
			n.SetTexts("uncovered", sign.Pointers(r.Uncovered))
			n.SetText("fault", r.Fault)
			list.Items = append(list.Items, n)
		}
	}
	return []source.Member{{Key: "verdicts", Value: judged}, {Key: "signatures", Value: list}}
}
