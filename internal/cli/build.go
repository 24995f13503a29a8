package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	ucli "github.com/urfave/cli/v2"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/keyring"
	"cardwright/internal/lint"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
	"cardwright/mapping"
)

// projectOptions are the flags of every command that builds the project.
type projectOptions struct {
	findingOptions
	dirs         []string
	environment  string
	baseURL      string
	set          []string
	agents       []string
	limits       []string
	allowEnv     []string
	card         config.Flags
	onSkillError string
	changedSince string   // revision
	known        *built   // the run before, whose configuration still holds
	again        []string // agents that have to be made again after it, nil for all
}

func (o *projectOptions) flags() []ucli.Flag {
	o.groups = true
	return append(o.findingOptions.flags(),
		&ucli.StringFlag{
			Name: "on-skill-error",
			Usage: "when the texts of a skill have an error, `ACTION` fail stops the run, " +
				"skip leaves the skill out (overrides skills.onError)", Destination: &o.onSkillError,
		},
		&ucli.BoolFlag{
			Name: "all", Usage: "print every finding, also those that skills ignore, and every difference",
			Destination: &o.all,
		},
		&ucli.StringFlag{Name: "env", Usage: "apply the overrides of the environment `NAME`", Destination: &o.environment},
		&ucli.StringFlag{Name: "base-url", Usage: "`URL` where the output directory is served", Destination: &o.baseURL},
		&ucli.StringSliceFlag{Name: "set", Usage: "set a card field, `KEY=VALUE`, such as version=1.4.0 (repeatable)"},
		allowEnvFlag(),
		&ucli.StringSliceFlag{Name: "agent", Usage: "only the agent with this `ID` (repeatable)"},
		&ucli.StringFlag{
			Name:  "changed-since",
			Usage: "only agents whose inputs differ from those in `REV`: a commit, branch or tag", Destination: &o.changedSince,
		},
		&ucli.StringSliceFlag{
			Name:  "limit",
			Usage: "raise a limit, `NAME=N`: frontmatter, source, card, nesting, depth, skills (repeatable)",
		},
	)
}

func allowEnvFlag() ucli.Flag {
	return &ucli.StringSliceFlag{
		Name:  "allow-env",
		Usage: "let vars read the environment variable `NAME`, although it looks like a secret (repeatable)",
	}
}

// finish takes over what urfave/cli does not put into a destination.
func (o *projectOptions) finish(c *ucli.Context) {
	o.dirs = c.Args().Slice()
	o.set = c.StringSlice("set")
	o.agents = c.StringSlice("agent")
	o.limits = c.StringSlice("limit")
	o.allowEnv = c.StringSlice("allow-env")
}

// built is a project after the pipeline.
type built struct {
	report.Sheet
	options     *findingOptions
	space       *workspace.Space
	project     *workspace.Project // nil where the configuration does not matter
	config      *config.Config
	result      generate.Result
	configFound diag.List         // of the configuration itself
	agents      []string          // ids of those that were chosen, all when empty
	given       []string          // what was named on the command line
	owners      map[string]string // who answers for an agent, by its id
	outputs     outputs           // of generate
	progress    progress          // how far the run is
	// unchanged tells that no agent was chosen, because nothing has changed.
	unchanged bool
	data      bool // the findings are what the command is for, and go to stdout
}

// failed tells whether the findings reach the level that ends a run.
func (b *built) failed() bool { return b.Found.Worst() >= b.options.threshold() }

// add adds findings, as the configuration and the flags make them count.
func (b *built) add(found diag.List) {
	found = lint.Switches{Rules: b.config.Rules, Strict: b.options.strict}.Apply(found)
	b.Found = append(b.Found, found...).Sorted()
}

// progress is what a run has done so far.
type progress struct {
	generate.Progress
	sent    atomic.Int64 // requests
	read    atomic.Int64 // cards of others
	written atomic.Int64 // files
}

// line says how far a run is.
func (p *progress) line() string {
	var parts []string
	for _, c := range []struct {
		n    int64
		noun string
		done string
	}{
		{p.sent.Load(), "request", "sent"},
		{p.read.Load(), "card", "read"},
		{p.Skills.Load(), "skill", "read"},
		{p.Cards.Load(), "card", "made"},
		{p.written.Load(), "file", "written"},
	} {
		if c.n > 0 {
			parts = append(parts, report.Plural(int(c.n), c.noun)+" "+c.done)
		}
	}
	if len(parts) == 0 {
		return "reading"
	}
	return strings.Join(parts, ", ")
}

