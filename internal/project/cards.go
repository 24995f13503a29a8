package project

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// stdin is how findings spell standard input.
const stdin = "stdin"

// Input is a card that the command line names.
type Input struct {
	Name string // as it was named, "-" for standard input
	Data []byte
}

// Path is how findings spell the card.
func (f Input) Path() string {
	if f.Name == "-" {
		return stdin
	}
	return filepath.ToSlash(f.Name)
}

// Reader reads cards that the command line names.
type Reader struct {
	Workspace *Workspace
	Stdin     io.Reader
	// Cards counts the cards that were read, unless it is nil.
	Cards *atomic.Int64
}

// Read reads one card.
func (r Reader) Read(name string) (Input, error) {
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(r.Stdin, int64(source.MaxCard)+1))
		if err != nil {
			return Input{}, diag.UsageError("", "cannot read standard input: %s", reason(err))
		}
		r.Workspace.stdin = data
		return Input{name, data}, nil // the parser refuses what is too long
	}
	tree, err := r.Workspace.Given(name)
	var data []byte
	if err == nil {
		data, err = files.ReadFile(tree.FS, tree.Root, source.MaxCard)
	}
	if err != nil {
		hint := ""
		if _, special := errors.AsType[*files.NotRegularError](err); special || isURL(name) {
			hint = "to read the output of a command such as curl, pipe it to stdin and name the card -"
		}
		return Input{}, diag.UsageError(hint, "cannot read %s: %s", diag.Quote(name), reason(err))
	}
	return Input{name, data}, nil
}

// isURL reports whether the name of a file is meant as a URL, even after [filepath.Clean].
func isURL(name string) bool {
	return strings.HasPrefix(name, "https:/") || strings.HasPrefix(name, "http:/")
}

// find reads the cards that one argument names: a file, a pattern, a directory
// or "-". A card that cannot be read is a finding, and the others are still
// checked. More names files of a directory that are wanted beside cards.
func (r Reader) find(name string, more func(file string) bool) (cards []Input, found diag.List) {
	dir, pattern := name, ""
	wanted := func(file string) bool { return isName(file) || more(file) }
	if name != "-" && strings.ContainsAny(name, "*?[") && !r.Workspace.Has(name) {
		dir, pattern = doublestar.SplitPattern(filepath.ToSlash(name))
		if err := files.CheckPattern(pattern); err != nil {
			return nil, diag.List{unreadable(name, fmt.Sprintf("the pattern has %s", err), "")}
		}
		wanted = func(file string) bool {
			return files.MatchPattern(pattern, file) && (!site.Lists(file) || more(file))
		}
	}
	var tree fs.FS
	err := fs.ErrNotExist
	if name != "-" {
		tree, err = r.Workspace.FolderFS(dir)
	}
	switch {
	case err == nil:
		return r.search(name, pattern, dir, tree, wanted)
	case pattern == "":
		return r.one(name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, diag.List{unreadable(name, "the pattern matches no file", "")}
	}
	return nil, diag.List{unreadable(name, reason(err), "")}
}

// one reads the card of that name.
func (r Reader) one(name string) ([]Input, diag.List) {
	if name != "-" {
		name = filepath.Clean(name) // one name for one file, whose findings count once
	}
	f, err := r.Read(name)
	if call, ok := errors.AsType[*diag.CallError](err); ok {
		return nil, diag.List{unreadable(name, call.Message, call.Hint)}
	}
	return []Input{f}, nil
}

// search reads the cards in a directory that are wanted.
func (r Reader) search(name, pattern, dir string, fsys fs.FS, wanted func(file string) bool) (cards []Input,
	found diag.List,
) {
	place := func(file string) string { return filepath.Join(dir, filepath.FromSlash(file)) }
	names := below(fsys, wanted, func(file string, err error) {
		found = append(found, unreadable(place(file), reason(err), ""))
	})
	switch {
	case len(names) == 0 && len(found) > 0:
		return nil, found
	case len(names) == 0 && pattern != "":
		return nil, diag.List{unreadable(name, "the pattern matches no file", "")}
	case len(names) == 0:
		return nil, diag.List{unreadable(name, "the directory has no agent-card.json or agent.json in it",
			"name the cards, or use a pattern such as **/*.json; to check the skills of a project, "+
				"run cardwright lint without arguments")}
	}
	read := map[string][]byte{}
	for _, file := range names {
		data, err := files.ReadFile(fsys, file, source.MaxCard)
		if err != nil {
			found = append(found, unreadable(place(file), reason(err), ""))
			continue
		}
		read[file] = data
		card, ok := read[path.Join(path.Dir(file), cardName)]
		if path.Base(file) != legacyName || !ok || !bytes.Equal(card, data) { // a copy has the same findings
			cards = append(cards, Input{place(file), data})
		}
	}
	return cards, found
}

// below are the files of a tree that are wanted, in bytewise order of their paths.
// unread is called for each directory that cannot be listed.
func below(fsys fs.FS, wanted func(file string) bool, unread func(file string, err error)) []string {
	var names []string
	_ = fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			unread(file, err)
			return fs.SkipDir
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir() && wanted(file):
			names = append(names, file)
		}
		return nil
	})
	slices.Sort(names)
	return names
}

// reason is the cause of a file error in plain words.
func reason(err error) string {
	if large, ok := errors.AsType[*files.TooLargeError](err); ok {
		return fmt.Sprintf("it has more than %d bytes", large.Limit)
	}
	return files.Reason(err)
}

// unreadable is the finding about a file, or a name, that gives no card.
func unreadable(name, why, hint string) diag.Diagnostic {
	return diag.New(diag.InputUnreadable, diag.Span{File: filepath.ToSlash(name)}, "%s", why).WithHint(hint)
}

// Inert returns the text of a card as it goes to standard output, which may be a
// terminal or the log of CI: the same card to every parser, with the characters that
// rule text-invisible refuses, and what GitHub Actions would take for a command, as
// JSON escapes. Such characters stand in strings only.
func Inert(card []byte) []byte {
	text := lint.Reveal(string(card), diag.EscapeJSON)
	return []byte(strings.ReplaceAll(text, "##[", `##\u005b`))
}
