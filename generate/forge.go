package generate

import (
	"bytes"
	"context"
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

func forgeFormat() Format {
	return Format{
		Type: Forge, Title: "A Forge project.", Path: "The directory with forge.yaml",
		Keys:         []Key{{Name: "exclude"}, {Name: "followSymlinks"}, {Name: "built", Doc: "Take the tools and the description that forge build finds in the code from .forge-output/agent.json."}},
		usage:        "a forge source is a directory with a forge.yaml",
		skillFiles:   true,
		servesAtBase: true,
		Detect: func(_ fs.FS, name string, d fs.DirEntry) (string, bool) {
			return path.Dir(name), !d.IsDir() && d.Name() == "forge.yaml"
		},
		read: readForge,
	}
}

// readForge reads a project of Forge: the card that forge.yaml describes, its tools
// and its skill files, in the order in which Forge lets the first of a name win.
func readForge(_ context.Context, w *work, tree Tree, src config.Source) (gathered, error) {
	name := path.Join(tree.Root, "forge.yaml")
	if info, err := fs.Stat(tree.FS, tree.Root); err == nil && info.Mode().IsRegular() {
		name, tree.Root = tree.Root, path.Dir(tree.Root)
	}
	root, found, err := w.document(tree, name)
	if err != nil {
		return gathered{found: diag.List{unusableSource(src, path.Base(name)+": "+source.Reason(err))}}, nil
	}
	if !root.Is(source.Object) {
		if len(found) == 0 {
			found = diag.List{diag.New(ruleInvalid, root.Span, "forge.yaml is no map of keys")}
		}
		return gathered{found: found}, nil
	}
	project, more := mapping.Forge(root)
	found = append(found, more...)
	var built *source.Node
	if src.Built {
		built, more = w.takeBuilt(&project, tree, src)
		found = append(found, more...)
	} else if d, ok := unbuilt(root.Get("framework")); ok {
		found = append(found, d)
	}
	g := gathered{skills: project.Tools, brought: project.Brought, found: found}
	if w.Config.BaseURL != "" {
		g.brought.Card.Interfaces = []schema.Interface{{URL: w.Config.BaseURL, Binding: "JSONRPC", Version: schema.V03.String()}}
	}
	files, more := forgeFiles(tree, src, project.Main, w.Config.Limits)
	g.found = append(g.found, more...)
	var read []mapping.ForgeFile
	for _, f := range files {
		skill, more := readForgeSkill(tree, f, w.readOptions(src))
		g.found = append(g.found, more...)
		if skill != nil {
			read = append(read, *skill)
		}
	}
	g.found = append(g.found, mapping.OutdatedSkills(built, read)...)
	for _, drops := range []bool{false, true} { // which must not win over what Forge publishes
		for _, f := range read {
			if f.Dropped == drops {
				g.skills = append(g.skills, f.Skill)
			}
		}
	}
	return g, nil
}

// takeBuilt adds to a project what forge build has found in its code.
func (w *work) takeBuilt(project *mapping.ForgeProject, tree Tree, src config.Source) (*source.Node, diag.List) {
	const file = ".forge-output/agent.json"
	root, found, err := w.document(tree, path.Join(tree.Root, file))
	if err != nil {
		d := unusableSource(src, file+": "+source.Reason(err))
		d.Hint = "run forge build first, or remove built: true"
		return nil, diag.List{d}
	}
	return root, append(found, project.TakeBuilt(root)...)
}

// unbuilt tells of a project whose tools stand in code that only forge build
// reads.
func unbuilt(framework *source.Node) (diag.Diagnostic, bool) {
	title := map[string]string{"crewai": "CrewAI", "langchain": "LangChain"}
	if !framework.Is(source.String) || title[framework.Text] == "" {
		return diag.Diagnostic{}, false
	}
	return diag.New("source-incomplete", framework.Span, "only forge build knows the tools and the description of a project of %s, so they are missing here", title[framework.Text]).
		WithHint("run forge build, and set built: true on the source"), true
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
		why = source.Reason(err)
	case info.IsDir():
		why = "it is a directory"
	default:
		w.add(skillFile{name: name, SkillFile: mapping.SkillFile{Dir: base(path.Dir(name)), AnyName: true}})
		return
	}
	if named != nil {
		w.found = append(w.found, diag.New("source-unreadable", named.Span, "skills.path cannot be read: %s", why))
	}
}

