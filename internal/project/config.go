package project

import (
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Load reads the configuration file. The Config is nil where it cannot be used at all.
func Load(p *Project, o Options) (*config.Config, diag.List, error) {
	if p.Config == "" {
		return nil, nil, diag.UsageError("cardwright init writes a starter", "no cardwright.yaml here or above")
	}
	data, err := p.readConfig(source.MaxSource)
	if err != nil {
		return nil, nil, err
	}
	cfg, found := config.Load(data, config.Options{
		File: p.Config, Files: p.configFiles(), Getenv: o.Getenv, Environment: o.Environment, BaseURL: o.BaseURL, Set: o.Set,
	})
	return cfg, found, nil
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
