package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"cardwright/generate"
	"cardwright/internal/cardfile"
	"cardwright/internal/client"
	"cardwright/internal/config"
	"cardwright/internal/contract"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/keyring"
	"cardwright/internal/lint"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/internal/workspace"
	"cardwright/schema"
)

func (a *app) contractCommand() *ucli.Command {
	o := contractOptions{findingOptions: findingOptions{also: []string{"markdown", "junit"}}}
	return &ucli.Command{
		Name:      "contract",
		Usage:     "check that a running agent does what its card says",
		UsageText: "cardwright contract [flags] URL|CARD",
		Description: `Calls every interface of the card and compares the answers with what the card
promises: binding, version, security, streaming, push notifications, extended
card, required extensions, token URLs. The calls name a task that cannot exist,
so nothing changes; a message is sent only with --send. URL is the URL of a card,
or of an agent whose card is below /.well-known. CARD is a file.

Credentials come from environment variables and go to the interfaces only.
docs/contract.md explains every check.

Examples:
  cardwright contract http://localhost:8080
  cardwright contract https://agents.acme.example --header 'Authorization: env:TOKEN'
  cardwright contract dist/.well-known/agent-card.json --connect-to agents.acme.example=http://localhost:8080
  cardwright contract http://localhost:8080 --send 'Hello' --report junit=contract.xml`,
		Flags: append(o.flags(),
			listFlag(&o.headers, "header", "send `HEADER` with each call, written NAME: env:VARIABLE (repeatable)"),
			listFlag(&o.connect, "connect-to", "also call this `HOST`, or call HOST=URL at another URL (repeatable)"),
			textFlag(&o.send, "send", "also send a message with this `TEXT`"),
			&ucli.DurationFlag{
				Name: "timeout", Usage: "wait this `TIME` for an answer (default 10s)", Value: 10 * time.Second,
				Destination: &o.timeout,
			},
			wordsFlag(&o.only, "only", "only the check with this `ID` (repeatable, or with commas)"),
			wordsFlag(&o.skip, "skip", "skip the check with this `ID` (repeatable, or with commas)"),
		),
		Action: func(c *ucli.Context) error {
			return a.contract(c.Context, &o, c.Args().Slice())
		},
	}
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
	switch {
	case len(args) != 1:
		return usageError("cardwright contract http://localhost:8080", "contract needs the URL of an agent, or its card")
	case o.timeout < time.Millisecond || o.timeout > 10*time.Minute:
		return usageError("for example --timeout 30s", "--timeout must be between 1ms and 10m")
	}
	if err := knownRules(append(o.only, o.skip...)...); err != nil {
		return err
	}
	options := contract.Options{
		Send: o.send, Only: o.only, Skip: o.skip, Timeout: o.timeout, NewID: newUUID,
		Read: readCardNode,
	}
	var err error
	if options.Credentials, err = credentials(o.headers); err != nil {
		return err
	}
	if options.Route, err = routes(o.connect, &options.Named); err != nil {
		return err
	}
	c, p, err := a.switches()
	if err != nil {
		return err
	}
	defer p.Close()
	run := &outcome{options: &o.findingOptions, space: p, config: c}
	card, err := a.promised(ctx, run, &options, args[0])
	if err != nil {
		return err
	}
	if len(card.Card.Interfaces) == 0 {
		return usageError("give it supportedInterfaces", "the card %s has no interface to call", diag.Quote(args[0]))
	}
	options.Card = card.Card
	options.Lint = card.LintOther
	options.Sent = &run.progress.Sent
	stop := a.showProgress(run.progress.Line)
	checks, err := contract.Run(ctx, options)
	stop()
	if err != nil {
		return err //nolint:wrapcheck // the run was interrupted
	}
	place := a.promising(ctx, card.Card.Name)
	if place == nil && options.Origin == nil {
		place = card.Place
	}
	return a.endContract(run, place, checks)
}

// promised reads the card that is checked: a file, or what a URL sends.
func (a *app) promised(ctx context.Context, run *outcome, o *contract.Options, arg string) (*cardfile.Promise, error) {
	if !strings.Contains(arg, "://") {
		reader := a.reader(run.space, source.Limits{})
		file, err := reader.Read(arg)
		switch {
		case err != nil && strings.Contains(arg, ":"):
			return nil, usageError("a URL must begin with http:// or https://", "%s", err)
		case err != nil:
			return nil, err
		}
		o.Below = reader.BelowRoot(arg)
		run.given = []string{arg}
		return file.Promise()
	}
	u, err := client.CardURL(arg)
	if err != nil {
		return nil, usageError("", "%s", err)
	}
	o.From(u)
	body, err := client.Card(ctx, u, o.Timeout)
	if err != nil {
		return nil, usageError("check the URL, and that the agent is running", "%s", err)
	}
	return cardfile.File{Name: u.String(), Data: body}.Promise()
}

