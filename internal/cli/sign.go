package cli

import (
	"context"
	"fmt"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
	"cardwright/schema"
)

func (a *app) signCommand() *ucli.Command {
	var o signOptions
	return &ucli.Command{
		Name:      "sign",
		Usage:     "sign cards",
		UsageText: "cardwright sign [flags] CARD...",
		Description: `Adds a signature (A2A 1.0, section 8.4) to each card. It replaces an earlier one by
the same key. In an output tree, sidecars, copies, catalog, page and manifest are
updated too. A card that verifiers read differently is refused. With -, the card
is read from stdin and written to stdout.

Examples:
  cardwright sign --key file:card-key.pem agent-card.json
  cardwright sign --key env:CARD_KEY --kid billing-2026 dist/.well-known/agent-card.json
  cardwright sign --print-input --kid cards-2026 --alg ES256 agent-card.json > input
  cardwright sign --attach file:input.sig --kid cards-2026 --alg ES256 --key file:pub.pem agent-card.json`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "key", Usage: "the private key: file:`PATH` or env:NAME", Destination: &o.key},
			&ucli.StringFlag{
				Name: "kid", Usage: "`NAME` of the key (default: its own, or its thumbprint)",
				Destination: &o.sign.Kid,
			},
			&ucli.StringFlag{
				Name: "alg", Usage: "the key must be for `ALG`: ES256, ES384, ES512, EdDSA or RS256",
				Destination: &o.alg,
			},
			&ucli.StringFlag{Name: "jku", Usage: "`URL` of the key set, written into the signature", Destination: &o.sign.JKU},
			&ucli.StringFlag{
				Name:        "compat",
				Usage:       "`WHAT` is sdk: add a second signature for a2a-js and a2a-python when they read the card differently",
				Destination: &o.compat,
			},
			&ucli.BoolFlag{
				Name: "print-input", Usage: "print the bytes that a key in a KMS or HSM signs",
				Destination: &o.printInput,
			},
			&ucli.StringFlag{
				Name: "attach",
				Usage: "attach a signature that was made elsewhere: file:PATH, or `SIG` in base64; " +
					"--key names its public key",
				Destination: &o.attach,
			},
			&ucli.StringSliceFlag{Name: "limit", Usage: "raise a limit, `NAME=N`: card, nesting (repeatable)"},
			&ucli.BoolFlag{
				Name: "allow-divergent", Usage: "sign cards even when verifiers read them differently",
				Destination: &o.sign.AllowDivergent,
			},
		),
		Action: func(c *ucli.Context) error {
			o.sign.Alg, o.sign.At = sign.Algorithm(o.alg), a.now()
			limits, err := project.ParseLimits(c.StringSlice("limit"))
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
		return usageError("--jku https://agents.acme.example/.well-known/jwks.json",
			"--jku %s is not an https URL: anyone who can change its content could sign the card", diag.Quote(o.sign.JKU))
	case o.compat != "" && o.compat != "sdk":
		return usageError("--compat sdk", "unknown value %s for --compat", diag.Quote(o.compat))
	}
	o.sign.Compat = o.compat != ""
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	var key sign.Key
	var found diag.List
	if o.key != "" {
		if key, found, err = keysIn(p).Read(o.key); err != nil {
			return err
		}
	}
	if o.elsewhere() {
		if err := o.nameKey(key, names); err != nil {
			return err
		}
	}
	made, err := madeElsewhere(p, o.attach)
	if err != nil {
		return err
	}
	run := &outcome{options: &o.findingOptions, space: p, given: names, Sheet: report.Sheet{Found: found}}
	var cards []cardfile.Rewritten
	for _, name := range names {
		c, err := a.reader(run.space, o.limits).Read(name)
		if err != nil {
			return err
		}
		if o.printInput {
			return a.printInput(run, o, c)
		}
		text, found, err := c.Sign(o.limits, func(card, old *source.Node) ([]schema.Signature, diag.List, error) {
			if o.attach != "" {
				s, found, err := sign.Made(card, o.sign, made, key)
				return sign.Beside(old, card, s, o.sign, key), found, err
			}
			return sign.Signatures(card, old, key, o.sign)
		})
		if err != nil {
			return usageError("", "cannot sign %s: %s", diag.Quote(name), err)
		}
		run.Found = append(run.Found, found...)
		cards = append(cards, cardfile.Rewritten{File: c, Text: text})
	}
	trees, loose, found, err := a.sortOut(p, cards)
	if err != nil {
		return err
	}
	run.Found = o.apply(append(run.Found, found...))
	if run.failed() {
		return a.endFindings(run)
	}
	if err := a.printFindings(run); err != nil { // while the cards are as the findings show them
		return err
	}
	if err := a.rewrite(ctx, p, trees, loose); err != nil {
		return err
	}
	if o.format == "text" && !a.quiet {
		a.printSigned(cards, o.by(key))
	}
	return nil
}

// sortOut tells cards in output trees from those that lie alone.
func (a *app) sortOut(p *workspace.Space, cards []cardfile.Rewritten) ([]cardfile.Tree, []cardfile.Rewritten,
	diag.List, error,
) {
	return a.reader(p, source.Limits{}).Sort(cards, func(dir string) (*paths.Dir,
		error,
	) {
		return p.OutputDir("the output tree", dir)
	})
}

// rewrite puts cards where they came from.
func (a *app) rewrite(ctx context.Context, p *workspace.Space, trees []cardfile.Tree,
	loose []cardfile.Rewritten,
) error {
	for _, c := range loose {
		if c.Name == "-" {
			if _, err := a.Out.Write(cardfile.Inert(c.Text)); err != nil {
				return fmt.Errorf("writing the card: %w", err)
			}
			continue
		}
		if _, err := p.Write("the card", c.Name, c.Text, false); err != nil {
			return err
		}
	}
	for i := range trees {
		if err := trees[i].Write(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) printSigned(cards []cardfile.Rewritten, by string) {
	for _, c := range cards {
		what := "signed with"
		if c.Same() {
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
