package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"time"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/contract"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/project"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

func (a *app) contractCommand() *ucli.Command {
	o := contractOptions{findingOptions: findingOptions{also: []string{"markdown", "junit"}}}
	return page("contract", append(o.flags(),
		listFlag(&o.headers, "header", "send `HEADER` with each call, written NAME: env:VARIABLE (repeatable)"),
		listFlag(&o.connect, "connect-to", "also call this `HOST`, or call HOST=URL at another URL (repeatable)"),
		textFlag(&o.send, "send", "also send a message with this `TEXT`"),
		timeoutFlag(&o.timeout),
		wordsFlag(&o.only, "only", "only the check with this `ID` (repeatable, or with commas)"),
		wordsFlag(&o.skip, "skip", "skip the check with this `ID` (repeatable, or with commas)"),
	), func(ctx context.Context, args []string) error { return a.contract(ctx, &o, args) })
}

// contractOptions are the flags of contract.
type contractOptions struct {
	findingOptions
	headers, connect []string
	only, skip       []string
	send             string
	timeout          time.Duration
}

func (a *app) contract(ctx context.Context, o *contractOptions, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if len(args) != 1 {
		return usageError("cardwright contract http://localhost:8080", "contract needs the URL of an agent, or its card")
	}
	if err := contract.CheckTimeout(o.timeout); err != nil {
		return err
	}
	if err := lint.Known(append(o.only, o.skip...)...); err != nil {
		return err
	}
	options := contract.Options{
		Send: o.send, Only: o.only, Skip: o.skip, Timeout: o.timeout, NewID: newUUID,
	}
	var err error
	if options.Credentials, err = contract.Credentials(o.headers, os.LookupEnv); err != nil {
		return err
	}
	if err := options.ConnectTo(o.connect); err != nil {
		return err
	}
	around, c, _, err := a.hosted(project.Options{}) // for the rules that it switches
	if err != nil {
		return err
	}
	around.Close()
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	run := a.outcome(&o.findingOptions, p, nil)
	run.Config = c
	card, err := a.reader(p, source.Limits{}).Promised(ctx, args[0], o.timeout)
	if err != nil {
		return err
	}
	if card.From != nil {
		options.From(card.From)
	} else {
		options.Below, run.Given = card.Below, args
	}
	if len(card.Card.Interfaces) == 0 {
		return usageError("give it supportedInterfaces", "the card %s has no interface to call", diag.Quote(args[0]))
	}
	options.Card = card.Card
	options.Lint = card.LintOther
	options.Sent = &run.Progress.Sent
	stop := a.ShowProgress(run.Progress.Line)
	checks, err := contract.Run(ctx, options)
	stop()
	if err != nil {
		return err //nolint:wrapcheck // the run was interrupted
	}
	place := a.promising(ctx, card.Card.Name)
	if place == nil && card.From == nil {
		place = card.Place
	}
	return run.EndChecks(contract.Reported(checks, place))
}

// promising finds where the project says what is on the card of a name, nil where
// there is no project that makes exactly one such card.
func (a *app) promising(ctx context.Context, name string) func(pointer string) diag.Span {
	o := &projectOptions{findingOptions: findingOptions{format: "text", failOn: "error"}}
	run, err := a.build(ctx, o, func(run *project.Run) error {
		run.Request.Wire = func(bool, tree.File) bool { return true }
		return nil
	})
	if err != nil || run.Project.Config == "" {
		return nil // the card itself is good enough
	}
	return run.PlaceOf(name)
}

// newUUID is a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
