package project

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diff"
	"cardwright/internal/discovery"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// skillsIndex is where a site lists the skills that it publishes with their files.
const skillsIndex = tree.SkillsDir + "/" + tree.SkillsIndexName

// isSkillsIndex reports whether a file of a tree lists published skills.
func isSkillsIndex(file string) bool {
	return file == skillsIndex || strings.HasSuffix(file, "/"+skillsIndex)
}

// comparePublished compares what two trees publish of skills: what the indexes say of
// them, and which of their files are public, in archives too. The manifests tell whose
// they are. It also returns how many files the newer tree makes public.
func comparePublished(older, newer *Edition) (c diff.Comparison, files int) {
	skills := newer.published()
	for _, s := range skills {
		files += len(s.Files)
	}
	return diff.Published(older.published(), skills), files
}

// published are the skills that a tree publishes with their files, by where they
// are listed and their names. An index that cannot be read lists none.
func (e *Edition) published() map[string]diff.PublishedSkill {
	skills := map[string]diff.PublishedSkill{}
	for _, file := range e.Files {
		switch f, ok := discovery.FileOfSkill(file); {
		case !e.Tree:
		case isSkillsIndex(file):
			for _, item := range e.index(file) {
				key := skillKey(file, item.Get("name").Word())
				s := skills[key]
				s.Name, s.Description, s.Digest = item.Get("name").Word(), item.Get("description").Word(), item.Get("digest").Word()
				skills[key] = s
			}
		case ok:
			key := skillKey(path.Join(f.Site, skillsIndex), f.Skill)
			s := skills[key]
			s.Name, s.Files = f.Skill, append(s.Files, e.members(file, f)...)
			skills[key] = s
		}
	}
	for key, s := range skills {
		slices.Sort(s.Files)
		s.Files = slices.Compact(s.Files)
		skills[key] = s
	}
	return skills
}

// skillKey tells a skill from those of other sites: by the index that lists it, and
// its name.
func skillKey(index, name string) string { return index + " " + name }

// index are the entries of an index of skills.
func (e *Edition) index(file string) []*source.Node {
	data, err := e.Read(file, e.Limits.WithDefaults().Card)
	if err != nil {
		return nil
	}
	root, _ := source.ParseJSON(file, data, e.Limits)
	return root.Get("skills").Elements()
}

// members are the files of a skill that a file of the tree makes public: itself, or all
// that are in an archive. An archive that cannot be read is a file of its own, another
// one with each content, so that it hides nothing.
func (e *Edition) members(file string, f discovery.PublishedFile) []string {
	if f.Format == "" {
		return []string{f.Path}
	}
	const cannot = "%s (cannot be read)"
	data, err := e.Read(file, discovery.MaxArchive)
	if err != nil {
		return []string{fmt.Sprintf(cannot, path.Base(file))}
	}
	names, err := f.Format.Members(data)
	if err != nil {
		return []string{fmt.Sprintf(cannot, path.Base(file)+" with digest "+tree.DigestOf(data).String()[:12])}
	}
	return names
}
