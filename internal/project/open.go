package project

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// Opener opens the two sides of a comparison.
type Opener struct {
	Space  *Space
	Limits source.Limits
	// Card reads a card that the command line names, and returns how findings
	// spell it.
	Card func(name string) (shown string, data []byte, err error)
}

// Compare opens the two sides that the command line names: two cards or directories.
func (o Opener) Compare(names []string) (c Compared, err error) {
	switch {
	case len(names) != 2:
		return c, diag.UsageError("cardwright diff old.json new.json",
			"diff needs an old and a new card or directory")
	case names[0] == "-" && names[1] == "-":
		return c, diag.UsageError("", "only one of the two cards can be stdin")
	}
	return o.both(names[0], names[1])
}

// both opens two editions that the command line names.
func (o Opener) both(older, newer string) (c Compared, err error) {
	if c.Older, err = o.Open(older); err != nil {
		return c, err
	}
	if c.Newer, err = o.Open(newer); err != nil {
		return c, err
	}
	if c.Older.Tree != c.Newer.Tree {
		return c, diag.UsageError("name two cards or two directories", "a card cannot be compared with a directory")
	}
	c.Before, c.After = Pair(c.Older, c.Newer)
	return c, nil
}

// Compared are the two sides of a comparison, and their cards by agent.
type Compared struct {
	Older, Newer  *Edition
	Before, After Readings
}

// Differences are what differs between the two sides: agents, and the skills that
// are published with their files.
func (c Compared) Differences() []diff.Comparison {
	list := diff.Agents(c.Before.sides(c.Older), c.After.sides(c.Newer))
	if published, _ := comparePublished(c.Older, c.Newer); len(published.Changes) > 0 {
		list = append(list, published)
	}
	return list
}

// Open opens a card or a directory that was named on the command line.
func (o Opener) Open(name string) (*Edition, error) {
	dir, err := o.Space.Folder(name)
	if name == "-" || err != nil {
		shown, data, err := o.Card(name)
		if err != nil {
			return nil, err
		}
		return &Edition{
			Files:  []string{shown},
			Read:   func(string, int) ([]byte, error) { return data, nil },
			Show:   func(file string) string { return file },
			Limits: o.Limits,
		}, nil
	}
	root, err := o.Space.Files(dir)
	if err != nil {
		return nil, diag.UsageError("", "cannot read %s: %s", diag.Quote(name), files.Reason(err))
	}
	e := &Edition{
		Tree:   true,
		Read:   func(file string, limit int) ([]byte, error) { return files.ReadFile(root, file, limit) },
		Show:   func(file string) string { return files.Join(dir.Name, file) },
		Limits: o.Limits,
	}
	e.Files, err = cardFiles(root, ".")
	if err != nil {
		return nil, diag.UsageError("", "cannot read %s: %s", diag.Quote(name), files.Reason(err))
	}
	if len(e.Files) == 0 {
		e.Found = diag.List{diag.New("input-unreadable", diag.Span{File: filepath.ToSlash(name)},
			"the directory has no agent-card.json or agent.json in it").
			WithHint("name the card itself, or the output directory of cardwright generate")}
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
		case !d.IsDir() && matters(file):
			files = append(files, file)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}
