package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/hosting"
	"cardwright/internal/project"
	"cardwright/internal/publish"
	"cardwright/schema"
)

func (a *app) generateCommand() *ucli.Command {
	var o generateOptions
	output := grouped("Output",
		textFlag(&o.trees.Out, "out", "write the cards to `DIR` (default: out in the configuration, or else dist)"),
		textFlag(&o.trees.Private, "private-out", "write extended cards to `DIR`, outside of --out"),
		listFlag(&o.trees.Servers, "server", "also write configuration for the server `TARGET` (repeatable): "+
			strings.Join(hosting.Targets(), ", ")),
		textFlag(&o.trees.ServerDir, "server-dir",
			"write server configuration to `DIR`, outside of --out (default OUT.server)"),
		textFlag(&o.audit, "audit", "append a line of JSON for each published card to `FILE`, - for stdout"),
		textFlag(&o.changed, "changed", "write the URLs of the files that this run changed to `FILE`, - for stdout, "+
			"to purge a CDN"),
		forceFlag(&o.trees.Force),
	)
	check := grouped("Check",
		boolFlag(&o.trees.Check, "check", "write nothing; exit 1 when the files on disk differ"),
		boolFlag(&o.watch, "watch", "generate again after every change of the configuration, skills and other sources"),
	)
	card := grouped("Selection",
		textFlag(&o.Card.Name, "name", "without a configuration: `NAME` of the agent"),
		textFlag(&o.Card.Description, "description", "without a configuration: `TEXT` that describes the agent"),
		textFlag(&o.Card.URL, "url", "without a configuration: `URL` of the agent"),
		textFlag(&o.Card.Version, "card-version", "without a configuration: `VERSION` of the agent (default 0.0.0)"),
		choiceFlag(&o.Card.Protocol, "protocol", "protocol", "without a configuration: `VERSION` of A2A, "+
			project.ProtocolNames()+" (default 1.0)", schema.Protocols()),
	)
	cmd := page("generate", slices.Concat(output, check, o.projectFlags(), card), nil)
	cmd.Action = func(c *ucli.Context) error {
		o.Sources, o.update = c.Args().Slice(), a.again("generate")
		if slices.ContainsFunc(c.LocalFlagNames(), shapesTree) || c.Args().Present() {
			o.update = "the same command without --check"
		}
		return a.generate(c.Context, &o)
	}
	return cmd
}

// generateOptions are the flags of generate.
type generateOptions struct {
	options
	trees   project.OutputOptions
	audit   string
	changed string
	watch   bool
	watched bool   // a run of --watch has written
	update  string // the command that writes what --check compares
}

// shapesTree reports whether the tree that generate makes depends on a flag.
func shapesTree(flag string) bool {
	return !slices.Contains([]string{"check", "all", "format", "report", "fail-on", "strict"}, flag)
}

// validate refuses flags that do not go together.
func (o *generateOptions) validate() error {
	switch {
	case o.watch && o.trees.Check:
		return usageError("run --check alone", "--watch writes files, but --check does not")
	case o.changed != "" && (o.watch || o.trees.Check):
		return usageError("generate --changed FILE", "--changed lists what one run writes, so it cannot be used with "+
			"--check or --watch")
	case o.changed == "-" && (o.audit == "-" || o.Format != "text"):
		return usageError("--changed FILE", "--changed - needs stdout for itself")
	case o.audit == "-" && o.Format != "text":
		return usageError("--audit FILE", "--audit - and --format %s cannot both go to stdout", o.Format)
	}
	return o.trees.Places.Check()
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
	run, err := a.build(ctx, &o.options, func(run *project.Run) error { return a.prepare(o, run) })
	if err != nil {
		return err
	}
	defer run.Close()
	switch {
	case run.Blocked != nil:
		return run.refuse(run.Blocked)
	case run.Failed() && run.Drift == nil:
		return run.end()
	case o.trees.Check:
		return run.reportDrift(o.update)
	}
	return a.reportWritten(o, run)
}

// prepare says where the trees of a run go, and what it needs to make them.
func (a *app) prepare(o *generateOptions, run *project.Run) error {
	if o.changed != "" && o.changed != "-" { // which would be too late to refuse when it is written
		if _, _, err := run.FileDir("the list of changes", o.changed); err != nil {
			return err
		}
	}
	o.trees.Log = project.Log{Name: o.audit, Stdout: a.Out, Now: a.now}
	if err := run.SetOutput(o.trees); err != nil {
		return err
	}
	written := []string{o.audit, o.changed}
	for _, file := range o.Reports {
		written = append(written, file.Name)
	}
	run.IgnoreOutput(written)
	run.Request.Keys = project.RingOf(run.Project, os.LookupEnv).Signing(o.trees.Check)
	run.Request.Published = run.OnDisk(run.Dirs.Public, run.Dirs.Private)
	if o.trees.Check {
		project.KeepChanged(&run.Request)
	}
	if !o.trees.Check && !o.watch { // drift and work in progress are not compared
		run.Request.Base = run.Request.Published
	}
	return nil
}

// reportWritten says what a run has written.
func (a *app) reportWritten(o *generateOptions, run *outcome) error {
	if err := a.listChanged(o, run, project.ChangedURLs(run.Run)); err != nil {
		return err
	}
	lines := project.Summary
	if o.watched {
		lines = project.OneLine
	}
	if err := run.report(project.Members(run.Run, project.ChangedCards(run.Run))...); err != nil {
		return err
	}
	if o.Format == "text" && !a.Quiet {
		say := a.Print
		if o.audit == "-" || o.changed == "-" {
			say = a.talk // the log or the list is the data
		}
		for _, line := range lines(run.Run) {
			say(line)
		}
	}
	o.watched = o.watch
	for i, t := range run.Trees {
		for _, r := range run.Run.Reports[i] {
			if r.State != publish.Removed {
				a.watcher.Keep(filepath.Join(t.Dir.Path, filepath.FromSlash(r.Path)))
			}
		}
	}
	return nil
}

// listChanged writes where the files of a run are found that it changed.
func (a *app) listChanged(o *generateOptions, run *outcome, urls []string) error {
	text := strings.Join(append(urls, ""), "\n")
	switch o.changed {
	case "":
		return nil
	case "-":
		_, err := io.WriteString(a.Out, text)
		return err
	}
	_, err := run.Write("the list of changes", o.changed, []byte(text), false)
	return err
}
