package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/safefile"
	"cardwright/internal/starter"
	"cardwright/internal/tree"
	"cardwright/internal/workspace"
)

func (a *app) initCommand() *ucli.Command {
	return &ucli.Command{
		Name:      "init",
		Usage:     "write a starter cardwright.yaml",
		UsageText: "cardwright init",
		Description: `Looks for skills directories, projects of Forge, agents of fast-agent, packs,
lists of MCP tools, a git remote and an agent card in the working directory, and
writes a commented configuration for what it finds. Never overwrites a file.

Example:
  cardwright init && cardwright generate`,
		Action: func(c *ucli.Context) error {
			if c.NArg() > 0 {
				return usageError("use -C DIR to work in another directory", "init takes no arguments")
			}
			return a.init(c.Context)
		},
	}
}

func (a *app) init(ctx context.Context) error {
	target := cmp.Or(a.configFile, config.FileNames()[0])
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	dir, base, err := p.FileDir("the configuration", target)
	if err != nil {
		return err
	}
	for _, name := range append([]string{target}, config.FileNames()...) {
		if p.Has(name) {
			return usageError("edit it, or remove it first", "%s exists already, and init never overwrites", name)
		}
	}
	root, err := safefile.OpenRoot(".")
	if err != nil {
		return usageError("", "cannot read the working directory: %s", safefile.Reason(err))
	}
	defer root.Close()
	directory, err := filepath.Abs(".")
	if err != nil {
		return fmt.Errorf("finding the working directory: %w", err)
	}
	s, err := starter.New(ctx, root, starter.Options{
		Directory: filepath.Base(directory),
		Git:       repository(p),
		File:      config.FileNames()[0],
		Blocked: func(out string, files []tree.File) diag.List {
			return obstacles(p, out, files)
		},
	})
	if err != nil {
		return err
	}
	if err := publish.Create(dir, base, s.Text, 0o644); err != nil {
		return fmt.Errorf("cannot write %s: %s", target, safefile.Reason(err))
	}
	if a.quiet {
		return nil
	}
	a.talk("wrote " + target)
	for _, line := range s.Summary() {
		a.talk("  " + line)
	}
	a.talk("next: cardwright generate")
	return nil
}

// repository is the .git directory in the working directory, nil when there is none.
func repository(s *workspace.Space) fs.FS {
	git, err := safefile.OpenRoot(".git")
	if err != nil {
		return nil
	}
	s.Keep(git)
	return git
}

// obstacles are what keeps a run from writing files to an output directory.
func obstacles(s *workspace.Space, out string, files []tree.File) diag.List {
	d, err := s.Output(out, paths.Committed)
	if err != nil {
		return diag.List{diag.New("output-blocked", diag.Span{File: out}, "%q cannot be written: %s", out, safefile.Reason(err))}
	}
	defer d.Close()
	return publish.Obstacles(d, files, publish.Options{})
}
