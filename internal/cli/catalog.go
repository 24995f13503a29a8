package cli

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/output"
	"cardwright/internal/paths"
	"cardwright/internal/project"
	"cardwright/internal/publish"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

func (a *app) catalogCommand() *ucli.Command {
	var o catalogOptions
	return &ucli.Command{
		Name:      "catalog",
		Usage:     "write a catalog and a page about cards that others wrote",
		UsageText: "cardwright catalog CARD... --out DIR [flags]",
		Description: `Writes an AI Catalog, .well-known/ai-catalog.json, the same for Agentic Resource
Discovery, .well-known/ard.json, and a page, index.html, about any cards. CARD is
a file, a pattern, a directory (every agent-card.json and agent.json below it) or
- for stdin, in any version and dialect that convert reads. Repairs are reported.
Extended cards are left out.

The URL of a card comes from the manifest of its output tree, from --card-url, or
from --base-url when the card is in DIR. A card whose URL is unknown is embedded.
For the cards of your own project, use generate with catalog and html in the
configuration.

Examples:
  cardwright catalog 'cards/*.json' --out site --publisher acme.example
  cardwright catalog ../billing/dist ../review/dist --out site --title "Agents of Acme"
  cardwright catalog 'cards/*.json' --out site \
      --card-url cards/a.json=https://a.example/.well-known/agent-card.json
  cardwright catalog 'cards/*.json' --out site --check`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "out", Usage: "write the catalog and the page to `DIR`", Destination: &o.out},
			&ucli.StringFlag{
				Name: "publisher", Usage: "`DOMAIN` in the identifiers of all agents (default: from each card)",
				Destination: &o.publisher,
			},
			&ucli.StringFlag{Name: "namespace", Usage: "`NAME` in the identifiers (default: agent)", Destination: &o.namespace},
			&ucli.StringFlag{
				Name: "title", Usage: "title of the page and name of the host in the catalog: `TEXT`",
				Destination: &o.title,
			},
			&ucli.StringFlag{Name: "base-url", Usage: "`URL` where DIR is served", Destination: &o.baseURL},
			&ucli.StringSliceFlag{Name: "card-url", Usage: "where a card is published, `FILE=URL` (repeatable)"},
			&ucli.StringSliceFlag{Name: "id", Usage: "set the ID of an agent in its identifier, `FILE=ID` (repeatable)"},
			&ucli.BoolFlag{Name: "check", Usage: "write nothing; exit 1 when the files on disk differ", Destination: &o.check},
			&ucli.BoolFlag{Name: "force", Usage: "overwrite files that cardwright did not write", Destination: &o.force},
			&ucli.StringSliceFlag{Name: "limit", Usage: "raise a limit, `NAME=N`: card, nesting (repeatable)"},
		),
		Action: func(c *ucli.Context) error {
			return a.catalog(c.Context, &o, c.Args().Slice(), c.StringSlice("card-url"), c.StringSlice("id"),
				c.StringSlice("limit"))
		},
	}
}

// catalogOptions are the flags of catalog.
type catalogOptions struct {
	findingOptions
	out       string
	publisher string
	namespace string
	title     string
	baseURL   string
	cardURLs  cardfile.PerCard
	ids       cardfile.PerCard
	check     bool
	force     bool
	limits    source.Limits
}

// finish checks the flags and reads those with a form of their own.
func (o *catalogOptions) finish(names, urls, ids, limits []string) (err error) {
	if err = o.findingOptions.check(); err != nil {
		return err
	}
	o.publisher = strings.ToLower(o.publisher)
	switch {
	case len(names) == 0:
		return usageError("cardwright catalog 'cards/*.json' --out site", "catalog needs a card")
	case o.out == "":
		return usageError("--out site", "catalog needs --out")
	case o.publisher != "" && discovery.PublisherFault(o.publisher) != "":
		return usageError("--publisher acme.example", "--publisher %s %s", diag.Quote(o.publisher),
			discovery.PublisherFault(o.publisher))
	case o.namespace != "" && discovery.NamespaceFault(o.namespace) != "":
		return usageError("use letters, digits, dots, hyphens and underscores, and colons between segments",
			"--namespace %s %s", diag.Quote(o.namespace), discovery.NamespaceFault(o.namespace))
	case o.baseURL != "" && (!discovery.IsWebURL(o.baseURL) || strings.ContainsAny(o.baseURL, "?#")):
		return usageError("--base-url https://agents.acme.example",
			"--base-url must be an absolute http or https URL without user information, query and fragment")
	}
	o.baseURL = strings.TrimRight(o.baseURL, "/")
	if o.limits, err = project.ParseLimits(limits); err != nil {
		return err
	}
	if o.ids, err = cardfile.ParsePerCard("--id", "ID", ids); err != nil {
		return err
	}
	if o.cardURLs, err = cardfile.ParsePerCard("--card-url", "URL", urls); err != nil {
		return err
	}
	return o.checkCardURLs()
}

