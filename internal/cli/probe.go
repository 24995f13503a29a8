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

func probeCommand(a *app) *ucli.Command {
	var o probeOptions
	return page("probe", []ucli.Flag{
		textFlag(&o.against, "against", "compare with the output tree in `DIR`"),
		textFlag(&o.jwks, "jwks", "the card must be signed by a key of the key set `FILE`"),
		listFlag(&o.resolve, "resolve", "ask `HOST:ADDR` for a host, not DNS (repeatable)"),
		formatFlag(&a.settings, "print checks", []string{"text", "json"}),
	}, func(ctx context.Context, args []string) error { return runProbe(ctx, a, &o, args) })
}

// probeOptions are the flags of probe.
type probeOptions struct {
	against string
	jwks    string
	resolve []string
}

func runProbe(ctx context.Context, a *app, o *probeOptions, urls []string) error {
	if len(urls) != 1 {
		return needsOne("URL", "probe", len(urls), "cardwright probe https://agents.acme.example")
	}
	resolve, err := probe.ParseResolve(o.resolve)
	if err != nil {
		return err
	}
	p, c, settings, err := a.hosted()
	if err != nil {
		return err
	}
	if p.Config != "" { // which says what to send, also where it says nothing
		settings.CacheControl = cmp.Or(settings.CacheControl, hosting.DefaultCacheControl)
	}
	asked := probe.Options{
		URL: urls[0], Settings: settings, Resolve: resolve, NoLegacy: c.NoLegacy(),
	}
	if o.against != "" {
		if asked.Tree, err = p.Workspace.FolderFS(o.against); err != nil {
			return usageError("run cardwright generate to create one", "cannot read %s: %s", diag.Quote(o.against),
				files.Reason(err))
		}
	}
	out, err := a.begin()
	if err != nil {
		return err
	}
	out.run.Project, out.run.Config = p, c
	if o.jwks != "" {
		keys, err := a.keys()
		if err != nil {
			return err
		}
		trusted, found, err := keys.Trusted(ctx, "", o.jwks, fetch)
		if err != nil {
			return err
		}
		out.run.Add(found)
		asked.Trust = &sign.Trust{Keys: trusted, At: now()}
	}
	asked.Sent = &out.run.Progress.Sent
	stop := a.showProgress(out.run.Progress.Line)
	checks, err := probe.Probe(ctx, asked)
	stop()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return usageError("", "%s", err)
	}
	return out.endChecks(checks)
}
