package cli

import (
	"context"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/hosting"
	"cardwright/internal/output"
)

func (a *app) mergeCommand() *ucli.Command {
	var o generateOptions
	return &ucli.Command{
		Name:      "merge",
		Usage:     "join output trees from parallel jobs",
		UsageText: "cardwright merge TREE... --out DIR [flags]",
		Description: `Joins the trees that jobs wrote with cardwright generate --agent ID --out TREE into
the tree that one run for all agents writes, byte for byte: cards, key sets,
catalogs, pages and server configuration. Each tree is checked against its
manifest first. Pass the same --env and --base-url as to the jobs.

Join trees of extended cards (--private-out) with a second merge.

Examples:
  cardwright merge shards/* --out dist
  cardwright merge --env production shards/1 shards/2 --out dist --server nginx`,
		Flags: append(o.findingOptions.flags(),
			textFlag(&o.trees.Out, "out", "write the joined tree to `DIR`"),
			environmentFlag(&o.Environment),
			baseURLFlag(&o.BaseURL),
			allowEnvFlag(&o.AllowEnv),
			listFlag(&o.trees.Servers, "server", "also write configuration for the server `TARGET` (repeatable): "+
				strings.Join(hosting.Targets(), ", ")),
			textFlag(&o.trees.ServerDir, "server-dir",
				"write server configuration to `DIR`, outside of --out (default OUT.server)"),
			forceFlag(&o.trees.Force),
		),
		Action: func(c *ucli.Context) error { return a.merge(c.Context, &o, c.Args().Slice()) },
	}
}

func (a *app) merge(ctx context.Context, o *generateOptions, names []string) error {
	switch {
	case len(names) == 0:
		return usageError("cardwright merge shards/* --out dist", "merge needs the trees to join")
	case o.trees.Out == "":
		return usageError("cardwright merge shards/* --out dist", "merge needs --out, the directory of the joined tree")
	}
	if err := o.trees.Places.CheckServers(); err != nil {
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
	run, trees, err := output.Merge(p, o.settings(), o.trees, names)
	switch {
	case err != nil:
		return err
	case run.Failed():
		return a.endFindings(o.outcome(run))
	}
	return a.write(ctx, o, run, trees)
}