// checkCardURLs refuses what cannot be the URL of a card, and one URL for two.
func (o *catalogOptions) checkCardURLs() error {
	at := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(o.cardURLs)) {
		address := o.cardURLs[name].Value
		if !discovery.IsWebURL(address) {
			return usageError("--card-url cards/a.json=https://a.example/.well-known/agent-card.json",
				"--card-url for %s must be an absolute http or https URL without user information", diag.Quote(name))
		}
		if first, ok := at[address]; ok {
			return usageError("each URL has one card; clients refuse another one", "--card-url gives %s to both %s and %s",
				diag.Quote(address), diag.Quote(first), diag.Quote(name))
		}
		at[address] = name
	}
	return nil
}

func (a *app) catalog(ctx context.Context, o *catalogOptions, names, urls, ids, limits []string) error {
	if err := o.finish(names, urls, ids, limits); err != nil {
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
	if err := o.foreign(out); err != nil {
		return err
	}
	run := &outcome{options: &o.findingOptions, space: p, given: names}
	reader := a.reader(run.space, o.limits)
	reader.Cards = &run.progress.Read
	stop := a.showProgress(run.progress.Line)
	agents, found := reader.List(names, cardfile.ListOptions{
		Publisher: o.publisher, BaseURL: o.baseURL, URLs: o.cardURLs, IDs: o.ids,
		Below: func(file string) (string, bool) {
			card, err := p.Real(file, paths.Typed)
			inside, fault := filepath.Rel(out.Path, card)
			return filepath.ToSlash(inside), err == nil && fault == nil && filepath.IsLocal(inside)
		},
	})
	stop()
	for _, f := range []struct {
		flag   string
		values cardfile.PerCard
	}{{"--card-url", o.cardURLs}, {"--id", o.ids}} {
		if name := f.values.Unused(); name != "" {
			return usageError("write the path as the findings do", "%s has %s, which is not one of the cards", f.flag,
				diag.Quote(name))
		}
	}
	files, more, err := o.files(agents)
	if err != nil {
		return err
	}
	run.Found = o.apply(append(found, more...))
	switch {
	case run.failed():
		return a.endFindings(run)
	case o.check:
		return a.checkSite(run, o, out, files)
	}
	return a.writeSite(ctx, run, o, out, len(agents), files)
}

// foreign refuses a directory that another command fills: what it has written
// there would be stale.
func (o *catalogOptions) foreign(out *paths.Dir) error {
	if _, others := cardfile.Lists(out); others {
		return usageError("name another directory, or set catalog: true and html: true in the configuration of the project",
			"--out %s is an output directory of cardwright generate", diag.Quote(o.out))
	}
	return nil
}

// files are the catalogs and the page.
func (o *catalogOptions) files(agents []discovery.Agent) ([]tree.File, diag.List, error) {
	site := discovery.NewSite(discovery.Host{Publisher: o.publisher, Namespace: o.namespace}, agents)
	if o.title != "" {
		site.Title = o.title
	}
	site.Host.Name = site.Title
	site.Catalog, site.HasARD = true, true
	data, found := site.AICatalog()
	ard, more := site.ARD()
	for _, d := range more { // the examples are others', and the rest was told before
		if d.Rule == "ard-identifier" {
			found = append(found, d)
		}
	}
	page, err := site.Page()
	if err != nil {
		return nil, nil, err
	}
	file := func(name string, data []byte) tree.File {
		f := tree.File{Path: name, Data: data, Sidecars: true}
		if o.baseURL != "" {
			f.URL = o.baseURL + "/" + name
		}
		return f
	}
	return []tree.File{
		file(discovery.Path, data),
		file(discovery.ARDPath, ard),
		file(discovery.PagePath, page),
	}, found, nil
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
	if err := a.printFindings(run); err != nil {
		return err
	}
	if found.Worst() == diag.Error {
		return done(outputCode(found))
	}
	if o.format == "text" && !a.quiet {
		dir := out.Name
		a.print(fmt.Sprintf("%s: %s; %s", dir, diag.Count(agents, "agent"), output.Written(wrote)))
		for _, f := range files {
			a.print("  " + paths.Join(dir, f.Path))
		}
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
			a.print(line)
		}
		if len(drift) > 0 {
			a.talk("the files on disk are out of date; to update them, run the same command without --check")
		}
	}
	code := outputCode(found)
	if len(drift) > 0 {
		code = max(code, exitFindings)
	}
	shown := slices.Concat(run.Found, found).Sorted()
	drifted := drift.Findings(out.Name)
	for i := range drifted {
		drifted[i].Hint = "run the same command without --check"
	}
	run.Found = append(slices.Clone(shown), drifted...).Sorted()
	if code == exitOK {
		shown = nil // no drift, no output
	}
	if err := a.emit(run, shown); err != nil {
		return err
	}
	return done(code)
}
