package cli

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/discovery"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

func (a *app) signCommand() *ucli.Command {
	var o signOptions
	return &ucli.Command{
		Name:      "sign",
		Usage:     "sign cards",
		UsageText: "cardwright sign [flags] CARD...",
		Description: `Puts a signature (A2A 1.0, section 8.4) into each card, in place of one by the same
key. In an output tree, sidecars, copies, catalogue, page and manifest follow. A
card that verifiers read differently is refused. With - the card comes from
standard input and goes to standard output.

Examples:
  cardwright sign --key file:card-key.pem agent-card.json
  cardwright sign --key env:CARD_KEY --kid billing-2026 dist/.well-known/agent-card.json
  cardwright sign --print-input --kid cards-2026 --alg ES256 agent-card.json > input
  cardwright sign --attach file:input.sig --kid cards-2026 --alg ES256 --key file:pub.pem agent-card.json`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "key", Usage: "the private key: file:`PATH` or env:NAME", Destination: &o.key},
			&ucli.StringFlag{Name: "kid", Usage: "`NAME` of the key (default: its own, or its thumbprint)", Destination: &o.sign.Kid},
			&ucli.StringFlag{Name: "alg", Usage: "`ALG` that the key must be for: ES256, ES384, ES512, EdDSA or RS256", Destination: &o.alg},
			&ucli.StringFlag{Name: "jku", Usage: "`URL` of the key set, written into the signature", Destination: &o.sign.JKU},
			&ucli.StringFlag{Name: "compat", Usage: "`WHAT` sdk adds a second signature for a2a-js and a2a-python where those read the card differently", Destination: &o.compat},
			&ucli.BoolFlag{Name: "print-input", Usage: "print what a key in a KMS or HSM has to sign", Destination: &o.printInput},
			&ucli.StringFlag{Name: "attach", Usage: "attach a signature that was made elsewhere: file:PATH, or `SIG` in base64; --key names its public key", Destination: &o.attach},
			&ucli.StringSliceFlag{Name: "limit", Usage: "raise a bound, `NAME=N`: card, nesting (repeatable)"},
			&ucli.BoolFlag{Name: "allow-divergent", Usage: "sign cards that verifiers read differently as they stand", Destination: &o.sign.AllowDivergent},
		),
		Action: func(c *ucli.Context) error {
			o.sign.Alg, o.sign.At = sign.Algorithm(o.alg), a.now()
			limits, err := parseLimits(c.StringSlice("limit"))
			if err != nil {
				return err
			}
			o.limits = limits
			return a.sign(c.Context, &o, c.Args().Slice())
		},
	}
}

// signOptions are the flags of sign.
type signOptions struct {
	findingOptions
	key    string
	alg    string
	compat string
	limits source.Limits
	sign   sign.Options

	printInput bool
	attach     string
}

// elsewhere tells whether the key is not at hand.
func (o *signOptions) elsewhere() bool { return o.printInput || o.attach != "" }

// signed is a card with its new signature.
type signed struct {
	cardfile.File
	text []byte // with the signature
}

func (a *app) sign(ctx context.Context, o *signOptions, names []string) error {
	if err := o.check(); err != nil {
		return err
	}
	switch {
	case len(names) == 0:
		return usageError("cardwright sign --key file:card-key.pem agent-card.json", "sign needs a card")
	case o.key == "" && !o.elsewhere():
		return usageError("--key file:PATH or --key env:NAME", "sign needs a key")
	case o.sign.JKU != "" && !strings.HasPrefix(o.sign.JKU, "https://"):
		return usageError("--jku https://agents.acme.example/.well-known/jwks.json", "--jku %s is no https URL: whoever changes what it returns could sign the card", diag.Quote(o.sign.JKU))
	case o.compat != "" && o.compat != "sdk":
		return usageError("--compat sdk", "unknown value %s for --compat", diag.Quote(o.compat))
	}
	o.sign.Compat = o.compat != ""
	p, err := a.workplace()
	if err != nil {
		return err
	}
	defer p.close()
	var key sign.Key
	var found diag.List
	if o.key != "" {
		if key, found, err = p.readKey(o.key); err != nil {
			return err
		}
	}
	if o.elsewhere() {
		if err := o.nameKey(key, names); err != nil {
			return err
		}
	}
	made, err := p.madeElsewhere(o.attach)
	if err != nil {
		return err
	}
	run := &built{options: &o.findingOptions, project: p, given: names, found: found}
	var cards []signed
	for _, name := range names {
		c, err := a.reader(run.project, o.limits).Read(name)
		if err != nil {
			return err
		}
		if o.printInput {
			return a.printInput(run, o, c)
		}
		text, found, err := signCard(c, o.limits, func(card, old *source.Node) ([]schema.Signature, diag.List, error) {
			if o.attach != "" {
				s, found, err := sign.Made(card, o.sign, made, key)
				return []schema.Signature{s}, found, err
			}
			return sign.Signatures(card, old, key, o.sign)
		})
		if err != nil {
			return usageError("", "cannot sign %s: %s", diag.Quote(name), err)
		}
		run.found = append(run.found, found...)
		cards = append(cards, signed{c, text})
	}
	trees, loose, found, err := a.sortOut(p, cards)
	if err != nil {
		return err
	}
	run.found = o.apply(append(run.found, found...))
	if run.failed() {
		return a.endFindings(run)
	}
	if err := a.printFindings(run); err != nil { // while the cards are as the findings show them
		return err
	}
	if err := a.writeSigned(ctx, p, trees, loose); err != nil {
		return err
	}
	if o.format == "text" && !a.quiet {
		a.printSigned(cards, o.by(key))
	}
	return nil
}

