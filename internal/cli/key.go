package cli

import (
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
	return &ucli.Command{
		Name:      "key",
		Usage:     "create and convert signing keys",
		UsageText: "cardwright key new | public | jwks | private",
		Description: `Examples:
  cardwright key new -o card-key.pem > card-key.pub.json
  cardwright key public card-key.pem
  cardwright key jwks old.pub.json new.pub.json > jwks.json
  cardwright key private --jwk -o card-key.jwk card-key.pem`,
		Subcommands: []*ucli.Command{a.keyNewCommand(), a.keyPublicCommand(), a.keySetCommand(), a.keyPrivateCommand()},
	}
}

func (a *app) keyNewCommand() *ucli.Command {
	var kid string
	alg, out := string(sign.ES256), "card-key.pem"
	return &ucli.Command{
		Name:      "new",
		Usage:     "create a key pair",
		UsageText: "cardwright key new [--alg ALG] [--kid NAME] [-o FILE]",
		Description: `Writes the private key as PEM to a file that only you can read, and prints the
public key as JWK. A file that exists is never overwritten.

Example:
  cardwright key new -o card-key.pem > card-key.pub.json`,
		Flags: []ucli.Flag{
			textFlag(&alg, "alg", "`ALG` is ES256 (default), ES384, ES512, EdDSA or RS256"),
			textFlag(&kid, "kid", "`NAME` of the key (default: its thumbprint)"),
			textFlag(&out, "out", "write the private key to `FILE` (default: card-key.pem)", "o"),
		},
		Action: func(c *ucli.Context) error {
			if c.NArg() > 0 {
				return usageError("use -o FILE", "key new takes no arguments")
			}
			return a.keyNew(sign.Algorithm(alg), kid, out)
		},
	}
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
	return &ucli.Command{
		Name:      "public",
		Usage:     "print the public half of a key as JWK",
		UsageText: "cardwright key public [--kid NAME] FILE",
		Description: `FILE has a private or public key: PEM, JWK or an OpenSSH key.

Example:
  cardwright key public --kid billing-2026 card-key.pem`,
		Flags: []ucli.Flag{
			textFlag(&kid, "kid", "`NAME` of the key (default: its own, or its thumbprint)"),
		},
		Action: func(c *ucli.Context) error {
			if c.NArg() != 1 {
				return usageError("cardwright key public card-key.pem", "key public needs one key file")
			}
			k, err := a.readKeyFile(c.Args().First())
			if err != nil {
				return err
			}
			if kid != "" {
				k.Kid = kid
			}
			return a.printJWK(k)
		},
	}
}

func (a *app) printJWK(k sign.Key) error { return a.printJSON(k.JWK()) }

func (a *app) printJSON(n *source.Node) error {
	_, err := a.Out.Write(schema.Write(n))
	return err
}

func (a *app) keySetCommand() *ucli.Command {
	return &ucli.Command{
		Name:      "jwks",
		Usage:     "print a key set (JWKS) of the public halves of keys",
		UsageText: "cardwright key jwks FILE...",
		Description: `Each FILE has a private or public key (PEM, JWK or an OpenSSH key) or a key set. The
new set is sorted by kid, and has each key once.

Example:
  cardwright key jwks billing-2026.pub.json billing-2027.pub.json > jwks.json
  cardwright key jwks old/jwks.json billing-2027.pub.json > jwks.json`,
		Action: func(c *ucli.Context) error {
			if c.NArg() == 0 {
				return usageError("cardwright key jwks card-key.pub.json", "key jwks needs key files")
			}
			var keys []sign.Key
			for _, name := range c.Args().Slice() {
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
		},
	}
}

func (a *app) keyPrivateCommand() *ucli.Command {
	var jwk bool
	var out, kid string
	return &ucli.Command{
		Name:      "private",
		Usage:     "convert a private key to PEM or JWK",
		UsageText: "cardwright key private [--jwk] [--kid NAME] -o OUT FILE",
		Description: `Writes the private key to a file that only you can read: as PEM (PKCS#8), or as JWK.
A file that exists is never overwritten.

Example:
  cardwright key private --jwk --kid billing-2026 -o card-key.jwk card-key.pem`,
		Flags: []ucli.Flag{
			boolFlag(&jwk, "jwk", "write a JWK instead of PEM"),
			textFlag(&kid, "kid", "`NAME` of the key in the JWK (default: its own, or its thumbprint)"),
			textFlag(&out, "out", "write the private key to `OUT`", "o"),
		},
		Action: func(c *ucli.Context) error {
			switch {
			case c.NArg() != 1:
				return usageError("cardwright key private --jwk -o card-key.jwk card-key.pem", "key private needs one key file")
			case out == "" || out == "-":
				return usageError("-o card-key.jwk", "the private key must go to its own file; it is never printed")
			}
			k, err := a.readKeyFile(c.Args().First())
			switch {
			case err != nil:
				return err
			case !k.CanSign():
				return usageError("name the file with the private key", "%s has no private half", diag.Quote(c.Args().First()))
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
		},
	}
}
