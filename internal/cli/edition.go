package cli

import (
	"context"
	"os"

	"cardwright/internal/edition"
	"cardwright/internal/workspace"
)

// editions opens the two sides that the command line names, and returns them with
// their cards.
func (a *app) editions(ctx context.Context, o *diffOptions, p *workspace.Space, names []string) (c edition.Compared,
	err error,
) {
	switch {
	case !o.git && len(names) != 2:
		return c, usageError("cardwright diff old.json new.json, or cardwright diff --git main",
			"diff needs an old and a new card or directory")
	case !o.git && names[0] == "-" && names[1] == "-":
		return c, usageError("", "only one of the two cards can be stdin")
	case o.git && len(names) > 1:
		return c, usageError("cardwright diff --git main dist", "diff --git takes one card or directory, not %d", len(names))
	case o.git && len(names) == 1 && names[0] == "-":
		return c, usageError("cardwright diff --git main dist", "stdin cannot be compared with a commit")
	}
	open := edition.Opener{
		Space: p, ConfigFile: a.configFile, Project: a.openProject, Getenv: os.LookupEnv, Limits: o.bounds,
		Card: func(name string) (string, []byte, error) {
			card, err := a.reader(p, o.bounds).Read(name)
			return card.Path(), card.Data, err
		},
	}
	if o.git {
		return open.Since(ctx, o.revs[len(o.revs)-1], names...)
	}
	return open.Both(names[0], names[1])
}
