package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/source"
)

func (a *app) initCommand() *ucli.Command {
	return &ucli.Command{
		Name:      "init",
		Usage:     "write a starter cardwright.yaml",
		UsageText: "cardwright init",
		Description: `Looks for skills directories, projects of Forge, agents of fast-agent, packs,
lists of MCP tools, a git remote and an agent card in the working directory, and
writes a commented configuration from what it finds. Never overwrites one.

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
	target := cmp.Or(a.configFile, configNames[0])
	for _, name := range append([]string{target}, configNames...) {
		if _, err := os.Lstat(name); err == nil {
			return usageError("edit it, or remove it first", "%s exists already, and init never overwrites", name)
		}
	}
	root, err := source.OpenRoot(".")
	if err != nil {
		return usageError("", "cannot read the working directory: %s", reason(err))
	}
	defer root.Close()
	s := explore(root)
	text, err := s.rehearsed(ctx, root)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("cannot write %s: %s", target, reason(err))
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", target, err)
	}
	a.tell(s, target)
	return nil
}

// tell says what init found and what to do next.
func (a *app) tell(s starter, target string) {
	if a.quiet {
		return
	}
	a.talk("wrote " + target)
	if s.Card != "" {
		a.talk("  the agent is described as in " + s.Card)
	}
	for _, doubt := range s.Doubts {
		a.talk("  " + doubt)
	}
	if len(s.Sources) > 0 {
		a.talk("  skills: " + s.sources())
	} else {
		a.talk("  no skill found, so it has one skill spelled out as an example")
	}
	if s.Guessed {
		a.talk("  the URL is a placeholder: put the real one")
	}
	a.talk("next: cardwright generate")
}
