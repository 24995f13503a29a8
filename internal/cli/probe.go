package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/probe"
	"cardwright/internal/report"
	"cardwright/internal/sign"
	"cardwright/internal/source"
)

func (a *app) probeCommand() *ucli.Command {
	o := probeOptions{findingOptions: findingOptions{also: "markdown"}}
	return &ucli.Command{
		Name:      "probe",
		Usage:     "check how a deployed card is served",
		UsageText: "cardwright probe [flags] URL",
		Description: `Asks the host of a card what clients ask, and checks status, headers, caching,
CORS, the legacy path and the card itself. URL is that of a card, or that of an
agent whose card is below /.well-known. A check that is required makes the run
end with 1; the others are advice. docs/hosting.md lists them all.

No credentials are sent, and no redirect is followed into a private network.

Examples:
  cardwright probe https://agents.acme.example/code-review/
  cardwright probe https://agents.acme.example --against dist
  cardwright probe https://agents.acme.example --jwks keys.json --format json`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "against", Usage: "compare with the output tree in `DIR`", Destination: &o.against},
			&ucli.StringFlag{Name: "jwks", Usage: "the card has to be signed by a key of the key set `FILE`", Destination: &o.jwks},
			&ucli.StringFlag{Name: "env", Usage: "lay environment `NAME` over the configuration", Destination: &o.environment},
		),
		Action: func(c *ucli.Context) error { return a.probe(c.Context, &o, c.Args().Slice()) },
	}
}

// probeOptions are the flags of probe.
type probeOptions struct {
	findingOptions
	against     string
	jwks        string
	environment string
}

func (a *app) probe(ctx context.Context, o *probeOptions, urls []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if len(urls) != 1 {
		return usageError("cardwright probe https://agents.acme.example", "probe needs one URL, and there are %d", len(urls))
	}
	c, settings, err := a.hosted(o.environment)
	if err != nil {
		return err
	}
	options := probe.Options{URL: urls[0], Settings: settings, Lint: lintServed, Now: a.now}
	if o.against != "" {
		tree, err := source.OpenRoot(o.against)
		if err != nil {
			return usageError("cardwright generate writes one", "cannot read %s: %s", diag.Quote(o.against), reason(err))
		}
		defer tree.Close()
		options.Tree = tree
	}
	run := &built{options: &o.findingOptions, project: &project{}, config: c}
	if o.jwks != "" {
		keys, found, err := (&verifyOptions{sets: []string{o.jwks}}).trusted(ctx)
		if err != nil {
			return err
		}
		run.add(found)
		options.Verify = func(card []byte) string { return badSignature(card, keys) }
	}
	checks, err := probe.Probe(ctx, options)
	if err != nil {
		return usageError("", "%s", err)
	}
	return a.endProbe(run, checks)
}

// lintServed judges a card as it came from its host.
func lintServed(card []byte) diag.List {
	root, found := source.ParseJSON("", card, source.Limits{})
	return append(found, lint.Card(root, lint.Options{})...)
}

// badSignature says why no signature of a card is good.
func badSignature(card []byte, keys []sign.Key) string {
	results, found := sign.Verify("", card, keys, source.Limits{})
	switch {
	case len(found) > 0:
		return found[0].Message
	case len(results) == 0:
		return "the card has no signature"
	}
	why := results[0].Fault
	for _, r := range results {
		switch {
		case r.Good() && !r.Open():
			return ""
		case r.Good():
			why = "the signature does not cover " + few(r.Uncovered)
		}
	}
	return why
}

// endProbe prints the checks: for people a line each, for programs as findings
// and the whole list.
func (a *app) endProbe(run *built, checks []probe.Check) error {
	told := run.found // of the rest, people see the checks
	checks = run.judge(checks)
	list := &source.Node{Kind: source.Array}
	for _, c := range checks {
		list.Items = append(list.Items, checkNode(c))
	}
	run.markdown = func(w io.Writer) error { return markdownChecks(w, checks) }
	if run.options.format == "text" {
		a.tellChecks(checks)
	}
	if err := a.emit(run, told, source.Member{Key: "checks", Value: list}); err != nil {
		return err
	}
	if run.failed() {
		return done(exitFindings)
	}
	return nil
}

// judge adds a finding for each check that failed, and returns the checks as
// the configuration makes their rules count: those that are off are left out.
func (b *built) judge(checks []probe.Check) []probe.Check {
	switches := lint.Switches{Rules: b.config.Rules, Strict: b.options.strict}
	var judged []probe.Check
	for _, c := range checks {
		if c.OK {
			judged = append(judged, c)
			continue
		}
		for _, d := range switches.Apply(diag.List{checkFinding(c)}) {
			b.found = append(b.found, d)
			c.Required = d.Severity == diag.Error
			judged = append(judged, c)
		}
	}
	b.found = b.found.Sorted()
	return judged
}

func checkNode(c probe.Check) *source.Node {
	n := &source.Node{Kind: source.Object}
	n.SetText("name", c.Name)
	n.Set("required", source.NewBool(c.Required))
	n.Set("ok", source.NewBool(c.OK))
	n.SetText("detail", c.Detail)
	n.SetText("hint", c.Hint)
	return n
}

// checkFinding is a check that failed as a finding. What is only advice is a
// warning.
func checkFinding(c probe.Check) diag.Diagnostic {
	d := diag.Diagnostic{Rule: "probe-" + c.Name, Severity: diag.Warning, Message: c.Name + ": " + c.Detail, Hint: c.Hint}
	if c.Required {
		d.Severity = diag.Error
	}
	return d
}

// outcome says in a word what came of a check.
func outcome(c probe.Check) string {
	switch {
	case c.OK:
		return "ok"
	case c.Required:
		return "fail"
	}
	return "advice"
}

func countChecks(checks []probe.Check) string {
	var failed, advice int
	for _, c := range checks {
		switch outcome(c) {
		case "fail":
			failed++
		case "advice":
			advice++
		}
	}
	return fmt.Sprintf("%s, %d failed, %d to improve", count(len(checks), "check"), failed, advice)
}

func (a *app) tellChecks(checks []probe.Check) {
	for _, c := range checks {
		if c.OK && a.quiet {
			continue
		}
		a.print(strings.TrimRight(fmt.Sprintf("%-6s  %-18s  %s", outcome(c), c.Name, c.Detail), " "))
		if c.Hint != "" {
			a.print("          hint: " + c.Hint)
		}
	}
	if !a.quiet {
		a.talk(countChecks(checks))
	}
}

// markdownChecks prints the checks as a table. What a host sent stands in code
// spans, of which nothing is made.
func markdownChecks(w io.Writer, checks []probe.Check) error {
	cell := func(text string) string { return strings.ReplaceAll(report.Code(text), "|", `\|`) }
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n| check | result | found |\n| --- | --- | --- |\n", countChecks(checks))
	for _, c := range checks {
		found := cell(c.Detail)
		if c.Hint != "" {
			found += ", hint: " + cell(c.Hint)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(c.Name), outcome(c), found)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
