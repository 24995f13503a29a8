package cli

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/catalog"
	"cardwright/internal/diag"
	"cardwright/internal/glob"
	"cardwright/internal/publish"
	"cardwright/internal/source"
)

// cardFile is a card that was named on the command line.
type cardFile struct {
	name string // as it was named, "-" for standard input
	data []byte
}

// file is how findings spell the card.
func (c cardFile) file() string {
	if c.name == "-" {
		return "stdin"
	}
	return filepath.ToSlash(c.name)
}

// readCard reads a card that was named on the command line. It may be
// anywhere: who typed it meant it.
func (a *app) readCard(p *project, name string, limits source.Limits) (cardFile, error) {
	limit := limits.WithDefaults().Card
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(a.In, int64(limit)+1))
		if err != nil {
			return cardFile{}, usageError("", "cannot read standard input: %s", reason(err))
		}
		return cardFile{name, data}, nil // what is too long the parser refuses
	}
	tree, err := p.directory(name)
	if err != nil {
		return cardFile{}, usageError("", "cannot read %s: %s", diag.Quote(name), reason(err))
	}
	data, err := source.ReadFile(tree.FS, tree.Root, limit)
	if err != nil {
		return cardFile{}, usageError("", "cannot read %s: %s", diag.Quote(name), reason(err))
	}
	return cardFile{name, data}, nil
}

// findCards reads the cards that one argument stands for. What cannot be read
// is a finding, so that the others are judged all the same.
func (a *app) findCards(p *project, name string, limits source.Limits) (files []cardFile, found diag.List) {
	names := []string{name}
	switch info, err := os.Stat(name); {
	case name == "-":
	case err == nil && info.IsDir():
		names = cardsBelow(name, func(file string) bool { return slices.Contains(cardNames, path.Base(file)) })
		if len(names) == 0 {
			return nil, diag.List{unreadable(name, "the directory has no agent-card.json or agent.json in it", noCardsHint(name))}
		}
	case err != nil && strings.ContainsAny(name, "*?["):
		base, pattern := splitPattern(filepath.ToSlash(name))
		if err := glob.Check(pattern); err != nil {
			return nil, diag.List{unreadable(name, fmt.Sprintf("the pattern has %s", err), "")}
		}
		names = cardsBelow(base, func(file string) bool {
			return glob.Match(pattern, file) && !slices.Contains(besideCards, path.Base(file))
		})
		if len(names) == 0 {
			return nil, diag.List{unreadable(name, "the pattern matches no file", "")}
		}
	}
	for _, n := range names {
		if n != "-" {
			n = filepath.Clean(n) // one name for one file, whose findings count once
		}
		f, err := a.readCard(p, n, limits)
		if err != nil {
			found = append(found, unreadable(n, reason(err), ""))
			continue
		}
		if !isCopy(f, files) {
			files = append(files, f)
		}
	}
	return files, found
}

// noCardsHint says how to name cards in a directory that has none under the
// names that clients ask for.
func noCardsHint(dir string) string {
	others := cardsBelow(dir, func(file string) bool {
		return path.Ext(file) == ".json" && !slices.Contains(besideCards, path.Base(file))
	})
	pattern := "*.json"
	switch {
	case len(others) == 0:
		return "name the card itself; to check the skills of a project, run cardwright lint without arguments"
	case !slices.ContainsFunc(others, func(file string) bool { return filepath.Dir(file) == filepath.Clean(dir) }):
		pattern = "**/*.json"
	}
	return fmt.Sprintf("only files of these names are looked for; for others name a pattern, such as '%s'", path.Join(filepath.ToSlash(dir), pattern))
}

// besideCards are files of an output tree that a pattern such as **/*.json does
// not mean.
var besideCards = []string{publish.ManifestName, path.Base(catalog.Path), "jwks.json"}

var cardNames = []string{"agent-card.json", "agent.json", "extended-agent-card.json"}

// cardsBelow are the files below a directory, in bytewise order of their
// paths, that are wanted. The path that decides is relative to the directory.
func cardsBelow(dir string, wanted func(file string) bool) []string {
	var names []string
	_ = fs.WalkDir(os.DirFS(dir), ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir // what cannot be listed has no card for us
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir() && wanted(file):
			names = append(names, filepath.Join(dir, filepath.FromSlash(file)))
		}
		return nil
	})
	slices.Sort(names)
	return names
}

// splitPattern splits a pattern into the directory that it certainly begins
// with, and the rest.
func splitPattern(pattern string) (dir, rest string) {
	dir, rest = ".", pattern
	for {
		segment, tail, more := strings.Cut(rest, "/")
		if !more || strings.ContainsAny(segment, "*?[") {
			return dir, rest
		}
		if segment == "" {
			segment = "/"
		}
		dir, rest = path.Join(dir, segment), tail
		if segment == "/" {
			dir = "/"
		}
	}
}

// isCopy tells whether the file is the copy of a card for older clients, which
// has the same bytes: its findings would be the same.
func isCopy(f cardFile, others []cardFile) bool {
	return filepath.Base(f.name) == "agent.json" && slices.ContainsFunc(others, func(o cardFile) bool {
		return filepath.Dir(o.name) == filepath.Dir(f.name) && bytes.Equal(o.data, f.data)
	})
}

// place is the output tree that a card is in, and the directory of its agent
// there: the tree is where the manifest is, or the card itself without one.
func (c cardFile) place() (tree, agent string) {
	dir := path.Dir(c.file())
	for at := dir; ; at = path.Dir(at) {
		if _, err := os.Lstat(filepath.FromSlash(path.Join(at, publish.ManifestName))); err == nil {
			return at, strings.TrimSuffix(dir, "/.well-known")
		}
		if at == path.Dir(at) {
			return c.file(), dir
		}
	}
}

// source tells of a file that cards are made from that it is no card itself.
func (c cardFile) source() (diag.Diagnostic, bool) {
	var what string
	switch base := path.Base(c.file()); {
	case strings.EqualFold(base, "SKILL.md"):
		what = "a skill"
	case slices.Contains(configNames, base):
		what = "the configuration of cardwright"
	default:
		return diag.Diagnostic{}, false
	}
	return diag.Diagnostic{Rule: "card-foreign", Severity: diag.Error, Message: "not an agent card: it is " + what, Span: diag.Span{File: c.file(), Line: 1, Column: 1}, Hint: "cardwright lint without arguments checks the skills and the configuration of a project"}, true
}

func unreadable(name, why, hint string) diag.Diagnostic {
	return diag.Diagnostic{Rule: "input-unreadable", Severity: diag.Error, Message: why, Span: diag.Span{File: filepath.ToSlash(name)}, Hint: hint}
}
