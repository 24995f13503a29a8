package publish

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"cardwright/internal/files"
	"cardwright/internal/tree"
)

// mostLevels bounds how deep directories are searched that no run has made.
const mostLevels = 16

// explorer lists the directories of an output tree.
type explorer struct {
	files *files.Root
	known func(p string) bool // whether the tree, a manifest or a journal lists a file
	ours  func(p string) bool // whether one of them lists a file in a directory

	cards  []string // that clients would find, and nobody knows of
	links  []string // which may lead to a directory
	temps  []string // what killed runs left in directories of ours
	strays []string // what only cardwright writes, and nobody knows of
	denied func(p string, err error)
}

func newExplorer(root *os.Root) (*explorer, error) {
	files, err := files.RootOf(root)
	return &explorer{files: files}, err
}

// all lists the directory p and all below it, but for those with a manifest of their
// own, which belong to somebody else.
func (x *explorer) all(p string, levels int) {
	for _, sub := range x.list(p) {
		if levels > 1 {
			x.all(sub, levels-1)
		}
	}
}

// list looks for what killed runs may have left in the directory p, and returns the
// directories in it.
func (x *explorer) list(p string) (below []string) {
	entries, err := x.files.ReadDir(p)
	if err != nil {
		// A directory of somebody else may be closed to us, and one of ours may not be there yet.
		if !errors.Is(err, fs.ErrNotExist) && (x.ours(p) || !errors.Is(err, fs.ErrPermission)) {
			x.denied(p, err)
		}
		return nil
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[e.Name()] = true
	}
	if p != "." && names[tree.ManifestName] {
		return nil
	}
	for _, e := range entries {
		q := path.Join(p, e.Name())
		if e.Type()&fs.ModeSymlink == 0 && found(q) && !x.known(q) {
			x.cards = append(x.cards, q)
		}
		switch {
		case e.IsDir() && e.Name() != ".git":
			below = append(below, q)
		case e.Type()&fs.ModeSymlink != 0:
			x.links = append(x.links, q)
		case !e.Type().IsRegular() || x.known(q) || q == tree.ManifestName || q == tree.JournalName:
		case tree.IsTemp(e.Name()) && x.ours(p):
			x.temps = append(x.temps, q)
		case tree.IsTemp(e.Name()), x.sidecar(q), tree.InSkills(q) && packed(q),
			hasSidecar(q) && names[e.Name()+tree.ETagSuffix] && x.sidecar(q+tree.ETagSuffix):
			x.strays = append(x.strays, q)
		}
	}
	return below
}

// found reports whether clients look for a card or a key set at p.
func found(p string) bool {
	return path.Base(p) == tree.ExtendedCardName || slices.ContainsFunc([]string{
		tree.CardPath, tree.LegacyCardPath,
		tree.KeySetPath,
	}, func(name string) bool { return p == name || strings.HasSuffix(p, "/"+name) })
}

func packed(p string) bool { return strings.HasSuffix(p, ".tar.gz") || strings.HasSuffix(p, ".zip") }

// hasSidecar reports whether p is where a file with sidecars may stand.
func hasSidecar(p string) bool {
	p, _ = tree.Decoded(p)
	return tree.IsOutput(path.Base(p)) || tree.InSkills(p) && (packed(p) || path.Base(p) == tree.SkillsIndexName)
}

// sidecar reports whether p has the name of a sidecar, and says what one says.
func (x *explorer) sidecar(p string) bool {
	main, suffix := sidecarOf(p)
	if suffix == "" || !hasSidecar(main) {
		return false
	}
	data, err := files.ReadFile(x.files, p, 1<<10)
	if err != nil {
		return false
	}
	sum, _, _ := strings.Cut(strings.Trim(string(data), "\"\n"), " ")
	d, ok := tree.ParseDigest(sum)
	return ok && string(data) == tree.SidecarText(main, suffix, d)
}

// spelling is a file or directory that is there in other letters than the tree has,
// on a file system that takes both for one.
type spelling struct{ dir, was, want string }

// misspelled finds what is spelled otherwise on disk. Only file systems that ignore
// letter case have such a thing, and only there directories are listed for it.
func (s *survey) misspelled() []spelling {
	if !s.oneFile(tree.ManifestName, strings.ToUpper(tree.ManifestName)) {
		return nil
	}
	var found []spelling
	names := map[string][]string{}
	seen := map[string]bool{}
	for _, t := range s.targets {
		if t.site != same && t.site != differs {
			continue
		}
		for p := t.Path; p != "."; p = path.Dir(p) {
			if seen[p] {
				break
			}
			seen[p] = true
			dir, want := path.Split(p)
			dir = path.Clean(dir)
			if names[dir] == nil {
				names[dir] = listed(s.root, dir)
			}
			if slices.Contains(names[dir], want) {
				continue
			}
			for _, was := range names[dir] {
				if tree.Fold(was) == tree.Fold(want) {
					found = append(found, spelling{dir, was, want})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b spelling) int {
		return strings.Compare(path.Join(a.dir, a.want),
			path.Join(b.dir, b.want))
	})
	return found
}

// listed are the names in a directory, none where it cannot be read.
func listed(root *os.Root, dir string) []string {
	f, err := files.OpenIn(root, dir)
	if err != nil {
		return []string{}
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	return append([]string{}, names...)
}

// respell gives everything its letters. Where the system takes the new name for the
// old one and does nothing, another name goes between.
func (w *writer) respell() error {
	for _, s := range w.misspelled() {
		was, want := path.Join(s.dir, s.was), path.Join(s.dir, s.want)
		err := w.disk.rename(was, want)
		if err == nil && !slices.Contains(listed(w.root, s.dir), s.want) {
			between := path.Join(s.dir, tempName())
			if err = w.disk.rename(was, between); err == nil {
				err = w.disk.rename(between, want)
			}
		}
		if err != nil {
			return w.failed("renaming", want, err)
		}
	}
	return nil
}
