package cli

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/catalog"
	"cardwright/internal/diag"
	"cardwright/internal/publish"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) catalogCommand() *ucli.Command {
	var o catalogOptions
	return &ucli.Command{
		Name:      "catalog",
		Usage:     "list cards that others wrote, for machines and for people",
		UsageText: "cardwright catalog CARD... --out DIR [flags]",
		Description: `Writes an AI Catalog, .well-known/ai-catalog.json, and a page, index.html, about
any cards. CARD is a file, a pattern, a directory (every agent-card.json and
agent.json below it) or - for standard input, in any version and dialect that
convert reads; what had to be repaired is said. Extended cards are left out.

The URL of a card is known from the manifest of its output tree, from --card-url,
or from --base-url where the card lies in DIR. A card whose URL is unknown is
embedded. Cards of your own project are better listed by generate: see catalog
and html in its configuration.

Examples:
  cardwright catalog 'cards/*.json' --out site --publisher acme.example
  cardwright catalog ../billing/dist ../review/dist --out site --title "Agents of Acme"
  cardwright catalog 'cards/*.json' --out site \
      --card-url cards/a.json=https://a.example/.well-known/agent-card.json
  cardwright catalog 'cards/*.json' --out site --check`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "out", Usage: "write catalogue and page to `DIR`", Destination: &o.out},
			&ucli.StringFlag{Name: "publisher", Usage: "`DOMAIN` in the identifiers of all agents (default: what each card tells)", Destination: &o.publisher},
			&ucli.StringFlag{Name: "namespace", Usage: "`NAME` in the identifiers (default: agent)", Destination: &o.namespace},
			&ucli.StringFlag{Name: "title", Usage: "`TEXT` at the head of the page, and name of the catalogue's host", Destination: &o.title},
			&ucli.StringFlag{Name: "base-url", Usage: "`URL` where DIR is served", Destination: &o.baseURL},
			&ucli.StringSliceFlag{Name: "card-url", Usage: "where a card is published, `FILE=URL` (repeatable)"},
			&ucli.StringSliceFlag{Name: "id", Usage: "call the agent of a card ID in its identifier, `FILE=ID` (repeatable)"},
			&ucli.BoolFlag{Name: "check", Usage: "write nothing; exit 1 when the files on disk differ", Destination: &o.check},
			&ucli.BoolFlag{Name: "force", Usage: "take over files that stand in the way", Destination: &o.force},
			&ucli.StringSliceFlag{Name: "limit", Usage: "raise a bound, `NAME=N`: card, nesting (repeatable)"},
		),
		Action: func(c *ucli.Context) error {
			return a.catalog(c.Context, &o, c.Args().Slice(), c.StringSlice("card-url"), c.StringSlice("id"), c.StringSlice("limit"))
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
	cardURLs  perCard
	ids       perCard
	manifests manifests
	check     bool
	force     bool
	limits    source.Limits
}

// finish checks the flags and reads those with a form of their own.
func (o *catalogOptions) finish(names, urls, ids, limits []string) (err error) {
	if err = o.findingOptions.check(); err != nil {
		return err
	}
	o.publisher, o.manifests = strings.ToLower(o.publisher), manifests{}
	switch {
	case len(names) == 0:
		return usageError("cardwright catalog 'cards/*.json' --out site", "catalog needs a card")
	case o.out == "":
		return usageError("--out site", "catalog needs to know where to write to")
	case o.publisher != "" && catalog.PublisherFault(o.publisher) != "":
		return usageError("--publisher acme.example", "--publisher %s %s", diag.Quote(o.publisher), catalog.PublisherFault(o.publisher))
	case o.namespace != "" && catalog.NamespaceFault(o.namespace) != "":
		return usageError("use letters, digits, dots, hyphens and underscores, and colons between segments", "--namespace %s %s", diag.Quote(o.namespace), catalog.NamespaceFault(o.namespace))
	case o.baseURL != "" && (!webURL(o.baseURL) || strings.ContainsAny(o.baseURL, "?#")):
		return usageError("--base-url https://agents.acme.example", "--base-url must be an absolute http or https URL without user information, query and fragment")
	}
	o.baseURL = strings.TrimRight(o.baseURL, "/")
	if o.limits, err = parseLimits(limits); err != nil {
		return err
	}
	if o.ids, err = parsePerCard("--id", "ID", ids); err != nil {
		return err
	}
	if o.cardURLs, err = parsePerCard("--card-url", "URL", urls); err != nil {
		return err
	}
	return o.checkCardURLs()
}

// checkCardURLs refuses what cannot be the URL of a card, and one URL for two.
func (o *catalogOptions) checkCardURLs() error {
	at := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(o.cardURLs)) {
		address := o.cardURLs[name].value
		if !webURL(address) {
			return usageError("--card-url cards/a.json=https://a.example/.well-known/agent-card.json", "--card-url for %s must be an absolute http or https URL without user information", diag.Quote(name))
		}
		if first, ok := at[address]; ok {
			return usageError("a URL has one card: clients would refuse the other", "--card-url says %s of both %s and %s", diag.Quote(address), diag.Quote(first), diag.Quote(name))
		}
		at[address] = name
	}
	return nil
}

