package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/watch"
)

// Streams are the standard streams of a run.
type Streams struct {
	In  io.Reader
	Out io.Writer // data
	Err io.Writer // talk
}

// now is the clock.
var now = time.Now

// app is one run of the program.
type app struct {
	console
	settings
	In     io.Reader
	linked string // the version that the linker has set

	workdir    string // -C as it was given
	configFile string // --config, "" for the default names
	misuse     error  // what [permute] has left out of the command line

	workspace *project.Workspace // nil while it is closed
	using     string             // the configuration above that an info line has named
	watcher   *watch.Watcher     // of the command that is repeated on changes, nil for others
	endless   bool               // a signal is how the command ends
}

// Exit codes, as documented in docs/usage.md.
const (
	OK       = 0
	Findings = 1
	Usage    = 2
	Fault    = 3
)

// exitError ends a run with a code when everything has been printed already.
type exitError int

// Error implements [error].
func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Run executes the command line and returns its exit code: 0 when all is
// well, 1 for findings, drift or differences at the chosen level, 2 for usage,
// configuration or unreadable input, 3 when cardwright itself could not do its
// work, 128 and the number of the signal that ended it.
func Run(args []string, streams Streams, version string) int {
	tuneGC()
	a := &app{
		console: console{Out: streams.Out, Err: streams.Err, Version: readBuild(version).Version, Color: "auto"},
		settings: settings{
			options: project.Options{FailOn: diag.Error, Getenv: os.LookupEnv},
			Format:  "text", All: true, failOn: diag.Error.String(),
		},
		In: streams.In, linked: version,
	}
	return a.untilSignal(func(ctx context.Context) error {
		if working, err := os.Getwd(); err == nil { // reports of a failure belong to the directory of -C, too
			defer os.Chdir(working) //nolint:errcheck // -C is for this run; whoever comes next finds out
		}
		defer a.close()
		err := a.fault(a.run(ctx, args))
		if ctx.Err() == nil {
			reportFailure(a, err)
		}
		return err
	})
}

// fault is why a run ended: what could not be read comes before its consequences.
func (a *app) fault(err error) error {
	err = cmp.Or(err, a.Unprinted)
	if _, ended := errors.AsType[exitError](err); err == nil || ended || a.workspace == nil {
		return err
	}
	if unread := a.workspace.ReadErrors.Findings(); unread != nil {
		return usageError(unread[0].Hint, "%s", unread[0].Message)
	}
	return err
}

// exitCode prints an error that has not been printed yet, and returns its exit code.
func (c *console) exitCode(err error) int {
	if err == nil {
		return OK
	}
	if code, ended := errors.AsType[exitError](err); ended {
		return int(code)
	}
	c.talk("cardwright: " + err.Error())
	usage, ok := errors.AsType[*diag.CallError](err)
	if !ok {
		return Fault
	}
	if usage.Hint != "" {
		c.talk("  hint: " + usage.Hint)
	}
	return Usage
}

func (a *app) run(ctx context.Context, args []string) error {
	root := commandTree(a)
	if len(args) == 0 || args[len(args)-1] != "--generate-bash-completion" {
		args, a.misuse = permute(root, args)
	}
	return cmp.Or(a.misuse, root.RunContext(ctx, append([]string{root.Name}, args...)))
}

// tuneGC trades memory for time, unless the user's GOGC says otherwise: a run is over
// before most of what it allocates could be collected. The limit is for containers of
// 512 MB, where 100,000 skills, which hold 240 MB, would take 900 MB.
func tuneGC() {
	const limit = 384 << 20
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// commandTree builds the tree of commands.
func commandTree(a *app) *ucli.App {
	groups := commandGroups(a)
	root := &ucli.App{
		Name:            "cardwright",
		Usage:           "publish A2A Agent Cards as static files",
		UsageText:       "cardwright [global flags] COMMAND [flags] [arguments]",
		HideVersion:     true,
		HideHelpCommand: true,
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "chdir", Aliases: []string{"C"}, Usage: "work in `DIR`"},
			textFlag(&a.configFile, "config", "read this `FILE` (default: cardwright.yaml, here or above)"),
			choiceFlag(&a.Color, "color", "value for --color", "`WHEN` to color: auto, always or never", colorModes()),
			boolFlag(new(bool), "version", "print version, commit and Go version"),
			boolFlag(&a.Quiet, "quiet", "print errors only", "q"),
		},
		Before:    a.before,
		Writer:    a.Out,
		ErrWriter: a.Err,
		Action: func(c *ucli.Context) error {
			if !c.Args().Present() {
				return ucli.ShowAppHelp(c)
			}
			return unknownCommand(c.Args().First(), c.App.Commands)
		},
		EnableBashCompletion:      true,
		CustomAppHelpTemplate:     rootHelp(groups),
		ExitErrHandler:            func(*ucli.Context, error) {},
		DisableSliceFlagSeparator: true,
	}
	for _, g := range groups {
		root.Commands = append(root.Commands, g.commands...)
	}
	for _, cmd := range root.Commands {
		harden(a, cmd)
	}
	return root
}

// commandGroup are commands by what they are for.
type commandGroup struct {
	name     string
	commands []*ucli.Command
}

func commandGroups(a *app) []commandGroup {
	return []commandGroup{
		{"Start", []*ucli.Command{initCommand(a), generateCommand(a), serveCommand(a)}},
		{"Check", []*ucli.Command{lintCommand(a), diffCommand(a), probeCommand(a)}},
		{"Sign", []*ucli.Command{keyCommand(a), signCommand(a), verifyCommand(a)}},
		{"Convert", []*ucli.Command{convertCommand(a)}},
		{"Help", []*ucli.Command{rulesCommand(a), schemaCommand(a), completionCommand(a)}},
	}
}

// harden gives a command what urfave/cli does not let it inherit.
func harden(a *app, cmd *ucli.Command) {
	cmd.HideHelpCommand = true
	cmd.Before = func(*ucli.Context) error {
		a.options.FailOn, _ = diag.ParseSeverity(a.failOn)
		reports := a.parseReports() // also where the rest of the line is wrong: they have the failure then
		return cmp.Or(a.misuse, checkChoices(cmd.Flags), reports)
	}
	completes(a, cmd)
	for _, sub := range cmd.Subcommands {
		harden(a, sub)
	}
}

// before is the work of the global flags.
func (a *app) before(c *ucli.Context) error {
	a.Command = c.Args().First()
	if a.misuse != nil && a.Command == "" {
		return a.misuse
	}
	if c.Bool("version") {
		fmt.Fprintln(a.Out, readBuild(a.linked))
		return exitError(OK)
	}
	if err := checkChoices(c.App.Flags); err != nil || !c.IsSet("chdir") {
		return err
	}
	return changeDir(a, c.String("chdir"))
}
