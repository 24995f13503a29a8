//go:build !js

package cli

import (
	"cmp"
	"context"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/probe"
	"cardwright/internal/sign"
)

// fetch returns what is at a URL.
var fetch = probe.Fetch

func (a *app) probeCommand() *ucli.Command {
	o := probeOptions{options: defaults()}
	return page("probe", []ucli.Flag{
		textFlag(&o.against, "against", "compare with the output tree in `DIR`"),
		textFlag(&o.jwks, "jwks", "the card must be signed by a key of the key set `FILE`"),
		listFlag(&o.resolve, "resolve", "use this address for a host instead of DNS, `HOST:ADDR` (repeatable)"),
		choiceFlag(&o.Format, "format", "format", "print checks as `FORMAT`: text, json", []string{"text", "json"}),
	}, func(ctx context.Context, args []string) error { return a.probe(ctx, &o, args) })
}

// probeOptions are the flags of probe.
type probeOptions struct {
	options
	against string
	jwks    string
	resolve []string
}

func (a *app) probe(ctx context.Context, o *probeOptions, urls []string) error {
	if len(urls) != 1 {
		return needsOne("URL", "probe", len(urls), "cardwright probe https://agents.acme.example")
	}
	resolve, err := probe.ParseResolve(o.resolve)
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
	asked := probe.Options{
		URL: urls[0], Settings: settings, Now: a.now, Resolve: resolve, NoLegacy: c.NoLegacy(),
	}
	if o.against != "" {
		dir, err := p.Folder(o.against)
		if err == nil {
			asked.Tree, err = p.Files(dir)
		}
		if err != nil {
			return usageError("run cardwright generate to create one", "cannot read %s: %s", diag.Quote(o.against),
				files.Reason(err))
		}
	}
	run := a.outcome(&o.options, p.Space)
	run.Project, run.Config = p, c
	if o.jwks != "" {
		keys, found, err := keysIn(p.Space).Trusted(ctx, "", o.jwks, fetch)
		if err != nil {
			return err
		}
		run.Add(found)
		asked.Trust = &sign.Trust{Keys: keys, At: a.now()}
	}
	asked.Sent = &run.Progress.Sent
	stop := a.showProgress(run.Progress.Line)
	checks, err := probe.Probe(ctx, asked)
	stop()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return usageError("", "%s", err)
	}
	return run.endChecks(checks)
}
