package project

import (
	"maps"
	"path"
	"slices"

	"cardwright/internal/diff"
	"cardwright/internal/discovery"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// PublicSkills compares which files of skills are public on disk, and which will be with
// the trees, in archives too, and returns how many these are. What stays on disk of other
// agents is public on both sides. What cannot be read is noted.
func PublicSkills(unread *Unread, trees []Output) (c diff.Comparison, files int) {
	for _, t := range trees {
		if t.Kind == Public {
			c, files = t.publicSkills(unread)
		}
	}
	c.Changes = slices.DeleteFunc(c.Changes, func(c diff.Change) bool { return !c.Files.Changed() })
	return c, files
}

// publicSkills compares a tree with what is on disk.
func (t Output) publicSkills(unread *Unread) (diff.Comparison, int) {
	made := map[string][]byte{}
	var listing []string // of the tree
	for _, f := range t.Files {
		if _, ok := discovery.FileOfSkill(f.Path); ok {
			made[f.Path], listing = f.Data, append(listing, f.Path)
		}
	}
	read := func(file string, limit int) ([]byte, error) {
		data, err := t.Dir.ReadFile(file, limit)
		return data, unread.note(path.Join(t.Dir.Name, file), err)
	}
	older, newer := &Edition{Tree: true, Read: read}, &Edition{Tree: true}
	newer.Files = slices.Sorted(maps.Keys(made))
	listed := tree.ManifestIn(read)
	for _, p := range listed.Union(tree.Manifest{Files: listing}).Files {
		_, err := read(p, discovery.MaxArchive)
		if _, ok := discovery.FileOfSkill(p); ok && err == nil {
			older.Files = append(older.Files, p)
		}
	}
	older.Files = append(older.Files, tree.ManifestName)
	newer.Files = append(newer.Files, tree.ManifestName)
	made[tree.ManifestName] = schema.Write(tree.Manifest{Files: listing}.Node())
	newer.Read = func(file string, limit int) ([]byte, error) {
		if data, ok := made[file]; ok {
			return data, nil
		}
		return read(file, limit)
	}
	return comparePublished(older, newer)
}
