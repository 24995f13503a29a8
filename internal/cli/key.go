package cli

import (
	"cmp"
	"context"
	"os"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/sign"
	"cardwright/internal/sign/keyfile"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) keyCommand() *ucli.Command {
	return group("key", a.keyNewCommand(), a.keyPublicCommand(), a.keySetCommand(), a.keyPrivateCommand())
}

// withKeys does what reads or writes keys.
func (a *app) withKeys(do func(project.Ring) error) error {
	s, err := a.space()
	if err != nil {
		return err
	}
	defer s.Close()
	return do(keysIn(s))
}

// keysIn reads keys that the command line names.
func keysIn(s *project.Space) project.Ring { return project.Ring{Space: s, Getenv: os.LookupEnv} }

func (a *app) keyNewCommand() *ucli.Command {
	var kid string
	alg, out := string(sign.ES256), "card-key.pem"
	return page("key new", []ucli.Flag{
		choiceFlag(&alg, "alg", "algorithm", "`ALG` is ES256 (default), ES384, ES512, EdDSA or RS256", sign.AlgorithmNames()),
		textFlag(&kid, "kid", "`NAME` of the key (default: its thumbprint)"),
		textFlag(&out, "out", "write the private key to `FILE` (default: card-key.pem)", "o"),
	}, func(_ context.Context, args []string) error {
		switch {
		case len(args) > 0:
			return usageError("use -o FILE", "key new takes no arguments")
		case out == "-":
			return usageError("-o card-key.pem", "the private key must go to a file; the public key goes to stdout")
		}
		k, err := sign.NewKey(sign.Algorithm(alg))
		if err != nil {
			return usageError("", "%s", err)
		}
		k.Kid = kid
		return a.withKeys(func(ring project.Ring) error {
			if err := a.keepKey(ring, out, k, keyfile.PEM); err != nil {
				return err
			}
			return a.printJSON(k.JWK())
		})
	})
}

// keepKey writes a private key to a file of its own.
func (a *app) keepKey(ring project.Ring, out string, k sign.Key, form func(sign.Key) ([]byte, error)) error {
	if err := ring.Keep(out, k, form); err != nil {
		return err
	}
	a.say("the private key is in " + out + ": keep it secret, and out of version control")
	return nil
}

func (a *app) keyPublicCommand() *ucli.Command {
	var kid string
	return page("key public", []ucli.Flag{
		textFlag(&kid, "kid", "`NAME` of the key (default: its own, or its thumbprint)"),
	}, func(_ context.Context, args []string) error {
		if len(args) != 1 {
			return usageError("cardwright key public card-key.pem", "key public needs one key file")
		}
		return a.withKeys(func(ring project.Ring) error {
			k, _, err := ring.File(args[0])
			if err != nil {
				return err
			}
			k.Kid = cmp.Or(kid, k.Kid)
			return a.printJSON(k.JWK())
		})
	})
}

func (a *app) printJSON(n *source.Node) error {
	_, err := a.Out.Write(schema.Write(n))
	return err
}

func (a *app) keySetCommand() *ucli.Command {
	return page("key jwks", nil, func(_ context.Context, args []string) error {
		if len(args) == 0 {
			return usageError("cardwright key jwks card-key.pub.json", "key jwks needs key files")
		}
		return a.withKeys(func(ring project.Ring) error {
			set, leftOut, err := ring.Set(args)
			for _, line := range leftOut {
				a.talk(line)
			}
			if err != nil {
				return err
			}
			return a.printJSON(set)
		})
	})
}

func (a *app) keyPrivateCommand() *ucli.Command {
	var jwk bool
	var out, kid string
	return page("key private", []ucli.Flag{
		boolFlag(&jwk, "jwk", "write a JWK instead of PEM"),
		textFlag(&kid, "kid", "`NAME` of the key in the JWK (default: its own, or its thumbprint)"),
		textFlag(&out, "out", "write the private key to `OUT`", "o"),
	}, func(_ context.Context, args []string) error {
		switch {
		case len(args) != 1:
			return usageError("cardwright key private --jwk -o card-key.jwk card-key.pem", "key private needs one key file")
		case out == "" || out == "-":
			return usageError("-o card-key.jwk", "the private key must go to its own file; it is never printed")
		}
		form := keyfile.PEM
		if jwk {
			form = keyfile.JWK
		}
		return a.withKeys(func(ring project.Ring) error {
			k, _, err := ring.File(args[0])
			switch {
			case err != nil:
				return err
			case !k.CanSign():
				return usageError("name the file with the private key", "%s has no private half", diag.Quote(args[0]))
			}
			k.Kid = cmp.Or(kid, k.Kid)
			return a.keepKey(ring, out, k, form)
		})
	})
}
