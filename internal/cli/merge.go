package cli

import (
	"context"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/hosting"
	"cardwright/internal/project"
)

func (a *app) mergeCommand() *ucli.Command {
	var o generateOptions
	o.Groups = "--all"
	return page("merge", append(o.flags(),
		boolFlag(&o.All, "all", "print every finding"),
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
	merged, trees, err := project.Merge(ctx, p, o.Options, o.trees, names)
	if err != nil {
		return err
	}
	run := &outcome{Run: merged, console: &a.console, reporting: o.reporting}
	if run.Failed() {
		return run.end()
	}
	return a.write(ctx, o, run, trees)
}
