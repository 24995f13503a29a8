package cli

import (
	"context"
	"io"
	"os"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

func (a *app) generateCommand() *ucli.Command {
	var o generateOptions
	return &ucli.Command{
		Name:      "generate",
		Usage:     "make the cards from configuration and skills",
		UsageText: "cardwright generate [flags] [SKILLS_DIR...]",
		Description: `Reads cardwright.yaml and the skills it names, and writes the cards with their
sidecars and a manifest. Directories given here replace skills.from of the only
agent. Nothing is written when there is an error.

Examples:
  cardwright generate
  cardwright generate --env staging --set version=1.4.0
  cardwright generate --check
  cardwright generate --watch --server nginx
  cardwright generate --name Review --description "Reviews pull requests." \
      --url https://agents.acme.example/a2a skills/`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "name", Usage: "without a configuration: `NAME` of the agent", Destination: &o.card.Name},
			&ucli.StringFlag{Name: "description", Usage: "without a configuration: `TEXT` that says what the agent does", Destination: &o.card.Description},
			&ucli.StringFlag{Name: "url", Usage: "without a configuration: `URL` of the agent", Destination: &o.card.URL},
			&ucli.StringFlag{Name: "card-version", Usage: "without a configuration: `VERSION` of the agent (default 0.0.0)", Destination: &o.card.Version},
			&ucli.StringFlag{Name: "protocol", Usage: "without a configuration: `VERSION` of A2A, 1.0, 0.3 or dual (default 1.0)", Destination: &o.card.Protocol},
			&ucli.StringFlag{Name: "out", Usage: "write the cards to `DIR` (default dist, or out of the configuration)", Destination: &o.out},
			&ucli.StringFlag{Name: "private-out", Usage: "write extended cards to `DIR`, outside of --out", Destination: &o.privateOut},
			&ucli.BoolFlag{Name: "check", Usage: "write nothing; exit 1 when the files on disk differ", Destination: &o.check},
			&ucli.BoolFlag{Name: "watch", Usage: "generate again on every change of configuration, skills and other sources", Destination: &o.watch},
			&ucli.StringSliceFlag{Name: "server", Usage: "also write configuration for the server `TARGET` (repeatable): " + strings.Join(hosting.Targets(), ", ")},
			&ucli.StringFlag{Name: "server-dir", Usage: "write server configuration to `DIR`, outside of --out (default OUT.server)", Destination: &o.serverDir},
			&ucli.StringFlag{Name: "audit", Usage: "append a line of JSON for each published card to `FILE`, - for standard output", Destination: &o.audit},
			&ucli.BoolFlag{Name: "force", Usage: "take over files that stand in the way", Destination: &o.force},
		),
		Action: func(c *ucli.Context) error {
			o.finish(c)
			o.servers = c.StringSlice("server")
			return a.generate(c.Context, &o)
		},
	}
}

// generateOptions are the flags of generate.
type generateOptions struct {
	projectOptions
	out        string
	privateOut string
	servers    []string
	serverDir  string
	audit      string
	check      bool
	watch      bool
	force      bool

	told *diag.List // findings of the last run of --watch that wrote, nil before it
}

// validate refuses flags that do not go together.
func (o *generateOptions) validate() error {
	switch {
	case o.watch && o.check:
		return usageError("run --check alone", "--watch writes and --check does not")
	case o.audit == "-" && o.format != "text":
		return usageError("--audit FILE", "--audit - and --format %s would both print to standard output", o.format)
	}
	return knownServers(o.servers)
}

func (a *app) generate(ctx context.Context, o *generateOptions) error {
	if err := o.validate(); err != nil {
		return err
	}
	if o.watch {
		return a.follow(ctx, "nothing is written", func(ctx context.Context) error { return a.generateOnce(ctx, o) })
	}
	return a.generateOnce(ctx, o)
}

func (a *app) generateOnce(ctx context.Context, o *generateOptions) error {
	run, err := a.build(ctx, &o.projectOptions, o.publishing)
	if err != nil {
		return err
	}
	defer run.project.close()
	if run.failed() {
		return a.endFindings(run)
	}
	trees, err := o.trees(run)
	if err != nil {
		return err
	}
	switch {
	case run.failed():
		return a.endFindings(run)
	case o.check:
		return a.check(run, trees)
	}
	return a.write(ctx, o, run, trees)
}

// publishing adds to a request what depends on where the output goes.
func (o *generateOptions) publishing(run *built, request *generate.Request) {
	o.ignoreOutput(run)
	request.Keys = keyRing(run.project, o.check)
	request.Published = run.project.onDisk(o.outDir(run), o.privateOut)
	if !o.check && !o.watch { // which tell of drift, and of work in progress
		request.Base = request.Published
	}
}

// ignoreOutput keeps what the run writes from counting as a change, where it
// lies in the directory of a source.
func (o *generateOptions) ignoreOutput(run *built) {
	out := o.outDir(run)
	servers, err := o.serversDir(out)
	if err != nil {
		servers = "" // told later
	}
	places := []string{out, servers, o.privateOut, o.audit}
	for _, file := range o.reports {
		places = append(places, file.name)
	}
	for _, place := range places {
		if place != "" {
			run.project.watcher.Ignore(resolved(place))
		}
	}
}

// projectOptions are the flags of every command that builds the project.
type projectOptions struct {
	findingOptions
	dirs        []string
	environment string
	baseURL     string
	set         []string
	agents      []string
	limits      []string
	card        config.Flags
}

