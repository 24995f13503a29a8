package cli

import (
	"cmp"
	"context"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/client"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/hosting"
	"cardwright/internal/keyring"
	"cardwright/internal/lint"
	"cardwright/internal/probe"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/safefile"
	"cardwright/internal/sign"
	"cardwright/internal/source"
)

func (a *app) probeCommand() *ucli.Command {
	o := probeOptions{findingOptions: findingOptions{also: []string{"markdown"}}}
	return &ucli.Command{
		Name:      "probe",
		Usage:     "check how a deployed card is served",
		UsageText: "cardwright probe [flags] URL",
		Description: `Sends the requests that clients send, and checks status, headers, caching, CORS,
the legacy path and the card itself. URL is the URL of a card, or of an agent whose
card is below /.well-known. When a required check fails, the exit code is 1; the
other checks are warnings. docs/hosting.md lists all checks.

Sends no credentials, and follows no redirect into a private network.

Examples:
  cardwright probe https://agents.acme.example/code-review/
  cardwright probe https://agents.acme.example --against dist
  cardwright probe https://agents.acme.example --links
  cardwright probe https://agents.acme.example --resolve agents.acme.example:203.0.113.7
  cardwright probe https://agents.acme.example --jwks keys.json --format json`,
		Flags: append(o.flags(),
			textFlag(&o.against, "against", "compare with the output tree in `DIR`"),
			textFlag(&o.jwks, "jwks", "the card must be signed by a key of the key set `FILE`"),
			boolFlag(&o.links, "links", "fetch the documentation, token and metadata URLs of the card too"),
			listFlag(&o.resolve, "resolve",
				"look for a host at an address, whatever DNS says, given as `HOST:ADDR`; repeatable"),
			environmentFlag(&o.Environment),
			allowEnvFlag(&o.AllowEnv),
		),
		Action: func(c *ucli.Context) error {
			return a.probe(c.Context, &o, c.Args().Slice())
		},
	}
}

// probeOptions are the flags of probe.
type probeOptions struct {
	findingOptions
	project.Options
	against string
	jwks    string
	links   bool
	resolve []string
}

func (a *app) probe(ctx context.Context, o *probeOptions, urls []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if len(urls) != 1 {
		return usageError("cardwright probe https://agents.acme.example", "probe needs one URL, not %d", len(urls))
	}
	resolve, err := addresses(o.resolve)
	if err != nil {
		return err
	}
	p, c, settings, err := a.hosted(o.Options)
	if err != nil {
		return err
	}
	defer p.Close()
	if p.Config != "" { // which says what to send, also where it says nothing
		settings.CacheControl = cmp.Or(settings.CacheControl, hosting.DefaultCacheControl)
	}
	options := probe.Options{
		URL: urls[0], Settings: settings, Lint: lintServed, Now: a.now, Resolve: resolve,
		NoLegacy: noLegacy(c),
	}
	if o.links {
		options.Links = linksOf
	}
	if o.against != "" {
		dir, err := p.Folder(o.against)
		if err == nil {
			options.Tree, err = p.Files(dir)
		}
		if err != nil {
			return usageError("run cardwright generate to create one", "cannot read %s: %s", diag.Quote(o.against),
				safefile.Reason(err))
		}
	}
	run := &outcome{options: &o.findingOptions, space: p.Space, project: p, config: c}
	if o.jwks != "" {
		keys, found, err := keysIn(p.Space).Trusted(ctx, keyring.Trust{Sets: []string{o.jwks}}, client.Fetch)
		if err != nil {
			return err
		}
		run.add(found)
		options.Verify = func(card []byte) string { return badSignature(card, sign.Trust{Keys: keys, At: a.now()}) }
	}
	options.Sent = &run.progress.Sent
	stop := a.showProgress(run.progress.Line)
	checks, err := probe.Probe(ctx, options)
	stop()
	if err != nil {
		return usageError("", "%s", err)
	}
	return a.endProbe(run, checks)
}

// noLegacy tells whether a configuration wants no agent to have an agent.json.
func noLegacy(c *config.Config) bool {
	return len(c.Agents) > 0 && !slices.ContainsFunc(c.Agents,
		func(a config.Agent) bool { return a.LegacyPath != config.LegacyNone })
}

// addresses reads the values of --resolve: HOST:ADDR, or HOST:PORT:ADDR as curl
// wants it.
func addresses(list []string) (map[string]string, error) {
	found := map[string]string{}
	for _, text := range list {
		host, rest, _ := strings.Cut(text, ":")
		name, address := host, rest
		if _, err := netip.ParseAddr(strings.Trim(rest, "[]")); err != nil {
			port, after, _ := strings.Cut(rest, ":")
			if n, err := strconv.ParseUint(port, 10, 16); err == nil && n > 0 {
				name, address = net.JoinHostPort(host, port), after
			}
		}
		ip, err := netip.ParseAddr(strings.Trim(address, "[]"))
		if err != nil || host == "" {
			return nil, usageError("write a host and an IP address: --resolve agents.acme.example:203.0.113.7",
				"--resolve %s is not HOST:ADDR", diag.Quote(text))
		}
		found[strings.ToLower(name)] = ip.String()
	}
	return found, nil
}

// lintServed judges a card as it came from its host.
func lintServed(card []byte) diag.List {
	root, found := source.ParseJSON("", card, source.Limits{})
	return append(found, lint.Card(root, lint.Options{})...)
}

// linksOf returns the links of a card as it came from its host.
func linksOf(data []byte) []probe.Link {
	root, _ := source.ParseJSON("", data, source.Limits{})
	card := dialect.Read(root, dialect.ReadOptions{}).Card
	if card == nil {
		return nil
	}
	var links []probe.Link
	add := func(kind probe.LinkKind, urls ...string) {
		for _, u := range urls {
			if u != "" {
				links = append(links, probe.Link{Kind: kind, URL: u})
			}
		}
	}
	add(probe.Documentation, card.DocumentationURL)
	for _, name := range slices.Sorted(maps.Keys(card.SecuritySchemes)) {
		s := card.SecuritySchemes[name]
		add(probe.Metadata, s.OpenIDConnectURL, s.OAuth2MetadataURL)
		for _, flow := range s.Flows {
			add(probe.Token, flow.TokenURL, flow.RefreshURL)
		}
	}
	return links
}

// badSignature says why no signature of a card is good.
func badSignature(card []byte, trust sign.Trust) string {
	results, faults := sign.Verify("", card, trust, source.Limits{})
	verdict, found := sign.Judge(results, faults, false)
	switch verdict {
	case sign.Verified:
		return ""
	case sign.Unsigned:
		return "the card has no signature"
	}
	return found[0].Message
}

// endProbe prints the checks: for people a line each, for programs as findings
// and the whole list.
func (a *app) endProbe(run *outcome, checks []probe.Check) error {
	list := make([]report.Check, len(checks))
	for i, c := range checks {
		list[i] = report.Check{Rule: "probe-" + c.Name, Name: c.Name, Required: c.Required, Detail: c.Detail, Hint: c.Hint}
		switch {
		case c.OK:
		case c.Required:
			list[i].Severity = diag.Error
		default:
			list[i].Severity = diag.Warning
		}
	}
	return a.endChecks(run, "probe", list, func(c report.Check) diag.Diagnostic {
		return diag.New(c.Rule, diag.Span{}, "%s: %s", c.Name, c.Detail).WithSeverity(c.Severity).WithHint(c.Hint)
	})
}
