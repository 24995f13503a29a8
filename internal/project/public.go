package project

import (
	"bytes"
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
	var entries []tree.Entry // of the tree
	for _, f := range t.Files {
		if _, ok := discovery.FileOfSkill(f.Path); ok {
			made[f.Path], entries = f.Data, append(entries, tree.Entry{Path: f.Path, Agent: f.Agent})
		}
	}
	read := func(file string, limit int) ([]byte, error) {
		data, err := t.Dir.ReadFile(file, limit)
		return data, unread.note(path.Join(t.Dir.Name, file), err)
	}
	older, newer := &Edition{Tree: true, Read: read}, &Edition{Tree: true}
	newer.Files = slices.Sorted(maps.Keys(made))
	listing, _ := read(tree.ManifestName, tree.MaxManifest)
	var listed tree.Manifest
	if bytes.Contains(listing, []byte(tree.SkillsDir)) {
		listed, _ = tree.ParseManifest(tree.ManifestName, listing)
	}
	for _, e := range tree.Merged(listed.Files, entries) {
		data, err := read(e.Path, discovery.MaxArchive)
		if _, ok := discovery.FileOfSkill(e.Path); !ok || err != nil {
			continue
		}
		older.Files = append(older.Files, e.Path)
		// An edited file stays where it is.
		_, again := made[e.Path]
		if !again && (t.options.Keep != nil && t.options.Keep(e.Agent, e.Path) || tree.DigestOf(data) != e.Digest) {
			newer.Files, entries = append(newer.Files, e.Path), append(entries, e)
		}
	}
	older.Files = append(older.Files, tree.ManifestName)
	newer.Files = append(newer.Files, tree.ManifestName)
	made[tree.ManifestName] = schema.Write(tree.Manifest{Files: entries}.Node())
	newer.Read = func(file string, limit int) ([]byte, error) {
		if data, ok := made[file]; ok {
			return data, nil
		}
		return read(file, limit)
	}
	return comparePublished(older, newer)
}