func (o *projectOptions) flags() []ucli.Flag {
	return append(o.findingOptions.flags(),
		&ucli.StringFlag{Name: "env", Usage: "lay environment `NAME` over the configuration", Destination: &o.environment},
		&ucli.StringFlag{Name: "base-url", Usage: "`URL` where the output directory is served", Destination: &o.baseURL},
		&ucli.StringSliceFlag{Name: "set", Usage: "set a card field, `KEY=VALUE`, such as version=1.4.0 (repeatable)"},
		&ucli.StringSliceFlag{Name: "agent", Usage: "only the agent with this `ID` (repeatable)"},
		&ucli.StringSliceFlag{Name: "limit", Usage: "raise a bound, `NAME=N`: frontmatter, source, card, nesting, depth, skills (repeatable)"},
	)
}

// finish takes over what urfave/cli does not put into a destination.
func (o *projectOptions) finish(c *ucli.Context) {
	o.dirs = c.Args().Slice()
	o.set = c.StringSlice("set")
	o.agents = c.StringSlice("agent")
	o.limits = c.StringSlice("limit")
}

// built is a project after the pipeline.
type built struct {
	options *findingOptions
	project *project
	config  *config.Config
	result  generate.Result
	given   []string // what was named on the command line
	// markdown prints a form of its own that the command has.
	markdown func(io.Writer) error
	found    diag.List // switched, sorted
	data     bool      // the findings are what the command is for, and go to stdout
}

// failed tells whether the findings reach the level that ends a run.
func (b *built) failed() bool { return b.found.Worst() >= b.options.threshold() }

// add adds findings, as the configuration and the flags make them count.
func (b *built) add(found diag.List) {
	found = lint.Switches{Rules: b.config.Rules, Strict: b.options.strict}.Apply(found)
	b.found = append(b.found, found...).Sorted()
}

// build runs the pipeline over the project. The caller may adjust the request.
func (a *app) build(ctx context.Context, o *projectOptions, adjust func(*built, *generate.Request)) (*built, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	limits, err := parseLimits(o.limits)
	if err != nil {
		return nil, err
	}
	p, err := a.openProject()
	if err != nil {
		return nil, err
	}
	run := &built{options: &o.findingOptions, project: p, given: o.dirs}
	cfg, found, err := a.loadConfig(p, o, limits)
	if err != nil {
		return nil, err
	}
	if found.Worst() == diag.Error {
		run.found = found.Sorted()
		return run, nil
	}
	if err := knownAgents(cfg, o.agents); err != nil {
		return nil, err
	}
	run.config = cfg
	given := map[string]bool{}
	for _, dir := range o.dirs {
		given[dir] = true
	}
	request := generate.Request{Config: cfg, Agents: o.agents, Strict: o.strict, Notes: o.threshold() == diag.Info, Open: func(name string) (generate.Tree, error) {
		if given[name] {
			return p.directory(name)
		}
		return p.source(name)
	}}
	adjust(run, &request)
	result, more, err := generate.Run(ctx, request)
	if err != nil {
		return nil, err
	}
	run.result = result
	run.found = o.settle(append(found, more...))
	return run, nil
}

// loadConfig reads the configuration file, or makes one from flags where there
// is none.
func (a *app) loadConfig(p *project, o *projectOptions, limits source.Limits) (*config.Config, diag.List, error) {
	options := config.Options{
		File:        p.config,
		Getenv:      os.LookupEnv,
		Environment: o.environment,
		BaseURL:     o.baseURL,
		Set:         o.set,
		Sources:     o.dirs,
		Limits:      limits,
		Rules:       ruleIDs(),
	}
	flags := o.cardFlags()
	if p.config != "" {
		if len(flags) > 0 {
			return nil, nil, usageError("use --set, for example --set name=Review", "%s is for runs without a configuration, and there is %s", flags[0], p.config)
		}
		data, err := p.readConfig(limits.WithDefaults().Source)
		if err != nil {
			return nil, nil, err
		}
		cfg, found := config.Load(data, options)
		return cfg, found, nil
	}
	if o.environment != "" {
		return nil, nil, usageError("", "--env needs a configuration, and there is no cardwright.yaml")
	}
	if err := o.complete(); err != nil {
		return nil, nil, err
	}
	cfg, found := config.FromFlags(o.card, options)
	return cfg, found, nil
}

// cardFlags names the flags that describe an agent.
func (o *projectOptions) cardFlags() []string {
	var given []string
	for _, f := range []struct{ name, value string }{
		{"--name", o.card.Name},
		{"--description", o.card.Description},
		{"--url", o.card.URL},
		{"--card-version", o.card.Version},
		{"--protocol", o.card.Protocol},
	} {
		if f.value != "" {
			given = append(given, f.name)
		}
	}
	return given
}

// complete checks that the flags describe an agent.
func (o *projectOptions) complete() error {
	var missing []string
	for _, f := range []struct{ name, value string }{
		{"--name", o.card.Name},
		{"--description", o.card.Description},
		{"--url", o.card.URL},
	} {
		if f.value == "" {
			missing = append(missing, f.name)
		}
	}
	if len(o.dirs) == 0 {
		missing = append(missing, "a skills directory")
	}
	switch {
	case len(missing) == 4 && len(o.cardFlags()) == 0:
		return usageError("cardwright init writes a starter; or describe one agent with --name, --description, --url and a skills directory", "no cardwright.yaml here")
	case len(missing) > 0:
		verb := "is"
		if len(missing) > 1 {
			verb = "are"
		}
		return usageError("cardwright generate --name N --description D --url U SKILLS_DIR", "without a configuration, %s %s missing", strings.Join(missing, ", "), verb)
	}
	switch o.card.Protocol {
	case "", "1.0", "0.3", "dual":
		return nil
	}
	return usageError("use 1.0, 0.3 or dual", "unknown protocol %q", o.card.Protocol)
}

// outDir is where the cards go, relative to the working directory.
func (o *generateOptions) outDir(run *built) string {
	if o.out != "" {
		return o.out
	}
	return run.project.outDir(run.config)
}
