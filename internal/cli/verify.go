package cli

import (
	"context"
	"fmt"
	"time"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/safefile"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
)

func (a *app) verifyCommand() *ucli.Command {
	var o verifyOptions
	return &ucli.Command{
		Name:      "verify",
		Usage:     "verify signed cards and output trees",
		UsageText: "cardwright verify [flags] CARD|DIR|URL...",
		Description: `Reports which key each signature is good for, or why it is refused. Each card needs
one good signature. Keys come from your flags, never from the card. In an output
tree, files, sidecars, copies, catalog, manifest and signatures are all checked.
A card at a URL is checked with the key set of its host, and its interfaces must
belong to that host.

Examples:
  cardwright verify agent-card.json --jwks jwks.json
  cardwright verify agent-card.json --jwks-url https://agents.acme.example/.well-known/jwks.json
  cardwright verify dist --key file:card-key.pub.json
  cardwright verify https://agents.acme.example --expect-host acme.example`,
		Flags: append(o.flags(),
			&ucli.StringSliceFlag{Name: "key", Usage: "a key to trust: file:`PATH` or env:NAME (repeatable)"},
			&ucli.StringSliceFlag{Name: "jwks", Usage: "a key set `FILE` to trust (repeatable)"},
			&ucli.StringFlag{Name: "jwks-url", Usage: "fetch the key set to trust from this https `URL`", Destination: &o.url},
			&ucli.StringFlag{
				Name:  "expect-host",
				Usage: "interfaces and key set must belong to `HOST` (default: the host of the URL)", Destination: &o.host,
			},
			&ucli.StringSliceFlag{Name: "limit", Usage: "raise a limit, `NAME=N`: card, nesting (repeatable)"},
			&ucli.StringFlag{
				Name:  "at",
				Usage: "check that the keys are valid at this `TIME`, as 2026-11-22T12:00:00Z (default: now)", Destination: &o.at,
			},
			&ucli.BoolFlag{Name: "all", Usage: "every card must be signed, and every signature good", Destination: &o.all},
		),
		Action: func(c *ucli.Context) error {
			o.keys, o.sets = c.StringSlice("key"), c.StringSlice("jwks")
			limits, err := project.ParseLimits(c.StringSlice("limit"))
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

func (a *app) verify(ctx context.Context, o *verifyOptions, names []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if len(names) == 0 {
		return usageError("cardwright verify agent-card.json --jwks jwks.json", "verify needs a card or a directory")
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	run := &outcome{options: &o.findingOptions, space: p, given: names}
	keys, found, err := o.trusted(ctx, p)
	if err != nil {
		return err
	}
	run.Found = found
	verifier := cardfile.Verifier{
		Trust: sign.Trust{Keys: keys, At: a.now()}, Named: o.trusts(), All: o.all, Host: o.host,
		Limits: o.limits,
	}
	if o.at != "" {
		if verifier.Trust.At, err = time.Parse(time.RFC3339, o.at); err != nil {
			return usageError("for example --at 2026-11-22T12:00:00Z", "--at %s is not a time", diag.Quote(o.at))
		}
	}
	var cards []cardfile.Verified
	for _, name := range names {
		more, found, err := a.verifyNamed(ctx, run, verifier, name)
		if err != nil {
			return err
		}
		cards, run.Found = append(cards, more...), append(run.Found, found...)
	}
	run.Found = o.apply(run.Found)
	if o.format == "text" && !a.quiet {
		for _, c := range cards {
			a.printVerified(c)
		}
	}
	if err := a.printFindings(run, cardfile.Verdicts(cards)...); err != nil {
		return err
	}
	if run.failed() {
		return done(exitFindings)
	}
	return nil
}

// trusted gathers the keys that were named.
func (o *verifyOptions) trusted(ctx context.Context, p *workspace.Space) ([]sign.Key, diag.List, error) {
	var keys []sign.Key
	var found diag.List
	for _, ref := range o.keys {
		k, more, err := keysIn(p).Read(ref)
		if err != nil {
			return nil, nil, err
		}
		keys, found = append(keys, k.Public()), append(found, more...)
	}
	for _, name := range o.sets {
		data, err := readSet(p, name)
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

func readSet(p *workspace.Space, name string) ([]byte, error) {
	file, err := p.Read(name, source.Limits{}.WithDefaults().Card)
	if err != nil {
		return nil, usageError("", "cannot read the key set %s: %s", diag.Quote(name), safefile.Reason(err))
	}
	return file.Data, nil
}

// verifyNamed verifies what one argument names.
func (a *app) verifyNamed(ctx context.Context, run *outcome, v cardfile.Verifier, name string) ([]cardfile.Verified,
	diag.List, error,
) {
	if dir, err := run.space.Folder(name); err == nil {
		cards, found := v.Tree(dir)
		_, _ = run.space.Files(dir) // so that findings can show the cards
		return cards, found, nil
	}
	var card cardfile.Verified
	var found diag.List
	if u, err := client.HostURL(name); err == nil {
		if u, err = client.CardURL(u.String()); err != nil {
			return nil, nil, usageError("", "%s", err)
		}
		card, found, err = v.Served(u, func(address string) ([]byte, error) { return client.Fetch(ctx, address) })
		return []cardfile.Verified{card}, found, err
	}
	file, err := a.reader(run.space, v.Limits).Read(name)
	switch {
	case err != nil:
		return nil, nil, err
	case !v.Named:
		return nil, nil, usageError("--key, --jwks or --jwks-url", "verify %s needs a key to trust", diag.Quote(name))
	}
	card, found = v.Card(file)
	return []cardfile.Verified{card}, found, nil
}

func (a *app) printVerified(c cardfile.Verified) {
	for _, r := range c.Results {
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
