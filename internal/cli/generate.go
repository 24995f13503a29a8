package cli

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/paths"
	"cardwright/internal/workspace"
	"cardwright/mapping"
)

func (a *app) generateCommand() *ucli.Command {
	var o generateOptions
	return &ucli.Command{
		Name:      "generate",
		Usage:     "generate the cards from the configuration and the skills",
		UsageText: "cardwright generate [flags] [SKILLS_DIR...]",
		Description: `Reads cardwright.yaml and the skills it names, and writes the cards with their
sidecars and a manifest. Directories given here replace skills.from of the only
agent. When there is an error, nothing is written.

Examples:
  cardwright generate
  cardwright generate --env staging --set version=1.4.0
  cardwright generate --check
  cardwright generate --watch --server nginx
  cardwright generate --name Review --description "Reviews pull requests." \
      --url https://agents.acme.example/a2a skills/`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "name", Usage: "without a configuration: `NAME` of the agent", Destination: &o.card.Name},
			&ucli.StringFlag{
				Name: "description", Usage: "without a configuration: `TEXT` that describes the agent",
				Destination: &o.card.Description,
			},
			&ucli.StringFlag{Name: "url", Usage: "without a configuration: `URL` of the agent", Destination: &o.card.URL},
			&ucli.StringFlag{
				Name: "card-version", Usage: "without a configuration: `VERSION` of the agent (default 0.0.0)",
				Destination: &o.card.Version,
			},
			&ucli.StringFlag{Name: "protocol", Usage: "without a configuration: `VERSION` of A2A, " + protocolNames() +
				" (default 1.0)", Destination: &o.card.Protocol},
			&ucli.StringFlag{
				Name: "out", Usage: "write the cards to `DIR` (default dist, or out of the configuration)",
				Destination: &o.out,
			},
			&ucli.StringFlag{
				Name: "private-out", Usage: "write extended cards to `DIR`, outside of --out",
				Destination: &o.privateOut,
			},
			&ucli.BoolFlag{Name: "check", Usage: "write nothing; exit 1 when the files on disk differ", Destination: &o.check},
			&ucli.BoolFlag{
				Name: "dry-run", Aliases: []string{"n"},
				Usage: "write nothing; print which files would be written and removed", Destination: &o.preview,
			},
			&ucli.BoolFlag{
				Name: "watch", Usage: "generate again on every change of configuration, skills and other sources",
				Destination: &o.watch,
			},
			&ucli.StringSliceFlag{Name: "server", Usage: "also write configuration for the server `TARGET` (repeatable): " +
				strings.Join(hosting.Targets(), ", ")},
			&ucli.StringFlag{
				Name:  "server-dir",
				Usage: "write server configuration to `DIR`, outside of --out (default OUT.server)", Destination: &o.serverDir,
			},
			&ucli.StringFlag{
				Name: "audit", Usage: "append a line of JSON for each published card to `FILE`, - for stdout",
				Destination: &o.audit,
			},
			&ucli.BoolFlag{Name: "force", Usage: "overwrite files that cardwright did not write", Destination: &o.force},
		),
		Action: func(c *ucli.Context) error {
			o.finish(c)
			o.servers = c.StringSlice("server")
			return a.generate(c.Context, &o)
		},
	}
}

// generateOptions are the flags of generate.
type generateOptions struct {
	projectOptions
	out        string
	privateOut string
	servers    []string
	serverDir  string
	audit      string
	check      bool
	preview    bool // --dry-run
	watch      bool
	force      bool

	good *built     // the last run of --watch, nil when it has not written
	last *diag.List // findings of the last run of --watch that wrote, nil before it
}

// validate refuses flags that do not go together.
func (o *generateOptions) validate() error {
	switch {
	case o.watch && o.check:
		return usageError("run --check alone", "--watch writes and --check does not")
	case o.preview && (o.watch || o.check):
		return usageError("run --dry-run alone",
			"--dry-run writes nothing and compares nothing, so it goes with neither --check nor --watch")
	case o.audit == "-" && o.format != "text":
		return usageError("--audit FILE", "--audit - and --format %s cannot both go to stdout", o.format)
	}
	for _, f := range []struct{ flag, dir string }{
		{"--out", o.out},
		{"--private-out", o.privateOut},
		{"--server-dir", o.serverDir},
	} {
		if err := directoryName(f.flag, f.dir); err != nil {
			return err
		}
	}
	return knownServers(o.servers)
}

