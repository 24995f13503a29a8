package cli

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"cardwright/internal/cardfile"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/diff"
	"cardwright/internal/edition"
	"cardwright/internal/paths"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
)

// editions opens the two sides that the command line names, and returns them with
// their cards.
func (a *app) editions(ctx context.Context, o *diffOptions, p *workspace.Space, names []string) (c compared, err error) {
	switch {
	case !o.git && len(names) != 2:
		return c, usageError("cardwright diff old.json new.json, or cardwright diff --git main", "diff needs an old and a new card or directory, not %s", count(len(names), "argument"))
	case !o.git && names[0] == "-" && names[1] == "-":
		return c, usageError("", "only one of the two cards can be stdin")
	case o.git && len(names) > 1:
		return c, usageError("cardwright diff --git main dist", "diff --git takes one card or directory, not %d", len(names))
	case o.git && len(names) == 1 && names[0] == "-":
		return c, usageError("cardwright diff --git main dist", "stdin cannot be compared with a commit")
	case o.git:
		return a.sinceCommit(ctx, o, p, names)
	}
	if c.older, err = a.edition(p, names[0], o.limits); err != nil {
		return c, err
	}
	if c.newer, err = a.edition(p, names[1], o.limits); err != nil {
		return c, err
	}
	if c.older.Tree != c.newer.Tree {
		return c, usageError("name two cards or two directories", "a card and a directory do not compare")
	}
	c.before, c.after = edition.Pair(c.older, c.newer)
	return c, nil
}

// compared are the two sides of a comparison, and their cards by agent.
type compared struct {
	older, newer  *edition.Edition
	before, after edition.Readings
}

// sides are the cards of an edition as diff compares them.
func sides(cards edition.Readings) map[string]diff.Side {
	list := make(map[string]diff.Side, len(cards))
	for agent, r := range cards {
		list[agent] = side(r)
	}
	return list
}

func side(r *dialect.Reading) diff.Side {
	return diff.Side{Card: r.Card, Document: r.Document(), Half: r.Half}
}

// edition opens a card or a directory that was named on the command line.
func (a *app) edition(p *workspace.Space, name string, limits source.Limits) (*edition.Edition, error) {
	dir, err := p.Folder(name)
	if name == "-" || err != nil {
		card, err := a.reader(p, limits).Read(name)
		if err != nil {
			return nil, err
		}
		return &edition.Edition{
			Files:  []string{card.Path()},
			Read:   func(string, int) ([]byte, error) { return card.Data, nil },
			Show:   func(file string) string { return file },
			Reason: safefile.Reason, Limits: limits,
		}, nil
	}
	root, err := p.Files(dir)
	if err != nil {
		return nil, usageError("", "cannot read %s: %s", diag.Quote(name), safefile.Reason(err))
	}
	e := &edition.Edition{
		Tree:   true,
		Read:   func(file string, limit int) ([]byte, error) { return safefile.ReadFile(root, file, limit) },
		Show:   func(file string) string { return paths.Join(dir.Name, file) },
		Reason: safefile.Reason, Limits: limits,
	}
	e.Files, err = cardFiles(root, ".")
	if err != nil {
		return nil, usageError("", "cannot read %s: %s", diag.Quote(name), safefile.Reason(err))
	}
	if len(e.Files) == 0 {
		e.Found = diag.List{cardfile.Unreadable(name, "the directory has no agent-card.json or agent.json in it", "name the card itself, or the output directory of cardwright generate")}
	}
	return e, nil
}

// cardFiles returns the cards and manifests below a directory, sorted.
func cardFiles(root fs.FS, dir string) ([]string, error) {
	var files []string
	err := fs.WalkDir(root, dir, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", file, err)
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir() && edition.Matters(file):
			files = append(files, file)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}
