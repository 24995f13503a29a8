package cli

import (
	"context"
	"path"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/sign"
)

func (a *app) verifyCommand() *ucli.Command {
	var o verifyOptions
	return page("verify", append(o.flags(),
		listFlag(&o.trust.Keys, "key", "a key to trust: file:`PATH` or env:NAME (repeatable)"),
		listFlag(&o.trust.Sets, "jwks", "a key set `FILE` to trust (repeatable)"),
		textFlag(&o.trust.URL, "jwks-url", "fetch the key set to trust from this https `URL`"),
		textFlag(&o.host, "expect-host", "interfaces and key set must belong to `HOST` (default: the host of the URL)"),
		cardLimitFlag(&o.limits),
		textFlag(&o.at, "at", "check that the keys are valid at this `TIME`, as 2026-11-22T12:00:00Z (default: now)"),
		listFlag(&o.uncovered, "allow-uncovered", "accept that no signature covers the member at `POINTER`, as /x-team or "+
			"/skills/*/x-team, if A2A does not define it (repeatable)"),
		boolFlag(&o.every, "all", "every card must be signed, and every signature good"),
	), func(ctx context.Context, args []string) error { return a.verify(ctx, &o, args) })
}

// verifyOptions are the flags of verify.
type verifyOptions struct {
	options
	trust     project.Trust
	uncovered []string
	every     bool
	at        string
	host      string
}

func (a *app) verify(ctx context.Context, o *verifyOptions, names []string) error {
	if err := o.check(); err != nil {
		return err
	}
	for _, pointer := range o.uncovered {
		if _, err := path.Match(pointer, ""); err != nil || !strings.HasPrefix(pointer, "/") {
			return usageError("for example --allow-uncovered /x-team", "--allow-uncovered %s is not a pointer into a card",
				diag.Quote(pointer))
		}
	}
	if len(names) == 0 {
		return usageError("cardwright verify agent-card.json --jwks jwks.json", "verify needs a card or a directory")
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	run := a.outcome(&o.options, p, names...)
	keys, found, err := keysIn(p).Trusted(ctx, o.trust, client.Fetch)
	if err != nil {
		return err
	}
	run.Found = found
	verifier := cardfile.Verifier{
		Trust: sign.Trust{Keys: keys, At: a.now(), Uncovered: o.uncovered}, Named: o.trust.Any(), All: o.every, Host: o.host,
		Limits: o.Limits,
	}
	if o.at != "" {
		if verifier.Trust.At, err = time.Parse(time.RFC3339, o.at); err != nil {
			return usageError("for example --at 2026-11-22T12:00:00Z", "--at %s is not a time", diag.Quote(o.at))
		}
	}
	reader := a.reader(p, o.Limits)
	var cards []cardfile.Verified
	for _, name := range names {
		more, found, err := reader.Verify(ctx, verifier, name)
		if err != nil {
			return err
		}
		cards, run.Found = append(cards, more...), append(run.Found, found...)
	}
	var results []sign.Result
	for _, c := range cards {
		results = append(results, c.Results...)
	}
	run.Found = run.Judged(append(run.Found, verifier.Trust.Idle(results)...))
	for _, c := range cards {
		run.tell(c.Good()...)
	}
	return run.end(cardfile.Verdicts(cards)...)
}
