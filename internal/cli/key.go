package cli

import (
	"errors"
	"fmt"
	"io/fs"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/publish"
	"cardwright/internal/sign"
	"cardwright/internal/sign/keyfile"
	"cardwright/schema"
)

func (a *app) keyCommand() *ucli.Command {
	return &ucli.Command{
		Name:      "key",
		Usage:     "make and convert keys for signing",
		UsageText: "cardwright key new | public",
		Description: `Examples:
  cardwright key new -o card-key.pem > card-key.pub.json
  cardwright key public card-key.pem`,
		Subcommands: []*ucli.Command{a.keyNewCommand(), a.keyPublicCommand()},
	}
}

func (a *app) keyNewCommand() *ucli.Command {
	var alg, out, kid string
	return &ucli.Command{
		Name:      "new",
		Usage:     "make a key pair",
		UsageText: "cardwright key new [--alg ALG] [--kid NAME] [-o FILE]",
		Description: `Writes the private key as PEM to a file that only you can read, and prints the
public key as JWK. A file that exists is never overwritten.

Example:
  cardwright key new -o card-key.pem > card-key.pub.json`,
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "alg", Usage: "`ALG` is ES256 (default), ES384, ES512, EdDSA or RS256", Value: string(sign.ES256), Destination: &alg},
			&ucli.StringFlag{Name: "kid", Usage: "`NAME` of the key (default: its thumbprint)", Destination: &kid},
			&ucli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write the private key to `FILE` (default: card-key.pem)", Value: "card-key.pem", Destination: &out},
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
		return usageError("-o card-key.pem", "a private key goes to a file, standard output gets the public one")
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
	switch err := publish.CreateSecret(out, text); {
	case errors.Is(err, fs.ErrExist):
		return usageError("choose another file with -o", "%s exists already, and a key is never overwritten", out)
	case err != nil:
		return usageError("", "cannot write %s: %s", out, reason(err))
	}
	if !a.quiet {
		a.talk("the private key is in " + out + ": keep it secret, and out of version control")
	}
	return a.printJWK(k)
}

func (a *app) keyPublicCommand() *ucli.Command {
	var kid string
	return &ucli.Command{
		Name:      "public",
		Usage:     "print the public half of a key as JWK",
		UsageText: "cardwright key public [--kid NAME] FILE",
		Description: `FILE holds a private or public key, as PEM or JWK.

Example:
  cardwright key public --kid billing-2026 card-key.pem`,
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "kid", Usage: "`NAME` of the key (default: its own, or its thumbprint)", Destination: &kid},
		},
		Action: func(c *ucli.Context) error {
			if c.NArg() != 1 {
				return usageError("cardwright key public card-key.pem", "key public needs one key file")
			}
			k, _, err := readKeyFile(c.Args().First())
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

func (a *app) printJWK(k sign.Key) error {
	_, err := a.Out.Write(schema.Write(k.JWK()))
	return err
}
