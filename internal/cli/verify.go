package cli

import (
	"context"
	"time"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/project"
)

func verifyCommand(a *app) *ucli.Command {
	var o verifyOptions
	return page("verify", []ucli.Flag{
		textFlag(&o.key, "key", "the key to trust: file:`PATH` or env:NAME"),
		textFlag(&o.jwks, "jwks", "the key set to trust, a `FILE` or https URL"),
		boolFlag(&o.every, "all", "every card must be signed, and every signature good"),
		textFlag(&o.at, "at", "check the keys as of `TIME`, such as 2026-11-22T12:00:00Z"),
	}, func(ctx context.Context, args []string) error { return runVerify(ctx, a, &o, args) })
}

// verifyOptions are the flags of verify.
type verifyOptions struct {
	key, jwks string
	every     bool
	at        string
}

func runVerify(ctx context.Context, a *app, o *verifyOptions, names []string) error {
	if len(names) == 0 {
		return usageError("cardwright verify agent-card.json --jwks jwks.json", "verify needs a card or a directory")
	}
	out, err := a.begin(names...)
	if err != nil {
		return err
	}
	v := project.Verifier{Named: o.key != "" || o.jwks != ""}
	v.Trust.All, v.Trust.At = o.every, now()
	if o.at != "" {
		if v.Trust.At, err = time.Parse(time.RFC3339, o.at); err != nil {
			return usageError("for example --at 2026-11-22T12:00:00Z", "--at %s is not a time", diag.Quote(o.at))
		}
	}
	keys, err := a.keys()
	if err != nil {
		return err
	}
	if v.Trust.Keys, out.run.Found, err = keys.Trusted(ctx, o.key, o.jwks, fetch); err != nil {
		return err
	}
	var cards []project.Verified
	for _, name := range names {
		more, found, err := a.reader(out.run.Workspace).Verify(v, name)
		if err != nil {
			return err
		}
		cards, out.run.Found = append(cards, more...), append(out.run.Found, found...)
	}
	out.run.Found = out.run.Counted(out.run.Found)
	for _, c := range cards {
		out.print(c.Good()...)
	}
	return out.end()
}
