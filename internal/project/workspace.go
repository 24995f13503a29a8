package project

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/secret"
	"cardwright/internal/site"
	"cardwright/internal/watch"
	"cardwright/mapping"
)

// Workspace is where a run reads and writes.
type Workspace struct {
	// Checkout is how far a path of the configuration may lead: at first it is
	// around the working directory.
	Checkout files.Checkout
	// Watcher is notified of what is read, nil when no watch session runs.
	Watcher *watch.Watcher

	ReadErrors *ReadErrors // what could not be read

	stdin   []byte // the card that was read from standard input
	working string // the working directory: absolute, links resolved
	trees   []opened
	open    []func() error // what closes all that is open
}

// opened is a directory that is open.
type opened struct {
	dir  string // absolute
	tree mapping.Tree
}

// Here is the workspace around the working directory.
func Here(w *watch.Watcher) (*Workspace, error) {
	around, err := files.Around(".")
	if err != nil {
		return nil, diag.UsageError("", "cannot read the working directory: %s", files.Reason(err))
	}
	return &Workspace{Checkout: around, working: around.Base, Watcher: w, ReadErrors: &ReadErrors{}}, nil
}

// Close closes all that is open. Excerpts can no longer be shown then.
func (s *Workspace) Close() {
	for _, closing := range s.open {
		_ = closing() // it was only read, or what was written is safe already
	}
}

// keep closes something with the workspace.
func (s *Workspace) keep(closing func() error) { s.open = append(s.open, closing) }

// tree opens a directory, once; show spells the files in it. What is read in it is watched,
// and what cannot be read is noted.
func (s *Workspace) tree(dir string, open func() (*files.Root, error), show func(string) string) (mapping.Tree, error) {
	if i := slices.IndexFunc(s.trees, func(t opened) bool { return t.dir == dir }); i >= 0 {
		return s.trees[i].tree, nil
	}
	root, err := open()
	if files.Refused(err) {
		err = diag.UsageError("", "cannot read %s: %s", diag.Quote(dir), files.Reason(err))
	}
	if err != nil {
		return mapping.Tree{}, fmt.Errorf("opening %s: %w", dir, err)
	}
	s.keep(root.Close)
	tree := mapping.Tree{FS: s.ReadErrors.FS(s.Watcher.FS(root, dir), show), Root: ".", Show: show}
	s.trees = append(s.trees, opened{dir, tree})
	return tree, nil
}

// at opens a directory by its path.
func at(dir string) func() (*files.Root, error) {
	return func() (*files.Root, error) { return files.OpenRoot(dir) }
}

// show spells a file of the tree at dir relative to the working directory.
func (s *Workspace) show(dir string) func(string) string {
	below := "" // where in dir the working directory is, "" when it is elsewhere
	if rel, err := filepath.Rel(dir, s.working); err == nil && filepath.IsLocal(rel) {
		below = filepath.ToSlash(rel)
	}
	return func(name string) string {
		// As a rule there is no more to do, and that for many files.
		if below != "" && fs.ValidPath(name) {
			if below == "." {
				return name
			}
			if rest, ok := strings.CutPrefix(name, below+"/"); ok {
				return rest
			}
		}
		full := filepath.Join(dir, filepath.FromSlash(name))
		if rel, err := filepath.Rel(s.working, full); err == nil {
			full = rel
		}
		return filepath.ToSlash(full)
	}
}

// Given finds a source or a card that was given on the command line. It may
// be anywhere: who typed it meant it.
func (s *Workspace) Given(name string) (mapping.Tree, error) {
	// What <(command) names leads to a pipe, which has no path to open.
	if mode, special := files.Special(name); special {
		return mapping.Tree{}, &files.NotRegularError{Name: name, Kind: files.FileKind(mode)}
	}
	dir, file, err := s.Checkout.Source(name, files.Typed)
	if err != nil {
		return mapping.Tree{}, err
	}
	show := s.show(s.Checkout.Root)
	if dir != s.Checkout.Root {
		prefix := files.Slash(name)
		if file != "." {
			prefix = files.Join(prefix, "..")
		}
		show = func(n string) string { return strings.TrimSuffix(prefix, "/") + "/" + n }
	}
	tree, err := s.tree(dir, at(dir), show)
	tree.Root = file
	return tree, err
}

// Has reports whether anything stands at a path of the command line.
func (s *Workspace) Has(name string) bool {
	tree, err := s.Given(name)
	if err == nil {
		_, err = fs.Lstat(tree.FS, tree.Root)
	}
	return err == nil
}

// errNoFolder is returned where a directory is looked for, and there is none.
var errNoFolder = errors.New("it is not a directory")

// Folder opens a directory that was named on the command line, to read in it.
func (s *Workspace) Folder(name string) (*files.Dir, error) {
	d, err := s.Checkout.Input(name, files.Typed)
	if err != nil {
		return nil, err
	}
	s.keep(d.Close)
	if len(d.Rest) > 0 {
		if _, err := d.Root.Lstat(d.Rest[0]); err != nil {
			return nil, err
		}
		return nil, errNoFolder
	}
	return d, nil
}

