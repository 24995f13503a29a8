package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/sign"
)

func signCommand(a *app) *ucli.Command {
	var o signOptions
	return page("sign", []ucli.Flag{
		textFlag(&o.key, "key", "the key, or its public half: file:`PATH` or env:NAME"),
		textFlag(&o.signer.Options.Kid, "kid", "`NAME` of the key (default: its own, or its thumbprint)"),
		choiceFlag(&o.signer.Options.Alg, "alg", "algorithm",
			"the key must be for `ALG`: ES256, ES384, ES512, EdDSA or RS256",
			sign.Algorithms()),
		textFlag(&o.signer.Options.JKU, "jku", "`URL` of the key set, written into the signature"),
		boolFlag(&o.printInput, "print-input", "print the bytes that a key in a KMS or HSM signs"),
		textFlag(&o.attach, "attach", "attach the signature in `FILE`, which a key in a KMS or HSM made"),
	}, func(ctx context.Context, args []string) error {
		o.signer.Options.At = now()
		return runSign(ctx, a, &o, args)
	})
}

// signOptions are the flags of sign.
type signOptions struct {
	signer     sign.Signer
	key        string
	printInput bool
	attach     string
}

// finish checks the flags, reads the key and completes the signer.
func (o *signOptions) finish(names []string, keys project.Ring) (found diag.List, err error) {
	s := &o.signer
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
	case (o.printInput || o.attach != "") && len(names) > 1:
		return nil, usageError("run it once for each card", "a signature is for one card, not %d", len(names))
	}
	if s.Key, found, err = keys.Read(o.key); err == nil && o.attach != "" {
		s.Options.Made, err = keys.Signature(o.attach)
	}
	return found, err
}

func runSign(ctx context.Context, a *app, o *signOptions, names []string) error {
	out, err := a.begin(names...)
	if err != nil {
		return err
	}
	keys, err := a.keys()
	if err != nil {
		return err
	}
	if out.run.Found, err = o.finish(names, keys); err != nil {
		return err
	}
	makes := o.signer.Sign
	if o.printInput {
		makes = o.signer.Input
	}
	cards, texts := make([]project.Input, len(names)), make([][]byte, len(names))
	for i, name := range names {
		if cards[i], err = a.reader(out.run.Workspace).Read(name); err != nil {
			return err
		}
		var found diag.List
		if texts[i], found, err = makes(cards[i].Path(), cards[i].Data); err != nil {
			return usageError("", "cannot sign %s: %s", diag.Quote(cards[i].Path()), err)
		}
		out.run.Found = append(out.run.Found, found...)
	}
	out.run.Found = out.run.Counted(out.run.Found)
	if err := out.end(); err != nil { // while the cards are as the findings show them
		return err
	}
	if o.printInput {
		_, err = a.Out.Write(texts[0])
		return err
	}
	for i, card := range cards {
		if err := rewriteCard(ctx, a, out, card, texts[i], o.signer.Name()); err != nil {
			return err
		}
	}
	return nil
}

// rewriteCard writes a card with its signatures: a card from stdin goes to stdout.
func rewriteCard(ctx context.Context, a *app, out *result, card project.Input, text []byte, key string) error {
	if card.Name == "-" {
		return writeCard(a, text)
	}
	what := "signed with"
	if bytes.Equal(text, card.Data) {
		what = "unchanged, has a good signature by"
	} else if err := cmp.Or(ctx.Err(), out.run.Workspace.Rewrite(card, text)); err != nil {
		return err
	}
	out.print(fmt.Sprintf("%s: %s the %s", card.Path(), what, key))
	return nil
}
