package starter

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/files"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// whyIgnored is a reason why files are on no card.
const whyIgnored = "ignored by git"

// scan is what a project holds that an agent can be made of.
type scan struct {
	Options
	root      fs.FS
	manifests []mapping.Manifest
	formats   []mapping.Format

	skills    []string            // SKILL.md files that may be published
	aside     []string            // those that a source above them would read too
	described map[string]entry    // the manifest of each directory that has one
	packages  map[string]bool     // directories with a package manifest
	sources   map[string]entry    // in other formats, by path
	lists     bool                // a marketplace lists the skills of its entries
	read      map[string]bool     // files of skills that manifests list
	left      map[string][]string // files that are left out, by the reason
	named     string              // the directory in Options.Dirs that is searched
}

// scanProject lists each directory once.
func scanProject(root fs.FS, o Options) *scan {
	s := &scan{
		Options: o, root: root, manifests: mapping.Manifests(), formats: mapping.Formats(),
		described: map[string]entry{}, packages: map[string]bool{}, sources: map[string]entry{},
		read: map[string]bool{}, left: map[string][]string{},
	}
	for _, dir := range o.Dirs {
		s.named = dir
		if info, err := fs.Stat(root, dir); err == nil {
			s.detect(dir, fs.FileInfoToDirEntry(info))
		}
		s.directory(dir, "", false)
	}
	if len(o.Dirs) == 0 {
		s.directory(".", "", false)
	}
	for _, m := range s.manifests { // of the project, whichever directories are named
		if m.Type == mapping.TypePackage && isFile(root, m.Name) && !s.Ignored(m.Name, false) {
			s.packages["."] = true
		}
	}
	return s
}

// directory searches a directory. Nothing in it is published for the reason why, ""
// where something may be; inSkill means that it belongs to a skill above it.
func (s *scan) directory(dir, why string, inSkill bool) {
	entries, err := fs.ReadDir(s.root, dir)
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	if err != nil || dir != "." && names[site.ManifestName] {
		return // it cannot be read, or is an output tree
	}
	speaks := why == "" && !s.isCopy(path.Join(dir, "agent", "manifest"))
	if speaks {
		s.describe(dir, names)
	}
	skill := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() && mapping.IsSkillName(e.Name()) })
	if skill >= 0 && !inSkill {
		s.skill(path.Join(dir, entries[skill].Name()), why)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if speaks {
			s.detect(name, e)
		}
		hidden := strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"
		if e.IsDir() && !hidden && strings.Count(name, "/") < source.MaxLevels {
			s.directory(name, cmp.Or(why, s.reason(name)), inSkill || skill >= 0 && dir != ".")
		}
	}
}

// reason says why nothing in a directory is published, "" where something may be.
func (s *scan) reason(dir string) string {
	if s.Ignored(dir, true) {
		return whyIgnored
	}
	return mapping.Foreign(dir)
}

// skill notes a SKILL.md.
func (s *scan) skill(file, why string) {
	switch {
	case why != "":
		s.leave(why, file)
	case s.Ignored(file, false):
		s.leave(whyIgnored, file)
	case s.isCopy(file):
		s.leave("in tests, templates, examples, archives or translations", file)
		s.aside = append(s.aside, file)
	default:
		s.skills = append(s.skills, file)
	}
}

// isCopy reports whether a file is a copy by the directories below the one that was named.
func (s *scan) isCopy(file string) bool {
	if rel, ok := strings.CutPrefix(file, s.named+"/"); ok {
		if file = rel; slices.Contains(strings.Split(s.named, "/"), "skills") {
			file = "skills/" + rel
		}
	}
	return mapping.IsCopy(file)
}

func (s *scan) leave(why string, files ...string) { s.left[why] = append(s.left[why], files...) }

// describe notes the manifests of a directory.
func (s *scan) describe(dir string, names map[string]bool) {
	for _, m := range s.manifests {
		top, _, _ := strings.Cut(m.Name, "/")
		file := path.Join(dir, m.Name)
		if !names[top] || !isFile(s.root, file) || s.Ignored(file, false) {
			continue
		}
		switch {
		case m.List:
			for _, e := range mapping.Marketplace(s.document(file), dir) {
				if info, err := fs.Stat(s.root, e.Dir); err == nil && info.IsDir() {
					s.note(e.Dir, entry{Type: m.Type, Path: e.Dir})
					s.lists = s.lists || e.Node.Get("skills").Is(source.Array)
				}
			}
		case m.Type == mapping.TypePackage:
			s.packages[dir] = true
		case m.Type == mapping.TypeCard:
			s.note(dir, entry{Type: m.Type, Path: file, Flag: "whole"})
		case m.IsOf(s.document(file)):
			s.note(dir, entry{Type: m.Type, Path: dir})
		}
	}
}

// note notes what describes a directory. A plugin gives way to all others.
func (s *scan) note(dir string, e entry) {
	if first, known := s.described[dir]; !known || first.Type == mapping.TypePlugin {
		s.described[dir] = e
	}
}

// document is a file of JSON, nil where it cannot be read.
func (s *scan) document(file string) *source.Node {
	data, err := files.ReadFile(s.root, file, source.MaxSource)
	if err != nil {
		return nil
	}
	root, _ := source.ParseJSON(file, data)
	return root
}

// detect notes the source of another format that a file or directory is a part of.
func (s *scan) detect(name string, e fs.DirEntry) {
	if dir := path.Dir(name); path.Ext(name) == ".md" && path.Base(dir) == "agents" && !s.Ignored(name, false) {
		s.sources[dir] = entry{Type: mapping.TypeSkills, Path: dir, Flag: "flat"}
	}
	for _, f := range s.formats {
		if f.Detect == nil {
			continue
		}
		if at, ok := f.Detect(s.root, name, e); ok && !s.Ignored(name, e.IsDir()) {
			s.sources[at] = entry{Type: f.Type, Path: at}
		}
	}
}

func isFile(root fs.FS, name string) bool {
	info, err := fs.Stat(root, name)
	return err == nil && info.Mode().IsRegular()
}