// FolderFS shows what is in a directory that was named on the command line.
func (s *Workspace) FolderFS(name string) (fs.FS, error) {
	d, err := s.Folder(name)
	if err != nil {
		return nil, err
	}
	return s.Files(d)
}

// Files shows what is in a directory, which is all that can be reached. Findings
// can quote it.
func (s *Workspace) Files(d *files.Dir) (fs.FS, error) {
	tree, err := s.tree(d.Path, func() (*files.Root, error) { return files.RootOf(d.Root) },
		func(file string) string { return files.Join(d.Name, file) })
	return tree.FS, err
}

// Excerpt reads a file that a finding shows, nil when it cannot be shown. Only
// Files of the trees that were opened are shown, and no credentials in them.
func (s *Workspace) Excerpt(file string) []byte {
	if file == stdin && s.stdin != nil {
		return []byte(secret.MaskText(string(s.stdin)))
	}
	full, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil {
		return nil
	}
	for _, tree := range s.trees {
		rel, err := filepath.Rel(tree.dir, full)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if data, err := files.ReadFile(tree.tree.FS, filepath.ToSlash(rel), 4<<20); err == nil {
			return []byte(secret.MaskText(string(data)))
		}
	}
	return nil
}

// OutputDir opens a directory to write in that a flag names.
func (s *Workspace) OutputDir(flag, name string) (*files.Dir, error) {
	d, err := s.Checkout.Output(name, files.Typed)
	if err != nil {
		return nil, unwritable(flag+" "+name, err)
	}
	s.keep(d.Close)
	return d, nil
}

// FileDir opens the directory of a file that a flag names, to write it. Where
// something else than a file has its place nothing is done at all.
func (s *Workspace) FileDir(flag, name string) (*files.Dir, string, error) {
	d, base, err := s.Checkout.Parent(name)
	if err != nil {
		return nil, "", unwritable(flag+" "+name, err)
	}
	s.keep(d.Close)
	info, err := d.Root.Lstat(base)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !files.Refused(err): // no file can have the name
		return nil, "", unwritable(flag+" "+name, err)
	case len(d.Rest) == 0 && err == nil && !info.Mode().IsRegular():
		return nil, "", unwritable(flag+" "+name, &files.NotRegularError{Name: base, Kind: files.FileKind(info.Mode())})
	}
	return d, base, nil
}

// Write writes a file that the command line names, and its sidecars as far as they are
// there.
func (s *Workspace) Write(what, name string, data []byte) error {
	dir, base, err := s.FileDir(what, name)
	if err == nil {
		err = files.WriteFile(dir, base, data)
	}
	for _, sidecar := range (site.File{Path: base, Data: data, Sidecars: true}).SidecarFiles() {
		if err != nil {
			return err
		}
		if _, missing := dir.Root.Lstat(sidecar.Path); missing == nil {
			err = files.WriteFile(dir, sidecar.Path, sidecar.Data)
		}
	}
	return err
}

// Create writes a file that must not exist, and the directories above it.
func (s *Workspace) Create(what, name string, data []byte, mode fs.FileMode) error {
	dir, base, err := s.FileDir(what, name)
	if err != nil {
		return err
	}
	if err = dir.Make(0o755); err == nil {
		err = files.Create(dir, base, data, mode)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return diag.UsageError("remove it first, or choose another name", "%s already exists, and is not overwritten", name)
	case err != nil:
		return diag.UsageError("", "cannot write %s: %s", name, files.Reason(err))
	}
	return nil
}

// unwritable says why nothing is written to a place.
func unwritable(place string, err error) error {
	hint := ""
	switch _, link := errors.AsType[*files.LinkError](err); {
	case files.Refused(err):
		return diag.UsageError("", "%s cannot be read: %s", place, files.Reason(err))
	case link:
		hint = "use the path that the link leads to"
	}
	return diag.UsageError(hint, "%s cannot be written: %s", place, files.Reason(err))
}

// OnDisk is what stands in the public and the private output directory: nothing where
// the directory is nil, or what is there cannot be read. It works until the workspace is
// closed.
func (s *Workspace) OnDisk(public, private *files.Dir) *generate.Published {
	open := func(dir *files.Dir) fs.FS {
		if dir == nil || len(dir.Rest) > 0 {
			return nil
		}
		root, err := s.Files(dir)
		if s.ReadErrors.note(dir.Name, err) != nil {
			return nil
		}
		return root
	}
	return &generate.Published{Public: open(public), Private: open(private)}
}

// Read reads a file that the command line names, or a pipe, up to one byte more
// than a limit.
func (s *Workspace) Read(name string, limit int) ([]byte, fs.FileInfo, error) {
	f, err := s.Checkout.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	info, statErr := f.Stat()
	return data, info, errors.Join(err, statErr)
}
