package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/catalog"
	"cardwright/internal/diag"
	"cardwright/internal/publish"
	"cardwright/internal/sign"
	"cardwright/internal/source"
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
  cardwright sign --key env:CARD_KEY --kid billing-2026 dist/.well-known/agent-card.json`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "key", Usage: "the private key: file:`PATH` or env:NAME", Destination: &o.key},
			&ucli.StringFlag{Name: "kid", Usage: "`NAME` of the key (default: its own, or its thumbprint)", Destination: &o.sign.Kid},
			&ucli.StringFlag{Name: "alg", Usage: "`ALG` that the key must be for: ES256, ES384, ES512, EdDSA or RS256", Destination: &o.alg},
			&ucli.StringFlag{Name: "jku", Usage: "`URL` of the key set, written into the signature", Destination: &o.sign.JKU},
			&ucli.BoolFlag{Name: "allow-divergent", Usage: "sign cards that verifiers read differently as they stand", Destination: &o.sign.AllowDivergent},
		),
		Action: func(c *ucli.Context) error {
			o.sign.Alg = sign.Algorithm(o.alg)
			return a.sign(c.Context, &o, c.Args().Slice())
		},
	}
}

// signOptions are the flags of sign.
type signOptions struct {
	findingOptions
	key  string
	alg  string
	sign sign.Options
}

// signed is a card with its new signature.
type signed struct {
	cardFile
	text []byte // with the signature
}

func (a *app) sign(ctx context.Context, o *signOptions, names []string) error {
	if err := o.check(); err != nil {
		return err
	}
	switch {
	case len(names) == 0:
		return usageError("cardwright sign --key file:card-key.pem agent-card.json", "sign needs a card")
	case o.key == "":
		return usageError("--key file:PATH or --key env:NAME", "sign needs a key")
	case o.sign.JKU != "" && !strings.HasPrefix(o.sign.JKU, "https://"):
		return usageError("--jku https://agents.acme.example/.well-known/jwks.json", "--jku %s is no https URL: whoever changes what it returns could sign the card", diag.Quote(o.sign.JKU))
	}
	key, found, err := readKey(o.key)
	if err != nil {
		return err
	}
	run := &built{options: &o.findingOptions, project: &project{}, given: names, found: found}
	var cards []signed
	for _, name := range names {
		c, err := a.readCard(run.project, name, source.Limits{})
		if err != nil {
			return err
		}
		text, found, err := signCard(c, key, o.sign)
		if err != nil {
			return usageError("", "cannot sign %s: %s", diag.Quote(name), err)
		}
		run.found = append(run.found, found...)
		cards = append(cards, signed{c, text})
	}
	trees, loose, found := sortOut(cards)
	run.found = o.settle(append(run.found, found...))
	if run.failed() {
		return a.endFindings(run)
	}
	if err := a.printFindings(run); err != nil { // while the cards are as the findings show them
		return err
	}
	if err := a.writeSigned(ctx, trees, loose); err != nil {
		return err
	}
	if o.format == "text" && !a.quiet {
		a.tellSigned(cards, key, o.sign)
	}
	return nil
}

// signCard returns the text of the card with its signature. One that is good
// already leaves the card as it is.
func signCard(c cardFile, key sign.Key, o sign.Options) ([]byte, diag.List, error) {
	card, found := source.ParseJSON(c.file(), c.data, source.Limits{})
	if found.Worst() == diag.Error {
		return nil, found, nil
	}
	if what := schema.Foreign(card); card.Is(source.Object) && what != "" {
		return nil, append(found, diag.Diagnostic{
			Rule: "card-foreign", Severity: diag.Error, Span: card.Span,
			Message: "not an agent card: looks like " + what, Hint: "an agent card has a name, skills and supportedInterfaces",
		}), nil
	}
	s, more, err := sign.Sign(card, key, o)
	found = append(found, offered(more)...)
	if err != nil || more.Worst() == diag.Error {
		return nil, found, err
	}
	if _, ok := sign.Keep(card, card, key, o); ok {
		return c.data, found, nil
	}
	card, more = sign.Attach(card, s)
	if found = append(found, more...); more != nil {
		return nil, found, nil
	}
	return schema.Write(card), found, nil
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
	dir      string
	files    []schema.File
	old, new [][]byte // the cards that change
}

// sortOut tells cards in output trees from those that lie alone. A tree that is
// not as its manifest says is a finding.
func sortOut(cards []signed) (trees []signedTree, loose []signed, found diag.List) {
	for _, c := range cards {
		if bytes.Equal(c.text, c.data) && c.name != "-" {
			continue
		}
		dir, p, ok := outputTree(c.name)
		i := slices.IndexFunc(trees, func(t signedTree) bool { return t.dir == dir })
		if ok && i < 0 {
			files, faults := publish.Verify(dir)
			trees, found = append(trees, signedTree{dir: dir, files: files}), append(found, faults...)
			i = len(trees) - 1
		}
		if !ok || !trees[i].replace(p, c.text) {
			loose = append(loose, c)
		}
	}
	return trees, loose, found
}

// renew brings what lists the changed cards of the tree up to date.
func (t *signedTree) renew() error { return catalog.Renew(t.files, t.old, t.new) }

// replace changes the card at p, and the copy for older clients with it. It
// tells whether the tree has the card.
func (t *signedTree) replace(p string, text []byte) bool {
	i := slices.IndexFunc(t.files, func(f schema.File) bool { return f.Path == p })
	if i < 0 {
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

// outputTree finds the output tree that a file may belong to: the nearest
// directory above it with a manifest.
func outputTree(name string) (dir, p string, ok bool) {
	const levels = 3 // OUT/ID/.well-known/agent-card.json
	dir = filepath.Dir(name)
	for range levels {
		if _, err := os.Lstat(filepath.Join(dir, publish.ManifestName)); err == nil {
			rel, err := filepath.Rel(dir, name)
			return dir, filepath.ToSlash(rel), err == nil
		}
		dir = filepath.Join(dir, "..")
	}
	return "", "", false
}

// writeSigned puts the cards where they came from.
func (a *app) writeSigned(ctx context.Context, trees []signedTree, loose []signed) error {
	for _, c := range loose {
		if c.name == "-" {
			if _, err := a.Out.Write(inert(c.text)); err != nil {
				return fmt.Errorf("writing the card: %w", err)
			}
		} else if _, err := publish.WriteFile(c.name, c.text, false); err != nil {
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
	info, err := os.Stat(filepath.Join(t.dir, publish.ManifestName))
	return err == nil && info.Mode().Perm()&0o077 == 0
}

func (a *app) tellSigned(cards []signed, key sign.Key, o sign.Options) {
	if o.Kid != "" {
		key.Kid = o.Kid
	}
	for _, c := range cards {
		what := "signed with"
		if bytes.Equal(c.text, c.data) {
			what = "unchanged, has a good signature by"
		}
		if c.name != "-" {
			a.print(fmt.Sprintf("%s: %s the %s", c.file(), what, key))
		}
	}
}
