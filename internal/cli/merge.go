package cli

import (
	"context"
	"path"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
)

func (a *app) mergeCommand() *ucli.Command {
	var o generateOptions
	return &ucli.Command{
		Name:      "merge",
		Usage:     "join output trees that were made in parallel",
		UsageText: "cardwright merge TREE... --out DIR [flags]",
		Description: `Joins the trees that jobs have made with cardwright generate --agent ID --out TREE
into the tree that one run for all agents makes, byte for byte: cards, key sets,
catalogs, pages and server configuration. Each tree is checked against its
manifest first. Pass --env and --base-url as to the jobs.

Trees of extended cards (--private-out) are joined by a call of their own.

Examples:
  cardwright merge shards/* --out dist
  cardwright merge --env production shards/1 shards/2 --out dist --server nginx`,
		Flags: append(o.findingOptions.flags(),
			&ucli.StringFlag{Name: "out", Usage: "write the joined tree to `DIR`", Destination: &o.out},
			&ucli.StringFlag{Name: "env", Usage: "apply the overrides of environment `NAME`", Destination: &o.environment},
			&ucli.StringFlag{Name: "base-url", Usage: "`URL` where the output directory is served", Destination: &o.baseURL},
			allowEnvFlag(),
			&ucli.StringSliceFlag{Name: "server", Usage: "also write configuration for the server `TARGET` (repeatable): " +
				strings.Join(hosting.Targets(), ", ")},
			&ucli.StringFlag{
				Name:  "server-dir",
				Usage: "write server configuration to `DIR`, outside of --out (default OUT.server)", Destination: &o.serverDir,
			},
			&ucli.BoolFlag{Name: "force", Usage: "overwrite files that cardwright did not write", Destination: &o.force},
		),
		Action: func(c *ucli.Context) error {
			o.allowEnv, o.servers = c.StringSlice("allow-env"), c.StringSlice("server")
			return a.merge(c.Context, &o, c.Args().Slice())
		},
	}
}

func (a *app) merge(ctx context.Context, o *generateOptions, names []string) error {
	switch {
	case len(names) == 0:
		return usageError("cardwright merge shards/* --out dist", "merge needs the trees to join")
	case o.out == "":
		return usageError("cardwright merge shards/* --out dist", "merge needs --out, the directory of the joined tree")
	}
	if err := knownServers(o.servers); err != nil {
		return err
	}
	if err := o.findingOptions.check(); err != nil {
		return err
	}
	p, err := a.openProject()
	if err != nil {
		return err
	}
	defer p.Close()
	collectMore() // the bytes of all trees are in memory
	run := &built{options: &o.findingOptions, space: p.Space, project: p, config: &config.Config{}}
	if p.Config != "" {
		cfg, found, err := a.loadConfig(p, &o.projectOptions, source.Limits{})
		if err != nil {
			return err
		}
		if found.Worst() == diag.Error {
			run.Found = found.Sorted()
			return a.endFindings(run)
		}
		run.config = cfg
	}
	if run.outputs, err = o.openOutputs(p, run.config); err != nil {
		return err
	}
	shards, found, err := readShards(p, names, run.outputs.public)
	if err != nil {
		return err
	}
	if found.Worst() < diag.Error {
		var more diag.List
		if run.result, more, err = join(p, run.config, shards); err != nil {
			return err
		}
		found = append(found, more...)
	}
	if run.Found = o.apply(found); run.failed() {
		return a.endFindings(run)
	}
	if !public(shards) {
		options := publish.Options{Force: o.force, Private: true}
		return a.write(ctx, o, run, []outTree{{
			kind: privateTree, dir: run.outputs.public, files: run.result.Public,
			options: options,
		}})
	}
	trees, err := o.trees(run)
	if err != nil {
		return err
	}
	return a.write(ctx, o, run, trees)
}

// join joins shards as the configuration wants, where there is one. Extended cards
// are on no site.
func join(p *workspace.Project, c *config.Config, shards []generate.Shard) (generate.Result, diag.List, error) {
	if p.Config != "" && public(shards) {
		return generate.Join(generate.Request{Config: c, Open: p.OpenSource}, shards)
	}
	result, found := generate.Union(shards)
	return result, found, nil
}

// public tells whether any shard has a card that everybody may read.
func public(shards []generate.Shard) bool {
	for _, s := range shards {
		for _, f := range s.Files {
			if path.Base(f.Path) == "agent-card.json" {
				return true
			}
		}
	}
	return false
}

// readShards reads the trees that the command line names, and checks each against its
// manifest.
func readShards(p *workspace.Project, names []string, out *paths.Dir) ([]generate.Shard, diag.List, error) {
	var shards []generate.Shard
	var found diag.List
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, nil, usageError("name each tree once", "%s is named twice", diag.Quote(name))
		}
		dir, err := p.Folder(name)
		if err != nil {
			return nil, nil, usageError("", "cannot read %s: %s", diag.Quote(name), safefile.Reason(err))
		}
		if out != nil && (out.Contains(dir) || dir.Contains(out)) {
			return nil, nil, usageError("choose another directory with --out", "the tree %s and --out %s overlap",
				diag.Quote(name), out.Name)
		}
		files, faults := publish.Verify(dir)
		found = append(found, faults...)
		shards = append(shards, generate.Shard{Name: dir.Name, Files: files})
	}
	return shards, found, nil
}
