package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/publish"
	"cardwright/internal/safefile"
	"cardwright/internal/sign"
	"cardwright/internal/sign/keyfile"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) keyCommand() *ucli.Command {
	return group("key", a.keyNewCommand(), a.keyPublicCommand(), a.keySetCommand(), a.keyPrivateCommand())
}

func (a *app) keyNewCommand() *ucli.Command {
	var kid string
	alg, out := string(sign.ES256), "card-key.pem"
	return page("key new", []ucli.Flag{
		textFlag(&alg, "alg", "`ALG` is ES256 (default), ES384, ES512, EdDSA or RS256"),
		textFlag(&kid, "kid", "`NAME` of the key (default: its thumbprint)"),
		textFlag(&out, "out", "write the private key to `FILE` (default: card-key.pem)", "o"),
	}, func(ctx context.Context, args []string) error {
		if len(args) > 0 {
			return usageError("use -o FILE", "key new takes no arguments")
		}
		return a.keyNew(sign.Algorithm(alg), kid, out)
	})
}

func (a *app) keyNew(alg sign.Algorithm, kid, out string) error {
	if out == "-" {
		return usageError("-o card-key.pem", "the private key must go to a file; the public key goes to stdout")
	}
	k, err := sign.NewKey(alg)
	if err != nil {
		return usageError("", "%s", err)
	}
	k.Kid = kid
	text, err := keyfile.PEM(k)
	if err != nil {
		return fmt.Errorf("making a key: %w", err)
	}
	if err := a.keepKey(out, text); err != nil {
		return err
	}
	return a.printJWK(k)
}

// keepKey writes a private key to a file of its own.
func (a *app) keepKey(out string, text []byte) error {
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	dir, name, err := p.FileDir("-o", out)
	if err != nil {
		return err
	}
	switch err := publish.Create(dir, name, text, 0o600); {
	case errors.Is(err, fs.ErrExist):
		return usageError("choose another file with -o", "%s already exists, but a key is never overwritten", out)
	case err != nil:
		return usageError("", "cannot write %s: %s", out, safefile.Reason(err))
	}
	if !a.quiet {
		a.talk("the private key is in " + out + ": keep it secret, and out of version control")
	}
	return nil
}

func (a *app) keyPublicCommand() *ucli.Command {
	var kid string
	return page("key public", []ucli.Flag{
		textFlag(&kid, "kid", "`NAME` of the key (default: its own, or its thumbprint)"),
	}, func(ctx context.Context, args []string) error {
		if len(args) != 1 {
			return usageError("cardwright key public card-key.pem", "key public needs one key file")
		}
		k, err := a.readKeyFile(args[0])
		if err != nil {
			return err
		}
		if kid != "" {
			k.Kid = kid
		}
		return a.printJWK(k)
	})
}

func (a *app) printJWK(k sign.Key) error { return a.printJSON(k.JWK()) }

func (a *app) printJSON(n *source.Node) error {
	_, err := a.Out.Write(schema.Write(n))
	return err
}

func (a *app) keySetCommand() *ucli.Command {
	return page("key jwks", nil, func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			return usageError("cardwright key jwks card-key.pub.json", "key jwks needs key files")
		}
		var keys []sign.Key
		for _, name := range args {
			more, err := a.readKeySet(name)
			if err != nil {
				return err
			}
			keys = append(keys, more...)
		}
		set, err := sign.JWKS(keys)
		if err != nil {
			return usageError("give each key its own kid: cardwright key public --kid NAME FILE", "%s", err)
		}
		return a.printJSON(set)
	})
}

func (a *app) keyPrivateCommand() *ucli.Command {
	var jwk bool
	var out, kid string
	return page("key private", []ucli.Flag{
		boolFlag(&jwk, "jwk", "write a JWK instead of PEM"),
		textFlag(&kid, "kid", "`NAME` of the key in the JWK (default: its own, or its thumbprint)"),
		textFlag(&out, "out", "write the private key to `OUT`", "o"),
	}, func(ctx context.Context, args []string) error {
		switch {
		case len(args) != 1:
			return usageError("cardwright key private --jwk -o card-key.jwk card-key.pem", "key private needs one key file")
		case out == "" || out == "-":
			return usageError("-o card-key.jwk", "the private key must go to its own file; it is never printed")
		}
		k, err := a.readKeyFile(args[0])
		switch {
		case err != nil:
			return err
		case !k.CanSign():
			return usageError("name the file with the private key", "%s has no private half", diag.Quote(args[0]))
		case kid != "":
			k.Kid = kid
		}
		write := keyfile.PEM
		if jwk {
			write = keyfile.JWK
		}
		text, err := write(k)
		if err != nil {
			return fmt.Errorf("converting a key: %w", err)
		}
		return a.keepKey(out, text)
	})
}
