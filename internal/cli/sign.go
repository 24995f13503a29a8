package cli

import (
	"context"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/sign"
)

func (a *app) signCommand() *ucli.Command {
	o := signOptions{options: defaults()}
	return page("sign", []ucli.Flag{
		textFlag(&o.key, "key", "the key, or its public half: file:`PATH` or env:NAME"),
		textFlag(&o.signer.Options.Kid, "kid", "`NAME` of the key (default: its own, or its thumbprint)"),
		choiceFlag(&o.signer.Options.Alg, "alg", "algorithm", "the key must be for `ALG`: ES256, ES384, ES512, EdDSA or RS256",
			sign.Algorithms()),
		textFlag(&o.signer.Options.JKU, "jku", "`URL` of the key set, written into the signature"),
		boolFlag(&o.printInput, "print-input", "print the bytes that a key in a KMS or HSM signs"),
		textFlag(&o.attach, "attach", "attach the signature in `FILE`, which a key in a KMS or HSM made"),
	}, func(ctx context.Context, args []string) error {
		o.signer.Options.At = a.now()
		return a.sign(ctx, &o, args)
	})
}

// signOptions are the flags of sign.
type signOptions struct {
	options
	signer     project.Signer
	key        string
	printInput bool
	attach     string
}

// finish checks the flags, reads the key and completes the signer.
func (o *signOptions) finish(names []string, keys project.Ring) (found diag.List, err error) {
	s := &o.signer
	elsewhere := o.printInput || o.attach != ""
	switch {
	case len(names) == 0:
		return nil, usageError("cardwright sign --key file:card-key.pem agent-card.json", "sign needs a card")
	case o.key == "":
		return nil, usageError("--key file:PATH or --key env:NAME", "sign needs a key")
	case s.Options.JKU != "" && !strings.HasPrefix(s.Options.JKU, "https://"):
		return nil, usageError("--jku https://agents.acme.example/.well-known/jwks.json",
			"--jku %s is not an https URL: anyone who can change its content could sign the card", diag.Quote(s.Options.JKU))
	case o.printInput && o.attach != "":
		return nil, usageError("print the input, sign it, then attach the signature",
			"--print-input and --attach cannot be used together")
	case elsewhere && len(names) > 1:
		return nil, usageError("run it once for each card", "a signature is for one card, not %d", len(names))
	}
	if s.Key, found, err = keys.Read(o.key); err == nil && o.attach != "" {
		s.Made, err = keys.Signature(o.attach)
	}
	return found, err
}

func (a *app) sign(ctx context.Context, o *signOptions, names []string) error {
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	out := a.outcome(&o.options, p, names...)
	if out.run.Found, err = o.finish(names, keysIn(p)); err != nil {
		return err
	}
	reader := a.reader(p)
	var cards []project.Rewritten
	for _, name := range names {
		c, err := reader.Read(name)
		if err != nil {
			return err
		}
		makes := o.signer.Sign
		if o.printInput {
			makes = o.signer.Input
		}
		text, found, err := makes(c)
		if err != nil {
			return usageError("", "cannot sign %s: %s", diag.Quote(c.Path()), err)
		}
		out.run.Found = append(out.run.Found, found...)
		cards = append(cards, project.Rewritten{Input: c, Text: text})
	}
	var changes project.Changes
	if !o.printInput {
		var found diag.List
		if changes, found, err = reader.Sort(cards...); err != nil {
			return err
		}
		out.run.Found = append(out.run.Found, found...)
	}
	out.run.Found = out.run.Judged(out.run.Found)
	if out.run.Failed() {
		return out.end()
	}
	if err := out.report(); err != nil { // while the cards are as the findings show them
		return err
	}
	if o.printInput {
		_, err = a.Out.Write(cards[0].Text)
		return err
	}
	if err := changes.Write(ctx, a.Out, false); err != nil {
		return err
	}
	out.tell(o.signer.Summary(cards)...)
	return nil
}
