package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/project"
	"cardwright/internal/starter"
)

func initCommand(a *app) *ucli.Command {
	var yes bool
	var out string
	return page("init", []ucli.Flag{
		boolFlag(&yes, "yes", "ask nothing"),
		textFlag(&out, "out", "write cards to `DIR` (default: a directory that git keeps)"),
	}, func(ctx context.Context, args []string) error {
		return runInit(ctx, a, starter.Options{Dirs: args, Out: out}, yes)
	})
}

func runInit(ctx context.Context, a *app, o starter.Options, yes bool) error {
	target := cmp.Or(a.configFile, config.FileNames()[0])
	p, err := a.space()
	if err != nil {
		return err
	}
	for _, name := range append([]string{target}, config.FileNames()...) {
		if p.Has(name) {
			return usageError("edit it, or delete it first", "%s already exists, but init never overwrites a file", name)
		}
	}
	if !yes && !a.Quiet && isTerminal(a.In) && isTerminal(a.Err) {
		o.Ask = askerFor(a)
	}
	s, err := startConfig(ctx, p, &o)
	if err != nil {
		return err
	}
	if err := p.Create("the configuration", target, s.Config, 0o644); err != nil {
		return err
	}
	a.say("wrote " + target)
	for _, line := range s.Summary {
		a.say("  " + line)
	}
	if err := keepCards(a, p, s); err != nil {
		return err
	}
	unkept := slices.DeleteFunc([]string{target, s.Out}, func(name string) bool { return !o.Ignored(name, name == s.Out) })
	if len(unkept) > 0 {
		a.say("git ignores " + strings.Join(unkept, " and ") + ": add the line !" + strings.Join(unkept, " and the line !") +
			" to .gitignore")
	}
	next := "next: "
	if len(s.Missing) > 0 {
		next += "set " + strings.Join(s.Missing, ", ") + " in " + target + ", then "
	}
	a.say(next + again(a, "generate"))
	return nil
}

// keepCards writes the .gitignore of the output directory, unless there is one.
func keepCards(a *app, p *project.Workspace, s *starter.Starter) error {
	name := path.Join(s.Out, ".gitignore")
	if p.Has(name) {
		return nil
	}
	if err := p.Create("the .gitignore of the output", name, s.GitIgnore, 0o644); err != nil {
		return err
	}
	a.say("wrote " + name)
	return nil
}

// again is a command line with the global flags of this one.
func again(a *app, line string) string {
	words := []string{"cardwright"}
	if a.workdir != "" {
		words = append(words, "-C", quote(a.workdir))
	}
	if a.configFile != "" {
		words = append(words, "--config", quote(a.configFile))
	}
	return strings.Join(append(words, line), " ")
}

// startConfig explores the working directory.
func startConfig(ctx context.Context, p *project.Workspace, o *starter.Options) (*starter.Starter, error) {
	root, err := files.OpenRoot(".")
	if err != nil {
		return nil, usageError("", "cannot read the working directory: %s", files.Reason(err))
	}
	defer root.Close()
	directory, err := filepath.Abs(".")
	if err != nil {
		return nil, fmt.Errorf("finding the working directory: %w", err)
	}
	for i, dir := range o.Dirs {
		o.Dirs[i] = path.Clean(filepath.ToSlash(dir))
		if !filepath.IsLocal(dir) {
			return nil, usageError("use -C DIR to work in another directory", "%s is outside the working directory", dir)
		}
		if _, err := fs.ReadDir(root, o.Dirs[i]); err != nil {
			return nil, usageError("name directories to search", "cannot search %s: %s", diag.Quote(dir), files.Reason(err))
		}
	}
	if o.Out != "" && !filepath.IsLocal(o.Out) {
		return nil, usageError("choose one inside the project; generate --out may write elsewhere",
			"the output directory %s is outside the project", o.Out)
	}
	if o.Ignored, err = p.GitIgnores(root); err != nil {
		return nil, err
	}
	o.Directory, o.Remote = filepath.Base(directory), p.Remote()
	return starter.New(ctx, root, *o)
}

// askerFor asks on the terminal, a line each: an empty one takes what was found.
func askerFor(a *app) func(question, found string) string {
	lines := bufio.NewScanner(a.In)
	return func(question, found string) string {
		if found != "" {
			question += " [" + found + "]"
		}
		a.say(question + ":")
		if !lines.Scan() {
			return found
		}
		return cmp.Or(strings.TrimSpace(lines.Text()), found)
	}
}
