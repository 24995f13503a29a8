package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/project"
)

func (a *app) exportCommand() *ucli.Command {
	var o exportOptions
	flags := append(o.projectFlags(), boolFlag(&o.preview, "check",
		"print what the registry would change or leave out, instead of what it needs"))
	return page("export", flags, func(ctx context.Context, args []string) error {
		o.Sources = args
		if len(o.Sources) != 1 {
			return needsOne("registry", "export", len(o.Sources),
				"cardwright export "+discovery.RegistryNames()[0]+"; registries: "+strings.Join(discovery.RegistryNames(), ", "))
		}
		o.target, o.Sources = o.Sources[0], nil
		return a.export(ctx, &o)
	})
}

// exportOptions are the flags of export.
type exportOptions struct {
	options
	target  string
	preview bool
}

func (a *app) export(ctx context.Context, o *exportOptions) error {
	targets, err := discovery.NamedRegistries([]string{o.target})
	if err != nil {
		return err
	}
	if o.Format != "text" && !o.preview {
		return usageError("", "export prints what the registry takes; --report FORMAT=FILE writes the findings to a file")
	}
	run, err := a.build(ctx, &o.options, func(run *project.Run) error {
		var found diag.List
		run.Dirs.Public, found = run.OpenOutput(run.Config)
		run.Note(found)
		run.Request.Keys = project.RingOf(run.Project, os.LookupEnv).Signing(true)
		run.Request.Published = run.OnDisk(run.Dirs.Public, nil)
		run.Config.Targets = []string{o.target}
		return nil
	})
	if err != nil {
		return err
	}
	defer run.Close()
	if run.Data = o.preview; o.preview && !run.Failed() {
		run.Add(changes(run.Run, targets[0]))
		run.Found = slices.DeleteFunc(run.Found, func(d diag.Diagnostic) bool { return d.Rule != targets[0].Rule() })
	}
	if run.Failed() || o.preview {
		return run.end()
	}
	if err := run.report(); err != nil {
		return err
	}
	for _, c := range project.Registered(run.Run) {
		data, err := targets[0].Export(c)
		if err != nil {
			return fmt.Errorf("exporting agent %q: %w", c.Agent, err)
		}
		if _, err := a.Out.Write(data); err != nil {
			return fmt.Errorf("printing: %w", err)
		}
	}
	return nil
}

// changes are what becomes of the cards of a run in a registry. They point at the cards,
// which may not be written yet.
func changes(run *project.Run, target discovery.Registry) diag.List {
	var found diag.List
	for _, c := range project.Registered(run) {
		for _, d := range target.Changes(c).OfAgent(c.Agent) {
			d.Span = diag.Span{File: c.File}
			found = append(found, d)
		}
	}
	return found
}
