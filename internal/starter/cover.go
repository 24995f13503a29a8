package starter

import (
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/mapping"
)

// cover returns the fewest sources in a directory that read some of all skills and no others.
func cover(dir string, files, all []string) []entry {
	if root := slices.IndexFunc(files, inRoot); root >= 0 {
		rest := slices.Delete(slices.Clone(files), root, root+1)
		return append([]entry{{Type: mapping.TypeSkills, Path: files[root]}}, cover(dir, rest, all)...)
	}
	if len(files) == 0 {
		return nil
	}
	top, wanted, names := home(dir, files), map[string]bool{}, map[string]bool{}
	for _, file := range files {
		wanted[file] = true
		for name := range strings.SplitSeq(path.Dir(file), "/") {
			names[name] = true
		}
	}
	others := slices.DeleteFunc(slices.Clone(all), func(file string) bool { return wanted[file] || !holds(top, file) })
	excluded := map[string]bool{}
	for dir := range apart(others, files) {
		if name := path.Base(dir); names[name] {
			excluded[strings.TrimPrefix(dir, top+"/")] = true
		} else {
			excluded[name] = true // at every level
		}
	}
	groups := apart(files, others)
	if len(excluded) <= len(groups) && !slices.ContainsFunc(others, inRoot) {
		return []entry{{Type: mapping.TypeSkills, Path: top, Exclude: slices.Sorted(maps.Keys(excluded))}}
	}
	var sources []entry
	for _, dir := range slices.Sorted(maps.Keys(groups)) {
		sources = append(sources, entry{Type: mapping.TypeSkills, Path: home(dir, groups[dir])})
	}
	return sources
}

// inRoot reports whether a skill takes the whole project for its directory.
func inRoot(file string) bool { return path.Dir(file) == "." }

// home is the deepest directory in which the directories of all skills lie, so that a new
// skill next to them is found too; none above the directory that was asked for.
func home(dir string, files []string) string {
	top := path.Dir(path.Dir(files[0]))
	for _, file := range files {
		for !holds(top, path.Dir(path.Dir(file))) {
			top = path.Dir(top)
		}
	}
	if holds(dir, top) {
		return top
	}
	return dir
}

// apart groups files by the outermost directory that holds none of the others.
func apart(files, others []string) map[string][]string {
	shared := map[string]bool{}
	for _, file := range others {
		for dir := path.Dir(file); !shared[dir]; dir = path.Dir(dir) {
			shared[dir] = true
		}
	}
	groups := map[string][]string{}
	for _, file := range files {
		dir := path.Dir(file)
		for dir != "." && !shared[path.Dir(dir)] {
			dir = path.Dir(dir)
		}
		groups[dir] = append(groups[dir], file)
	}
	return groups
}

// holds reports whether a path is dir, or of something in it.
func holds(dir, name string) bool { return dir == "." || strings.HasPrefix(name+"/", dir+"/") }