// readForgeSkill reads one skill file of a project of Forge.
func readForgeSkill(tree Tree, f skillFile, o readOptions) (*mapping.ForgeFile, diag.List) {
	var read bytes.Buffer
	header, size, found := readHeader(tree, f, o, &read)
	if header == nil {
		if f.flat {
			found = slices.DeleteFunc(found, isNoSkill)
		}
		return nil, found
	}
	if f.flat && !hasText(header.Get("name")) && !hasText(header.Get("description")) {
		return nil, diag.List{leftOut(f, "it has neither a name nor a description")}
	}
	text := read.Bytes()
	if size > forgeLine { // the body matters, which nobody reads otherwise
		if whole, err := source.ReadFile(tree.FS, f.name, o.Limits.WithDefaults().Source); err == nil {
			text = whole
		}
	}
	raw := rawHeader(text, found)
	raw.Misnamed = !f.flat && !f.AnyName && path.Base(f.name) != skillName
	if raw.Cut {
		var faults diag.List
		raw.Left, faults = source.ReadFrontmatter(bytes.NewReader(cutHeader(text)), f.Path, source.FrontmatterOptions{Limits: o.Limits})
		if slices.ContainsFunc(faults, breaksYAML) {
			raw.Left = nil
		}
	}
	skill, more := mapping.ForgeSkill(header, f.SkillFile, raw)
	return skill, append(found, more...)
}

// cutHeader returns a header as Forge reads it. It looks for the end line by line
// and counts a line that ends in CRLF as one byte shorter, so that as many bytes
// are missing at the end.
func cutHeader(text []byte) []byte {
	_, lines, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	end := 0
	for line := range bytes.Lines(lines) {
		if string(bytes.TrimSpace(line)) == "---" {
			break
		}
		if end += len(line); bytes.HasSuffix(line, []byte("\r\n")) {
			end--
		}
	}
	return slices.Concat([]byte("---\n"), lines[:end], []byte("\n---\n"))
}

// rawHeader tells what Forge minds about a header that was read with the given
// findings.
func rawHeader(text []byte, found diag.List) mapping.RawHeader {
	return mapping.RawHeader{
		ByteOrderMark: bytes.HasPrefix(text, []byte("\ufeff")),
		Cut:           hasCRLF(text),
		Repaired:      slices.ContainsFunc(found, breaksYAML),
		LongLine:      hasLongLine(text),
	}
}

// breaksYAML tells whether a finding is about a header that is no YAML. Forge
// minds neither blank lines in front of a header nor what follows its dashes, nor
// escapes of control characters.
func breaksYAML(d diag.Diagnostic) bool {
	switch d.Rule {
	case "source-frontmatter-opening", "source-escape-dropped":
		return false
	}
	return d.Severity >= diag.Warning
}

// forgeLine is the length from which Forge cannot read a line, in bytes.
const forgeLine = 64 << 10

// hasCRLF tells whether a line of the header ends in CRLF, its fences aside.
func hasCRLF(text []byte) bool {
	_, lines, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	for line := range bytes.Lines(lines) {
		if string(bytes.TrimSpace(line)) == "---" {
			break
		}
		if bytes.HasSuffix(line, []byte("\r\n")) {
			return true
		}
	}
	return false
}

func hasLongLine(text []byte) bool {
	for line := range bytes.Lines(text) {
		if len(line) >= forgeLine {
			return true
		}
	}
	return false
}
