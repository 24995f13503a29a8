package cli

import (
	"context"
	"fmt"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/project"
	"cardwright/internal/publish"
	"cardwright/internal/tree"
)

func (a *app) catalogCommand() *ucli.Command {
	var o catalogOptions
	o.groups = true
	return page("catalog", append(o.flags(),
		textFlag(&o.out, "out", "write the catalog and the page to `DIR`"),
		textFlag(&o.site.Publisher, "publisher", "use `DOMAIN` in the identifiers of all agents (default: from each card)"),
		textFlag(&o.site.Namespace, "namespace", "use `NAME` in the identifiers (default: agent)"),
		textFlag(&o.site.Title, "title", "use `TEXT` as the title of the page and as the name of the host in the catalog"),
		textFlag(&o.site.BaseURL, "base-url", "`URL` where DIR is served"),
		listFlag(&o.cardURLs, "card-url", "URL of a published card, `FILE=URL` (repeatable)"),
		listFlag(&o.ids, "id", "set the ID of an agent in its identifier, `FILE=ID` (repeatable)"),
		boolFlag(&o.check, "check", "write nothing; exit 1 when the files on disk differ"),
		boolFlag(&o.all, "all", "print every finding"),
		forceFlag(&o.force),
		cardLimitFlag(&o.limits),
	), func(ctx context.Context, args []string) error { return a.catalog(ctx, &o, args) })
}

// catalogOptions are the flags of catalog.
type catalogOptions struct {
	findingOptions
	site          cardfile.Site
	out           string
	cardURLs, ids []string
	check, force  bool
}

// finish checks the flags and reads those with a form of their own.
func (o *catalogOptions) finish(names []string) error {
	if err := o.findingOptions.check(); err != nil {
		return err
	}
	switch {
	case len(names) == 0:
		return usageError("cardwright catalog 'cards/*.json' --out site", "catalog needs a card")
	case o.out == "":
		return usageError("--out site", "catalog needs --out")
	}
	return o.site.Finish(o.cardURLs, o.ids)
}

func (a *app) catalog(ctx context.Context, o *catalogOptions, names []string) error {
	if err := o.finish(names); err != nil {
		return err
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	out, err := p.OutputDir("--out", o.out)
	if err != nil {
		return err
	}
	run := a.outcome(&o.findingOptions, p, names)
	reader := a.reader(p, o.bounds)
	reader.Cards = &run.Progress.Read
	stop := a.ShowProgress(run.Progress.Line)
	agents, files, found, err := o.site.Make(reader, names, out)
	stop()
	if err != nil {
		return err
	}
	run.Found = o.apply(found)
	switch {
	case run.Failed():
		return run.End()
	case o.check:
		return a.checkSite(run, o, out, files)
	}
	return a.writeSite(ctx, run, o, out, agents, files)
}

// writeSite puts catalog and page on disk and says what it did.
func (a *app) writeSite(ctx context.Context, run *outcome, o *catalogOptions, out *paths.Dir, agents int,
	files []tree.File,
) error {
	wrote, found, err := publish.Write(ctx, out, files, publish.Options{Force: o.force})
	if err != nil {
		return err
	}
	run.Found = append(run.Found, found...).Sorted()
	if err := run.Report(); err != nil {
		return err
	}
	if found.Worst() == diag.Error {
		return done(exitCode(found))
	}
	run.Tell(fmt.Sprintf("%s: %s; %s", out.Name, diag.Count(agents, "agent"), project.Written(wrote)))
	for _, f := range files {
		run.Tell("  " + paths.Join(out.Name, f.Path))
	}
	return nil
}

// checkSite compares catalog and page with what is on disk.
func (a *app) checkSite(run *outcome, o *catalogOptions, out *paths.Dir, files []tree.File) error {
	drift, found := publish.Check(out, files, publish.Options{Force: o.force})
	if found.Worst() == diag.Error {
		drift = nil
	}
	if o.format == "text" {
		for _, line := range drift.Lines(out.Name) {
			a.Print(line)
		}
		if len(drift) > 0 {
			a.Talk("the files on disk are out of date; to update them, run the same command without --check")
		}
	}
	return run.EndCheck(drift.Findings(out.Name), found)
}