// webURL tells whether a text can be where something is published.
func webURL(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

func (a *app) catalog(ctx context.Context, o *catalogOptions, names, urls, ids, limits []string) error {
	if err := o.finish(names, urls, ids, limits); err != nil {
		return err
	}
	if err := o.foreign(); err != nil {
		return err
	}
	run := &built{options: &o.findingOptions, project: &project{}, given: names}
	agents, found := a.listed(run.project, o, names)
	for _, f := range []struct {
		flag   string
		values perCard
	}{{"--card-url", o.cardURLs}, {"--id", o.ids}} {
		if name := f.values.unused(); name != "" {
			return usageError("spell it as the findings do", "%s names %s, which is not among the cards", f.flag, diag.Quote(name))
		}
	}
	files, more, err := o.files(agents)
	if err != nil {
		return err
	}
	run.found = o.settle(append(found, more...))
	switch {
	case run.failed():
		return a.endFindings(run)
	case o.check:
		return a.checkSite(run, o, files)
	}
	return a.writeSite(ctx, run, o, len(agents), files)
}

// foreign refuses a directory that another command fills: what it has written
// there would be stale.
func (o *catalogOptions) foreign() error {
	if _, others := manifestLists(o.out); others {
		return usageError("name another directory, or set catalog: true and html: true in the configuration of the project", "--out %s is an output directory of cardwright generate", diag.Quote(o.out))
	}
	return nil
}

// manifestLists tells what the manifest in a directory lists: the files of this
// command, and others.
func manifestLists(dir string) (indexes, others bool) {
	for p := range manifestOf(dir) {
		p = strings.TrimSuffix(strings.TrimSuffix(p, schema.ETagSuffix), schema.ChecksumSuffix)
		if p == catalog.Path || p == catalog.PagePath {
			indexes = true
		} else {
			others = true
		}
	}
	return indexes, others
}

// files are the catalogue and the page.
func (o *catalogOptions) files(agents []catalog.Agent) ([]schema.File, diag.List, error) {
	site := catalog.NewSite(catalog.Host{Publisher: o.publisher, Namespace: o.namespace}, agents)
	if o.title != "" {
		site.Title = o.title
	}
	site.Host.Name = site.Title
	site.Catalog = true
	data, found := site.AICatalog()
	page, err := site.Page()
	if err != nil {
		return nil, nil, err
	}
	file := func(name, contentType string, data []byte) schema.File {
		f := schema.File{Path: name, Data: data, ContentType: contentType, Sidecars: true}
		if o.baseURL != "" {
			f.URL = o.baseURL + "/" + name
		}
		return f
	}
	return []schema.File{
		file(catalog.Path, catalog.MediaType, data),
		file(catalog.PagePath, catalog.PageType, page),
	}, found, nil
}

// writeSite puts catalogue and page on disk and says what it did.
func (a *app) writeSite(ctx context.Context, run *built, o *catalogOptions, agents int, files []schema.File) error {
	report, found, err := publish.Write(ctx, o.out, files, publish.Options{Force: o.force})
	if err != nil {
		return err
	}
	run.found = append(run.found, found...).Sorted()
	if err := a.printFindings(run); err != nil {
		return err
	}
	if found.Worst() == diag.Error {
		return done(outputCode(found))
	}
	if o.format == "text" && !a.quiet {
		dir := filepath.ToSlash(o.out)
		a.print(fmt.Sprintf("%s: %s; %s", dir, count(agents, "agent"), written(report)))
		for _, f := range files {
			a.print("  " + path.Join(dir, f.Path))
		}
	}
	return nil
}

// checkSite compares catalogue and page with what is on disk.
func (a *app) checkSite(run *built, o *catalogOptions, files []schema.File) error {
	drift, found := publish.Check(o.out, files, publish.Options{Force: o.force})
	if found.Worst() == diag.Error {
		drift = nil
	}
	if o.format == "text" {
		for _, line := range drift.Lines(filepath.ToSlash(o.out)) {
			a.print(line)
		}
		if len(drift) > 0 {
			a.talk("the files on disk are out of date; the same command without --check brings them up to date")
		}
	}
	code := outputCode(found)
	if len(drift) > 0 {
		code = max(code, exitFindings)
	}
	told := slices.Concat(run.found, found).Sorted()
	drifted := drift.Findings(o.out)
	for i := range drifted {
		drifted[i].Hint = "run the same command without --check"
	}
	run.found = append(slices.Clone(told), drifted...).Sorted()
	if code == exitOK {
		told = nil // no drift, no output
	}
	if err := a.emit(run, told); err != nil {
		return err
	}
	return done(code)
}
