package generate

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// forge reads a project of Forge: the card that forge.yaml describes, its tools
// and its skill files, in the order in which Forge lets the first of a name win.
func (w *work) forge(tree Tree, src config.Source) gathered {
	name := path.Join(tree.Root, "forge.yaml")
	if info, err := fs.Stat(tree.FS, tree.Root); err == nil && info.Mode().IsRegular() {
		name, tree.Root = tree.Root, path.Dir(tree.Root)
	}
	root, found, err := w.document(tree, name)
	if err != nil {
		return gathered{found: diag.List{unusableSource(src, path.Base(name)+": "+cause(err))}}
	}
	if !root.Is(source.Object) {
		if len(found) == 0 {
			found = diag.List{{Rule: ruleInvalid, Severity: diag.Error, Message: "forge.yaml is no map of keys", Span: root.Span}}
		}
		return gathered{found: found}
	}
	project, more := mapping.Forge(root)
	g := gathered{skills: project.Tools, brought: project.Brought, found: append(found, more...)}
	if w.Config.BaseURL != "" {
		g.brought.Card.Interfaces = []schema.Interface{{URL: w.Config.BaseURL, Binding: "JSONRPC", Version: string(schema.V03)}}
	}
	files, more := forgeFiles(tree, src, project.Main, w.Config.Limits)
	g.found = append(g.found, more...)
	var dropped []mapping.Skill // which must not win over what Forge publishes
	for _, f := range files {
		skill, drops, more := readForgeSkill(tree, f, w.readOptions(src))
		g.found = append(g.found, more...)
		switch {
		case skill == nil:
		case drops:
			dropped = append(dropped, *skill)
		default:
			g.skills = append(g.skills, *skill)
		}
	}
	g.skills = append(g.skills, dropped...)
	return g
}

// forgeFiles finds the skill files of a project: skills/*.md, skills/*/SKILL.md
// and the main one, which main names.
func forgeFiles(tree Tree, src config.Source, main *source.Node, limits source.Limits) ([]skillFile, diag.List) {
	w := newWalker(tree, src, limits)
	skills := dir{name: path.Join(tree.Root, "skills")}
	if info, err := fs.Stat(tree.FS, skills.name); err == nil && info.IsDir() {
		entries := w.entries(skills)
		w.wanted = func(name string) bool { return path.Ext(name) == ".md" }
		w.takeAll(skills, entries)
		for i, f := range w.files {
			w.files[i].flat, w.files[i].Dir = true, strings.TrimSuffix(path.Base(f.name), ".md")
		}
		w.wanted = isSkillName
		for _, e := range entries {
			switch sub := skills.child(e.Name()); {
			case w.excluded(sub) != nil:
			case e.IsDir():
				w.takeSkill(sub, w.entries(sub))
			case e.Type()&fs.ModeSymlink != 0 && path.Ext(e.Name()) != ".md":
				w.link(sub.name)
			}
		}
		for _, name := range w.links {
			w.takeSkill(dir{name: name}, w.entries(dir{name: name}))
		}
	}
	w.mainSkill(main)
	return w.files, w.found
}

// mainSkill adds the main skill of a project of Forge.
func (w *walker) mainSkill(named *source.Node) {
	rel := skillName
	if named != nil {
		rel = named.Text
	}
	name := path.Join(w.tree.Root, rel)
	info, err := fs.Stat(w.tree.FS, name)
	var why string
	switch {
	case path.IsAbs(rel) || !fs.ValidPath(name):
		why = "it leads outside the project"
	case err != nil:
		why = cause(err)
	case info.IsDir():
		why = "it is a directory"
	default:
		w.add(skillFile{name: name, SkillFile: mapping.SkillFile{Dir: base(path.Dir(name)), AnyName: true}})
		return
	}
	if named != nil {
		w.found = append(w.found, diag.Diagnostic{Rule: "source-unreadable", Severity: diag.Warning, Message: "skills.path cannot be read: " + why, Span: named.Span})
	}
}

// readForgeSkill reads one skill file of a project of Forge, and tells whether
// Forge itself drops it.
func readForgeSkill(tree Tree, f skillFile, o readOptions) (skill *mapping.Skill, dropped bool, found diag.List) {
	var raw bytes.Buffer
	header, _, found := readHeader(tree, f, o, &raw)
	if header == nil {
		if f.flat {
			found = slices.DeleteFunc(found, isNoSkill)
		}
		return nil, false, found
	}
	if f.flat && !hasText(header.Get("name")) && !hasText(header.Get("description")) {
		return nil, false, diag.List{leftOut(f, "it has neither a name nor a description")}
	}
	skill, dropped, more := mapping.ForgeSkill(header, f.SkillFile, rawHeader(raw.Bytes(), found))
	return skill, dropped, append(found, more...)
}

// rawHeader tells what Forge minds about a header that was read with the given
// findings.
func rawHeader(text []byte, found diag.List) mapping.RawHeader {
	firstLine, _, _ := bytes.Cut(text, []byte("\n"))
	return mapping.RawHeader{
		ByteOrderMark: bytes.HasPrefix(text, []byte("\ufeff")),
		CRLF:          bytes.HasSuffix(firstLine, []byte("\r")),
		Repaired:      found.Worst() >= diag.Warning,
	}
}