// promising finds where the project says what is on the card of a name, nil
// where there is no project that makes exactly one such card.
func (a *app) promising(ctx context.Context, name string) func(pointer string) diag.Span {
	o := &projectOptions{findingOptions: findingOptions{format: "text", failOn: "error"}}
	run, err := a.build(ctx, o, func(run *project.Run) error {
		run.Request.Wire = func(bool, tree.File) bool { return true }
		return nil
	})
	if err != nil || run.Project.Config == "" {
		return nil // the card itself is good enough
	}
	cards := slices.DeleteFunc(run.Result.Cards,
		func(c generate.Card) bool { return c.Name != name || c.Extended || c.Wire == nil })
	if len(cards) != 1 {
		return nil
	}
	return func(pointer string) diag.Span {
		n, span := cards[0].Wire, cards[0].Wire.Span
		for token := range source.Tokens(pointer) {
			next, ok := n.Find(source.Pointer("", token))
			if !ok {
				break
			}
			if n = next; n.Span != (diag.Span{}) {
				span = n.Span
			}
		}
		return span
	}
}

// endContract prints the checks, each with the place of what promises it.
func (a *app) endContract(run *outcome, place func(pointer string) diag.Span, checks []contract.Check) error {
	list := make([]report.Check, len(checks))
	spans := map[string]diag.Span{}
	for i, c := range checks {
		list[i] = report.Check{
			Rule: c.Rule, Name: c.Rule, Group: c.Interface, Detail: c.Message, Pointer: c.Pointer, Hint: c.Hint,
			Untried: c.Outcome == contract.NotTried, Severity: c.Severity, Required: c.Severity == diag.Error, Place: c.Pointer,
		}
		if rule, ok := lint.Find(c.Rule); ok && c.Severity == 0 {
			list[i].Required = rule.Severity == diag.Error
		}
		if place != nil {
			spans[c.Pointer] = place(c.Pointer)
			list[i].Place = spans[c.Pointer].String()
		}
	}
	return a.endChecks(run, "contract", list, func(c report.Check) diag.Diagnostic {
		message := c.Detail
		if c.Group != "" {
			message = c.Group + ": " + message
		}
		return diag.New(c.Rule, spans[c.Pointer], "%s", message).WithSeverity(c.Severity).WithPointer(c.Pointer).
			WithHint(c.Hint)
	})
}

// switches is the configuration of the project, if there is one, for the rules
// that it switches.
func (a *app) switches() (*config.Config, *workspace.Space, error) {
	around, c, _, err := a.hosted(project.Options{})
	if err != nil {
		return nil, nil, err
	}
	around.Close()
	p, err := a.space()
	return c, p, err
}

// credentials reads --header NAME: env:VARIABLE. The value never stands on the
// command line, where others see it.
func credentials(headers []string) (http.Header, error) {
	const form = "--header 'Authorization: Bearer env:TOKEN'"
	out := http.Header{}
	for _, text := range headers {
		name, value, _ := strings.Cut(text, ":")
		value = strings.TrimSpace(value)
		scheme, variableName, ok := strings.Cut(value, "env:")
		if !ok || !headerToken.MatchString(name) || scheme != "" &&
			!headerToken.MatchString(strings.TrimSuffix(scheme, " ")) ||
			!keyring.IsVariable(variableName) {
			return nil, usageError(form,
				"a header has the form NAME: env:VARIABLE; its value must not be on the command line, where others can see it")
		}
		secret := os.Getenv(variableName)
		switch {
		case secret == "":
			return nil, usageError("set it to the value, in CI as a secret", "the environment variable %s is not set",
				variableName)
		case strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' || r == 0x7f }):
			return nil, usageError("check for a line break at its end",
				"the environment variable %s has control characters, which are not allowed in a header", variableName)
		}
		out[http.CanonicalHeaderKey(name)] = append(out[http.CanonicalHeaderKey(name)], scheme+secret)
	}
	return out, nil
}

// headerToken matches the name of a header and of an authentication scheme
// (RFC 9110, section 5.6.2).
var headerToken = regexp.MustCompile("^[a-zA-Z0-9!#$%&'*+.^_`|~-]+$")

// routes reads --connect-to HOST[=URL].
func routes(given []string, named *[]string) (map[string]*url.URL, error) {
	out := map[string]*url.URL{}
	for _, text := range given {
		host, to, moved := strings.Cut(text, "=")
		if host == "" || strings.ContainsAny(host, "/@") {
			return nil, usageError("--connect-to agents.acme.example=http://localhost:8080",
				"--connect-to %s is not HOST or HOST=URL", diag.Quote(text))
		}
		if !moved {
			*named = append(*named, host)
			continue
		}
		u, err := client.HostURL(to)
		if err != nil {
			return nil, usageError("--connect-to agents.acme.example=http://localhost:8080", "--connect-to: %s", err)
		}
		out[host] = u
	}
	return out, nil
}

// newUUID is a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// readCardNode is what contract knows of the cards that agents send.
func readCardNode(n *source.Node) *schema.Card { return dialect.Read(n, dialect.ReadOptions{}).Card }
