package cli

import (
	"context"
	"os"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/hosting"
	"cardwright/internal/project"
)

func (a *app) mergeCommand() *ucli.Command {
	var o generateOptions
	o.groups = true
	return page("merge", append(o.findingOptions.flags(),
		boolFlag(&o.all, "all", "print every finding"),
		textFlag(&o.trees.Out, "out", "write the joined tree to `DIR`"),
		environmentFlag(&o.Environment),
		baseURLFlag(&o.BaseURL),
		allowEnvFlag(&o.AllowEnv),
		listFlag(&o.trees.Servers, "server", "also write configuration for the server `TARGET` (repeatable): "+
			strings.Join(hosting.Targets(), ", ")),
		textFlag(&o.trees.ServerDir, "server-dir",
			"write server configuration to `DIR`, outside of --out (default OUT.server)"),
		forceFlag(&o.trees.Force),
	), func(ctx context.Context, args []string) error { return a.merge(ctx, &o, args) })
}

func (a *app) merge(ctx context.Context, o *generateOptions, names []string) error {
	switch {
	case len(names) == 0:
		return usageError("cardwright merge shards/* --out dist", "merge needs the trees to join")
	case o.trees.Out == "":
		return usageError("cardwright merge shards/* --out dist", "merge needs --out, the directory of the joined tree")
	}
	if err := o.trees.CheckServers(); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	p, err := a.openProject()
	if err != nil {
		return err
	}
	defer p.Close()
	saveMemory(os.LookupEnv) // the bytes of all trees are in memory
	run, trees, err := project.Merge(p, o.settings(), o.trees, names)
	switch {
	case err != nil:
		return err
	case run.Failed():
		return a.outcomeOf(&o.projectOptions, run).end()
	}
	return a.write(ctx, o, run, trees)
}
