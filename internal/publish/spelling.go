package publish

import (
	"os"
	"path"
	"slices"
	"strings"

	"cardwright/internal/files"
	"cardwright/internal/tree"
)

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
			if _, known := names[dir]; !known {
				names[dir], _ = listed(s.root, dir) // which a run that writes there can read
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

// listed are the names in a directory.
func listed(root *os.Root, dir string) ([]string, error) {
	f, err := files.OpenIn(root, dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// respell gives everything its letters. Where the system takes the new name for the
// old one and does nothing, another name goes between.
func (w *writer) respell() error {
	for _, s := range w.misspelled() {
		was, want := path.Join(s.dir, s.was), path.Join(s.dir, s.want)
		err := w.disk.rename(was, want)
		if names, _ := listed(w.root, s.dir); err == nil && !slices.Contains(names, s.want) {
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
