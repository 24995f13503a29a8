package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/project"
	"cardwright/internal/sign"
	"cardwright/schema"
)

func keyCommand(a *app) *ucli.Command {
	return group("key", keyNewCommand(a), keyPublicCommand(a))
}

func keyNewCommand(a *app) *ucli.Command {
	alg, out := "ES256", "card-key.pem"
	return page("key new", []ucli.Flag{
		choiceFlag(&alg, "alg", "algorithm", "`ALG` is ES256 (default), ES384, ES512, EdDSA or RS256", sign.Algorithms()),
		textFlag(&out, "o", "write the private key to `FILE`"),
	}, func(_ context.Context, args []string) error {
		switch {
		case len(args) > 0:
			return usageError("use -o FILE", "key new takes no arguments")
		case out == "-":
			return usageError("-o card-key.pem", "the private key must go to a file; the key set goes to stdout")
		}
		key, err := sign.NewKey(alg)
		if err != nil {
			return usageError("", "%s", err)
		}
		keys, err := a.keys()
		if err != nil {
			return err
		}
		if err := keys.Keep(out, key); err != nil {
			return err
		}
		a.say("the private key is in " + out + ": keep it secret, and out of version control")
		return printKeySet(a, key)
	})
}

func keyPublicCommand(a *app) *ucli.Command {
	return page("key public", nil, func(_ context.Context, args []string) error {
		if len(args) != 1 {
			return usageError("cardwright key public card-key.pem", "key public needs one key file")
		}
		keys, err := a.keys()
		if err != nil {
			return err
		}
		key, _, err := keys.File(args[0])
		if err != nil {
			return err
		}
		return printKeySet(a, key)
	})
}

// keys reads keys that the command line names.
func (a *app) keys() (project.Ring, error) {
	w, err := a.space()
	return project.Ring{Workspace: w, Getenv: a.options.Getenv}, err
}

// printKeySet prints the key set that verifiers of the key's signatures need.
func printKeySet(a *app, key sign.Key) error {
	set, err := sign.JWKS([]sign.Key{key})
	if err != nil {
		return err
	}
	_, err = a.Out.Write(schema.Write(set))
	return err
}
