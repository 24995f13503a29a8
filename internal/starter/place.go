package starter

import (
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/mapping"
)

// place is a directory that skills lie in or below, in a tree of them.
type place struct {
	path           string
	file           string // a SKILL.md directly in it
	wanted, others int    // skills in it and below: to publish, and not to
	below          map[string]*place
}

// add adds the SKILL.md of a skill to the tree below its root.
func (p *place) add(file string, wanted bool) {
	p.count(wanted)
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if dir == "." {
			break
		}
		next := p.below[dir]
		if next == nil {
			if p.below == nil {
				p.below = map[string]*place{}
			}
			next = &place{path: path.Join(p.path, dir)}
			p.below[dir] = next
		}
		p = next
		p.count(wanted)
	}
	if wanted {
		p.file = file
	}
}

func (p *place) count(wanted bool) {
	if wanted {
		p.wanted++
	} else {
		p.others++
	}
}

// sources are those that read every wanted skill of the tree and nothing else.
func (p *place) sources() []entry {
	read := func(path string) []entry { return []entry{{Type: mapping.TypeSkills, Path: path}} }
	var list []entry
	switch {
	case p.wanted == 0:
		return nil
	case p.file != "" && p.path != ".":
		return read(p.path)
	case p.file != "":
		list = read(p.file)
	case p.others == 0:
		return read(p.home().path)
	}
	for _, name := range slices.Sorted(maps.Keys(p.below)) {
		list = append(list, p.below[name].sources()...)
	}
	return list
}

// home is the deepest directory in which the directories of all wanted skills lie, so
// that a new skill next to them is found too.
func (p *place) home() *place {
	for _, next := range p.below {
		if next.wanted == p.wanted && next.file == "" {
			return next.home()
		}
	}
	return p
}

// excluded are the outermost directories without a wanted skill.
func (p *place) excluded() []string {
	switch {
	case p.others == 0:
		return nil
	case p.wanted == 0:
		return []string{p.path}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(p.below)) {
		list = append(list, p.below[name].excluded()...)
	}
	return list
}

// shortened makes paths relative to top. It replaces the paths of a long list by their last
// names, which exclude at every level, where no wanted file lies below such a directory.
func shortened(paths []string, top string, files []string) []string {
	const long = 3
	names := map[string]bool{}
	for _, file := range files {
		for name := range strings.SplitSeq(file, "/") {
			names[name] = true
		}
	}
	var list []string
	for _, at := range paths {
		if name := path.Base(at); len(paths) > long && !names[name] {
			list = append(list, name)
		} else {
			list = append(list, strings.TrimPrefix(at, top+"/"))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