// directoryName refuses what is meant as something else than a directory.
func directoryName(flag, dir string) error {
	switch {
	case dir == "-":
		return usageError("write to a directory: the card is then in DIR/.well-known/agent-card.json",
			"%s - cannot be stdout: a run writes a tree of files", flag)
	case runtime.GOOS != "windows" && strings.Contains(dir, `\`):
		return usageError("use slashes: "+flag+" "+strings.ReplaceAll(dir, `\`, "/"),
			"%s %s has a backslash, which separates no directories here", flag, diag.Quote(dir))
	}
	return nil
}

// sourceNames explains itself where a file is given in place of a directory of
// skills.
func (o *projectOptions) sourceNames(s *workspace.Space) error {
	for _, name := range o.dirs {
		tree, err := s.Given(name)
		if err != nil {
			continue // the run says why
		}
		info, err := fs.Stat(tree.FS, tree.Root)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		slash := filepath.ToSlash(name)
		if base := path.Base(slash); slices.Contains(config.FileNames(), base) || path.Ext(base) == ".yaml" ||
			path.Ext(base) == ".yml" {
			return usageError("cardwright generate --config "+name,
				"%s is a file, and the arguments of generate are directories of skills", diag.Quote(name))
		}
		for _, f := range mapping.Formats() {
			if f.Type != mapping.TypeSkills && regexp.MustCompile("(^|/)("+f.Files+")$").MatchString(slash) {
				return usageError(fmt.Sprintf("in cardwright.yaml: skills: {from: [{type: %s, path: %s}]}", f.Type, slash),
					"%s is a file, and the arguments of generate are directories of skills", diag.Quote(name))
			}
		}
	}
	return nil
}

func (a *app) generate(ctx context.Context, o *generateOptions) error {
	if err := o.validate(); err != nil {
		return err
	}
	if o.watch {
		return a.follow(ctx, "nothing is written", func(ctx context.Context) error { return a.generateOnce(ctx, o) },
			o.resume)
	}
	return a.generateOnce(ctx, o)
}

func (a *app) generateOnce(ctx context.Context, o *generateOptions) error {
	o.known = o.good
	if o.good = nil; o.again == nil {
		o.known = nil
	}
	run, err := a.build(ctx, &o.projectOptions, o.publishing)
	if err != nil {
		return err
	}
	defer run.project.Close()
	if run.failed() {
		return a.endFindings(run)
	}
	if run.unchanged {
		return a.printFindings(run, cards(run, nil)...)
	}
	trees, err := o.trees(run)
	if err != nil {
		return err
	}
	switch {
	case run.failed():
		return a.endFindings(run)
	case o.check:
		return a.check(run, trees)
	case o.preview:
		return a.dryRun(run, trees)
	}
	if err := a.write(ctx, o, run, trees); err != nil {
		return err
	}
	run.result = generate.Result{} // it is written
	o.good = run
	return nil
}

// publishing adds to a request what depends on where the output goes.
func (o *generateOptions) publishing(run *built, request *generate.Request) error {
	var err error
	if run.outputs, err = o.openOutputs(run.project, run.config); err != nil {
		return err
	}
	run.Found = run.outputs.found
	o.ignoreOutput(run)
	request.Keys = keysOf(run.project).Signing(o.check || o.preview)
	request.Published = run.space.OnDisk(run.outputs.public, run.outputs.private)
	if o.check {
		keepChanged(request)
	}
	if !o.check && !o.watch { // which tell of drift, and of work in progress
		request.Base = request.Published
	}
	return nil
}

// ignoreOutput keeps what the run writes from counting as a change, where it
// lies in the directory of a source.
func (o *generateOptions) ignoreOutput(run *built) {
	for _, dir := range []*paths.Dir{run.outputs.public, run.outputs.private, run.outputs.servers} {
		if dir != nil {
			run.project.Watcher.Ignore(dir.Path)
		}
	}
	names := []string{o.audit}
	for _, file := range o.reports {
		names = append(names, file.name)
	}
	for _, name := range names {
		if place, err := run.project.Real(name, paths.Typed); err == nil && name != "" {
			run.project.Watcher.Ignore(place)
		}
	}
}