// build runs the pipeline over the project. The caller may adjust the request, and
// closes the project of what is returned.
func (a *app) build(ctx context.Context, o *projectOptions, adjust func(*built, *generate.Request) error) (_ *built,
	err error,
) {
	if err := o.check(); err != nil {
		return nil, err
	}
	limits, err := parseLimits(o.limits)
	if err != nil {
		return nil, err
	}
	if o.changedSince != "" && len(o.agents) > 0 {
		return nil, usageError("leave one of them out", "--agent and --changed-since both choose agents")
	}
	a.alone = len(o.cardFlags()) > 0
	p, err := a.openProject()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if err := o.sourceNames(p.Space); err != nil {
		return nil, err
	}
	run := &built{options: &o.findingOptions, space: p.Space, project: p, given: o.dirs}
	var cfg *config.Config
	var found diag.List
	if o.known != nil {
		cfg, found = o.known.config, o.known.configFound
	} else if cfg, found, err = a.loadConfig(p, o, limits); err != nil {
		return nil, err
	}
	run.configFound = found
	if cfg != nil {
		p.Parts = cfg.Files
	}
	if found.Worst() == diag.Error {
		run.Found = found.Sorted()
		return run, nil
	}
	if _, faults := accepted(p, cfg); faults.Worst() == diag.Error {
		run.Found = faults.Sorted()
		return run, nil
	}
	if err := knownAgents(cfg, o.agents); err != nil {
		return nil, err
	}
	run.agents = o.agents
	if o.again != nil {
		run.agents = o.again
	}
	run.config, run.owners = cfg, map[string]string{}
	for i := range cfg.Agents {
		run.owners[cfg.Agents[i].ID] = cfg.Agents[i].Owner
	}
	given := map[string]bool{}
	for _, dir := range o.dirs {
		given[filepath.ToSlash(dir)] = true
	}
	request := generate.Request{
		Config: cfg, Agents: run.agents, Strict: o.strict, Notes: o.threshold() == diag.Info,
		Open: func(name string) (mapping.Tree, error) {
			if given[name] {
				return p.Given(filepath.FromSlash(name))
			}
			return p.OpenSource(name)
		},
	}
	if err := adjust(run, &request); err != nil {
		return nil, err
	}
	if o.changedSince != "" {
		ids, all, err := run.changedSince(ctx, o.changedSince)
		if err != nil {
			return nil, err
		}
		run.agents, run.unchanged = ids, !all && len(ids) == 0
		request.Agents = ids
	}
	if run.unchanged {
		if run.Found = o.apply(found); !a.quiet {
			a.talk("no agent has changed since " + o.changedSince)
		}
		return run, nil
	}
	request.Progress = &run.progress.Progress
	stop := a.showProgress(run.progress.line)
	result, more, err := generate.Run(ctx, request)
	stop()
	if err != nil {
		return nil, err
	}
	run.result = result
	run.Found = o.apply(slices.Concat(run.Found, found, more))
	run.Ignored = o.apply(result.Ignored)
	return run, nil
}

// loadConfig reads the configuration file, or makes one from flags where there
// is none.
func (a *app) loadConfig(p *workspace.Project, o *projectOptions, limits source.Limits) (*config.Config,
	diag.List, error,
) {
	for _, name := range o.allowEnv {
		if !keyring.IsVariable(name) {
			return nil, nil, usageError("--allow-env NAME", "--allow-env %s does not name an environment variable",
				diag.Quote(name))
		}
	}
	options := config.Options{
		File:         p.Config,
		Getenv:       os.LookupEnv,
		AllowEnv:     o.allowEnv,
		OnSkillError: o.onSkillError,
		Environment:  o.environment,
		BaseURL:      o.baseURL,
		Set:          o.set,
		Sources:      slashed(o.dirs),
		Limits:       limits,
		Agents:       o.agents,
	}
	flags := o.cardFlags()
	if p.Config != "" {
		if len(flags) > 0 {
			return nil, nil, usageError("use --set, for example --set name=Review",
				"%s is only for runs without a configuration, and there is %s", flags[0], p.Config)
		}
		data, err := p.ReadConfig(limits.WithDefaults().Source)
		if err != nil {
			return nil, nil, err
		}
		options.Files = p.ConfigFiles()
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

// slashed are paths of the command line as the configuration spells them.
func slashed(dirs []string) []string {
	var names []string
	for _, dir := range dirs {
		names = append(names, filepath.ToSlash(dir))
	}
	return names
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
		return usageError("cardwright init writes a starter; or describe one agent with "+
			"--name, --description, --url and a skills directory", "no cardwright.yaml here")
	case len(missing) > 0:
		verb := "is"
		if len(missing) > 1 {
			verb = "are"
		}
		return usageError("cardwright generate --name N --description D --url U SKILLS_DIR",
			"without a configuration, %s %s missing", strings.Join(missing, ", "), verb)
	}
	return knownProtocol(o.card.Protocol)
}
