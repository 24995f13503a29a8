package project

import (
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Load reads the configuration file, or makes a configuration from flags where
// there is none. It is nil where it cannot be used at all.
func Load(p *Project, o Options) (*config.Config, diag.List, error) {
	options := o.Options
	options.File, options.Sources = p.Config, o.slashed()
	if p.Config != "" {
		if flags := o.Described(); len(flags) > 0 {
			return nil, nil, diag.UsageError(describedHint(flags[0], p.Config),
				"%s is only for runs without a configuration, but there is %s", flags[0], p.Config)
		}
		data, err := p.readConfig(o.Limits.WithDefaults().Source)
		if err != nil {
			return nil, nil, err
		}
		options.Files = p.configFiles()
		cfg, found := config.Load(data, options)
		given(cfg, options.Sources)
		return cfg, found, nil
	}
	if o.Environment != "" {
		return nil, nil, diag.UsageError("", "--env needs a configuration, but there is no cardwright.yaml")
	}
	if err := o.complete(); err != nil {
		return nil, nil, err
	}
	cfg, found := config.FromFlags(o.Card, options)
	given(cfg, options.Sources)
	return cfg, found, nil
}

// given marks the sources that are directories of the command line.
func given(cfg *config.Config, dirs []string) {
	if cfg == nil || len(dirs) == 0 || len(cfg.Agents) != 1 {
		return
	}
	from := cfg.Agents[0].Skills.From
	for i := range from {
		from[i].Given = true
	}
}

// Surroundings are what commands need to know of the project around a tree that
// is there already: as much as a configuration says, the defaults without one.
// Its faults are generate's to report.
func Surroundings(p *Project, o Options) (*config.Config, error) {
	if p.Config != "" {
		loaded, _, err := Load(p, o)
		if err != nil || loaded != nil {
			return loaded, err
		}
	}
	return &config.Config{Out: "dist"}, nil
}

// Environments are the names of the environments of a project, none where its
// configuration cannot be read.
func Environments(p *Project) []string {
	if p.Config == "" {
		return nil
	}
	data, err := p.readConfig(source.Limits{}.WithDefaults().Source)
	if err != nil {
		return nil
	}
	return config.Environments(data)
}

// describedHint is what to do in place of a flag that describes an agent, where the
// configuration describes it.
func describedHint(flag, config string) string {
	switch flag {
	case "--protocol":
		return `set versions of the interfaces in ` + config + `: versions: ["1.0", "0.3"] makes a card for both`
	case "--url":
		return "set interfaces in " + config + ", or --base-url for the place where relative URLs begin"
	}
	key := strings.TrimPrefix(strings.TrimPrefix(flag, "--"), "card-")
	return "use --set " + key + "=VALUE"
}