// signCard returns the text of the card with the signatures that makes makes of
// the card as it is signed and as it is. Good ones leave the card as it is.
func signCard(c cardfile.File, limits source.Limits, makes func(card, old *source.Node) ([]schema.Signature, diag.List, error)) ([]byte, diag.List, error) {
	old, card, found := readForSigning(c, limits)
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	signatures, more, err := makes(card, old)
	found = append(found, offered(more)...)
	if err != nil || more.Worst() == diag.Error {
		return nil, found, err
	}
	signed, more := sign.Attach(card, signatures...)
	switch found = append(found, more...); {
	case more != nil:
		return nil, found, nil
	case signed.Equal(old):
		return c.Data, found, nil
	}
	return schema.Write(signed), found, nil
}

// readForSigning returns the card in a file, and as it is signed.
func readForSigning(c cardfile.File, limits source.Limits) (old, card *source.Node, found diag.List) {
	old, found = source.ParseJSON(c.Path(), c.Data, limits)
	if found.Worst() == diag.Error {
		return nil, nil, found
	}
	if what := dialect.Foreign(old); old.Is(source.Object) && what != "" {
		return nil, nil, append(found, diag.New("card-foreign", old.Span, "not an agent card: looks like %s", what).WithHint("an agent card has a name, skills and supportedInterfaces"))
	}
	card, more := sign.Reencode(old)
	return old, card, append(found, more...)
}

// offered adds to the errors that a flag can make less of which that is.
func offered(found diag.List) diag.List {
	for i, d := range found {
		if d.Rule == "signature-canonical-hazard" && d.Severity == diag.Error {
			found[i].Hint = d.Hint + "; or sign with --allow-divergent"
		}
	}
	return found
}

// signedTree is an output tree with signed cards in it.
type signedTree struct {
	dir      *paths.Dir
	files    []tree.File
	index    map[string]int // of the files, by path
	old, new [][]byte       // the cards that change
}

func newSignedTree(dir *paths.Dir, files []tree.File) signedTree {
	index := make(map[string]int, len(files))
	for i, f := range files {
		index[f.Path] = i
	}
	return signedTree{dir: dir, files: files, index: index}
}

// sortOut tells cards in output trees from those that lie alone. A tree that is
// not as its manifest says is a finding.
func (a *app) sortOut(p *project, cards []signed) (trees []signedTree, loose []signed, found diag.List, err error) {
	for _, c := range cards {
		if bytes.Equal(c.text, c.Data) && c.Name != "-" {
			continue
		}
		name, file, ok := a.reader(p, source.Limits{}).OutputTree(c.Name)
		i := slices.IndexFunc(trees, func(t signedTree) bool { return t.dir.Name == paths.Slash(name) })
		if ok && i < 0 {
			dir, err := p.named("the output tree", name)
			if err != nil {
				return nil, nil, nil, err
			}
			files, faults := publish.Verify(dir)
			trees, found = append(trees, newSignedTree(dir, files)), append(found, faults...)
			i = len(trees) - 1
		}
		if !ok || !trees[i].replace(file, c.text) {
			loose = append(loose, c)
		}
	}
	return trees, loose, found, nil
}

// renew brings what lists the changed cards of the tree up to date.
func (t *signedTree) renew() error { return discovery.Renew(t.files, t.old, t.new) }

// replace changes the card at p, and the copy for older clients with it. It
// tells whether the tree has the card.
func (t *signedTree) replace(p string, text []byte) bool {
	i, ok := t.index[p]
	if !ok {
		return false
	}
	if path.Base(p) != "agent.json" {
		t.old, t.new = append(t.old, t.files[i].Data), append(t.new, text)
	}
	t.files[i].Data = text
	if path.Base(p) == "agent-card.json" {
		t.replace(path.Join(path.Dir(p), "agent.json"), text)
	}
	return true
}

// writeSigned puts the cards where they came from.
func (a *app) writeSigned(ctx context.Context, p *project, trees []signedTree, loose []signed) error {
	for _, c := range loose {
		if c.Name == "-" {
			if _, err := a.Out.Write(inert(c.text)); err != nil {
				return fmt.Errorf("writing the card: %w", err)
			}
			continue
		}
		if _, err := p.write("the card", c.Name, c.text, false); err != nil {
			return err
		}
	}
	for _, t := range trees {
		if err := t.renew(); err != nil {
			return err
		}
		_, found, err := publish.Write(ctx, t.dir, t.files, publish.Options{Private: t.private()})
		if err != nil {
			return err
		}
		for _, d := range found {
			return fmt.Errorf("writing the signed card: %s", d.Message)
		}
	}
	return nil
}

// private tells whether the tree is for its owner only.
func (t *signedTree) private() bool {
	info, err := t.dir.Root.Lstat(tree.ManifestName)
	return err == nil && info.Mode().Perm()&0o077 == 0
}

func (a *app) printSigned(cards []signed, by string) {
	for _, c := range cards {
		what := "signed with"
		if bytes.Equal(c.text, c.Data) {
			what = "unchanged, has a good signature by"
		}
		if c.Name != "-" {
			a.print(fmt.Sprintf("%s: %s the %s", c.Path(), what, by))
		}
	}
}

// by is how messages name the key.
func (o *signOptions) by(key sign.Key) string {
	if o.sign.Kid != "" {
		key.Kid = o.sign.Kid
	}
	if o.elsewhere() {
		return fmt.Sprintf("%s key %s", o.sign.Alg, o.sign.Kid)
	}
	return fmt.Sprint(key)
}
