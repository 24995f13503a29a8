package project

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/hosting"
	"cardwright/internal/nearest"
	"cardwright/internal/safefile"
	"cardwright/internal/secret"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
)

// Load reads the configuration file, or makes a configuration from flags where
// there is none. It is nil where it cannot be used at all.
func Load(p *workspace.Project, o Options) (*config.Config, diag.List, error) {
	for _, name := range o.AllowEnv {
		if !secret.IsVariable(name) {
			return nil, nil, diag.UsageError("--allow-env NAME", "--allow-env %s does not name an environment variable",
				diag.Quote(name))
		}
	}
	options := config.Options{
		File:         p.Config,
		Getenv:       o.Getenv,
		AllowEnv:     o.AllowEnv,
		OnSkillError: o.OnSkillError,
		Environment:  o.Environment,
		BaseURL:      o.BaseURL,
		Set:          o.Set,
		Sources:      o.slashed(),
		Limits:       o.Limits,
		Agents:       o.Agents,
		SkipLists:    o.SkipLists,
	}
	if p.Config != "" {
		if flags := o.Described(); len(flags) > 0 {
			return nil, nil, diag.UsageError("use --set, for example --set name=Review",
				"%s is only for runs without a configuration, but there is %s", flags[0], p.Config)
		}
		data, err := p.ReadConfig(o.Limits.WithDefaults().Source)
		if err != nil {
			return nil, nil, err
		}
		options.Files = p.ConfigFiles()
		cfg, found := config.Load(data, options)
		return cfg, found, nil
	}
	if o.Environment != "" {
		return nil, nil, diag.UsageError("", "--env needs a configuration, but there is no cardwright.yaml")
	}
	if err := o.complete(); err != nil {
		return nil, nil, err
	}
	cfg, found := config.FromFlags(o.Card, options)
	return cfg, found, nil
}

// Surroundings are what commands need to know of the project around a tree that
// is there already: as much as a configuration says, the defaults without one.
// Its faults are generate's to report.
func Surroundings(p *workspace.Project, o Options) (*config.Config, error) {
	if p.Config != "" {
		loaded, _, err := Load(p, o)
		if err != nil || loaded != nil {
			return loaded, err
		}
	}
	return &config.Config{Out: "dist"}, nil
}

// Hosting is what a configuration says about hosting the output in a directory.
func Hosting(c *config.Config, out string) hosting.Settings {
	return hosting.Settings{
		CacheControl:     c.Hosting.CacheControl,
		NoCORS:           c.Hosting.NoCORS,
		Deprecation:      c.Hosting.Deprecation,
		NoDeprecation:    c.Hosting.NoDeprecation,
		DraftDeprecation: c.Hosting.DraftDeprecation,
		Sunset:           c.Hosting.Sunset,
		HostLayout:       c.Layout == config.Host,
		Out:              filepath.ToSlash(out),
		Base:             basePath(c),
	}
}

// basePath is the path of baseUrl, below which the tree is found.
func basePath(c *config.Config) string {
	u, err := url.Parse(c.BaseURL)
	if err != nil || c.Layout == config.Host {
		return "" // the URL has been judged
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// Accepted reads the differences that the configuration accepts.
func Accepted(p *workspace.Project, c *config.Config) ([]diff.Accepted, diag.List) {
	n := c.Node.Get("accept")
	if !n.Is(source.String) {
		return nil, nil
	}
	tree, err := p.OpenSource(n.Text)
	var data []byte
	if err == nil {
		data, err = safefile.ReadFile(tree.FS, tree.Root, c.Limits.WithDefaults().Source)
	}
	if err != nil {
		return nil, diag.List{diag.New("config-file", n.Span, "the accepted differences %s cannot be read: %s",
			diag.Quote(n.Text), safefile.Reason(err)).
			WithHint("cardwright diff --git main --accept-into " + n.Text + " writes the file")}
	}
	return diff.ParseAccepted(tree.Show(tree.Root), data, c.Limits.WithDefaults())
}

// Accept takes the differences out that the configuration of a project accepts, where
// it has one. Other faults of that are generate's to report.
func Accept(p *workspace.Project, list []diff.Comparison, getenv func(name string) (string, bool), now time.Time) (
	[]diff.Comparison, diag.List, error,
) {
	if p.Config == "" {
		return list, nil, nil
	}
	cfg, _, err := Load(p, Options{Getenv: getenv})
	if err != nil || cfg == nil {
		return list, nil, err
	}
	entries, found := Accepted(p, cfg)
	if found.Worst() == diag.Error {
		return list, found, nil
	}
	kept, more := diff.Accept(list, entries, now)
	return kept, append(found, more...), nil
}

// Names are the ids of the agents and the names of the environments of a project,
// none where its configuration cannot be read.
func Names(p *workspace.Project) (agents, environments []string) {
	if p.Config == "" {
		return nil, nil
	}
	data, err := p.ReadConfig(source.Limits{}.WithDefaults().Source)
	if err != nil {
		return nil, nil
	}
	return config.Names(data, config.Options{File: p.Config, Files: p.ConfigFiles()})
}

// KnownAgents refuses ids that the command line names and the configuration does
// not.
func KnownAgents(c *config.Config, ids []string) error {
	var known []string
	for _, a := range c.Agents {
		known = append(known, a.ID)
	}
	for _, id := range ids {
		if slices.Contains(known, id) {
			continue
		}
		return diag.UsageError(nearest.Hint(id, known, "agents: "+strings.Join(known, ", ")), "no agent has the id %q", id)
	}
	return nil
}

// Policies are the policies of all agents, each once.
func Policies(c *config.Config) []config.Policy {
	var all []config.Policy
	seen := map[config.Policy]bool{}
	for i := range c.Agents {
		for _, p := range c.Agents[i].Policies {
			if !seen[p] {
				seen[p] = true
				all = append(all, p)
			}
		}
	}
	return all
}

// NotPolicies are the ids that no policy of a configuration has, which may be nil.
func NotPolicies(c *config.Config, ids []string) []string {
	if c == nil {
		return ids
	}
	policies := Policies(c)
	return slices.DeleteFunc(ids, func(id string) bool {
		return slices.ContainsFunc(policies, func(p config.Policy) bool { return p.ID == id })
	})
}
