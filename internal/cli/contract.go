//go:build !js

package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"os"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/contract"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

func (a *app) contractCommand() *ucli.Command {
	o := contractOptions{options: options{also: []string{"markdown", "junit"}}}
	return page("contract", append(o.flags(),
		listFlag(&o.headers, "header", "send `HEADER` to hosts that you name, or to one of them, "+
			"written [HOST=]NAME: env:VARIABLE (repeatable)"),
		textFlag(&o.certFile, "cert-file", "client certificate in PEM `FILE`, for mutual TLS"),
		textFlag(&o.keyFile, "key-file", "private key of the client certificate in PEM `FILE`"),
		listFlag(&o.connect, "connect-to", "also call this `HOST`, or call HOST=URL at another URL (repeatable)"),
		textFlag(&o.asked.Send, "send", "also send a message with this `TEXT`"),
		timeoutFlag(&o.asked.Timeout),
		&ucli.IntFlag{
			Name: "max-calls", Usage: "make at most `N` calls (default 64)", Value: contract.MaxCalls,
			Destination: &o.asked.MaxCalls,
		},
		wordsFlag(&o.asked.Only, "only", "only the check with this `ID` (repeatable, or with commas)"),
		wordsFlag(&o.asked.Skip, "skip", "skip the check with this `ID` (repeatable, or with commas)"),
	), func(ctx context.Context, args []string) error { return a.contract(ctx, &o, args) })
}

// contractOptions are the flags of contract.
type contractOptions struct {
	options
	asked            contract.Options
	headers, connect []string
	certFile         string
	keyFile          string
}

func (a *app) contract(ctx context.Context, o *contractOptions, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if len(args) != 1 {
		return usageError("cardwright contract http://localhost:8080", "contract needs the URL of an agent, or its card")
	}
	if err := checkTimeout(o.asked.Timeout); err != nil {
		return err
	}
	if o.asked.MaxCalls < 1 || o.asked.MaxCalls > 10_000 {
		return usageError("for example --max-calls 200", "--max-calls must be between 1 and 10000")
	}
	if err := lint.Known(slices.Concat(o.asked.Only, o.asked.Skip)...); err != nil {
		return err
	}
	asked := &o.asked
	asked.NewID = newUUID
	var err error
	if asked.Credentials, err = credentials(o.headers, os.LookupEnv); err != nil {
		return err
	}
	if err := connectTo(asked, o.connect); err != nil {
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
	run := a.outcome(&o.options, p)
	run.Config = c
	if asked.Certificate, err = o.certificate(a.reader(p, source.Limits{})); err != nil {
		return err
	}
	card, err := a.reader(p, source.Limits{}).Promised(ctx, args[0], o.asked.Timeout)
	if err != nil {
		return err
	}
	if card.From != nil {
		asked.From(card.From)
	} else {
		asked.Below, run.Sources = card.Below, args
	}
	if len(card.Card.Interfaces) == 0 {
		return usageError("give it supportedInterfaces", "the card %s has no interface to call", diag.Quote(args[0]))
	}
	asked.Card = card.Card
	asked.Lint = card.LintOther
	asked.Sent = &run.Progress.Sent
	stop := a.showProgress(run.Progress.Line)
	checks, err := contract.Run(ctx, *asked)
	stop()
	if err != nil {
		return err
	}
	place := a.promising(ctx, card.Card.Name)
	if place == nil && card.From == nil {
		place = card.Place
	}
	promised(checks, place, o.Strict)
	return run.endChecks(checks)
}

// promised adds to the checks what they ask for. place finds what promises it, unless it
// is nil. In strict runs, what was not tried is an error.
func promised(checks []report.Check, place func(pointer string) diag.Span, strict bool) {
	for i := range checks {
		c := &checks[i]
		if strict && c.Untried {
			c.Severity = diag.Error
		}
		rule, _ := diag.FindRule(c.Rule)
		c.Required = cmp.Or(c.Severity, rule.Severity) == diag.Error
		if c.Place = c.Pointer; place != nil {
			c.Span = place(c.Pointer)
			c.Place = c.Span.String()
		}
	}
}

// certificate reads the certificate of the client, nil where none is given.
func (o *contractOptions) certificate(r cardfile.Reader) (*tls.Certificate, error) {
	if o.certFile == "" && o.keyFile == "" {
		return nil, nil // most clients have none
	}
	if o.certFile == "" || o.keyFile == "" {
		return nil, usageError("--cert-file client.pem --key-file client.key", "--cert-file and --key-file belong together")
	}
	cert, err := r.Read(o.certFile)
	if err != nil {
		return nil, err
	}
	key, err := r.Read(o.keyFile)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(cert.Data, key.Data)
	if err != nil {
		return nil, usageError("both are PEM files, and the key is not encrypted",
			"%s and %s are not a certificate and its private key", diag.Quote(o.certFile), diag.Quote(o.keyFile))
	}
	return &pair, nil
}

// promising finds where the project says what is on the card of a name, nil where
// there is no project that makes exactly one such card.
func (a *app) promising(ctx context.Context, name string) func(pointer string) diag.Span {
	o := defaults()
	run, err := a.build(ctx, &o, func(run *project.Run) error {
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
