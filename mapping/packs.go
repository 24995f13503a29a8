package mapping

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// packName is the name of the manifest of a pack, without its extension. That
// of a pack which is a mere program stands beside it, under PROGRAM.packName.
const packName = "helmdeck-pack"

// indexName is the name of the file in which a marketplace lists its packs.
const indexName = "index.yaml"

// marketplace is the directory whose index lists the packs in dir, else dir.
func marketplace(root fs.FS, dir string) string {
	if _, err := fs.Stat(root, path.Join(dir, "..", indexName)); err == nil && path.Base(dir) == "packs" {
		return path.Dir(dir)
	}
	return dir
}

// readPacks reads capability packs: one manifest, those below a directory, or those
// that a marketplace lists.
func readPacks(_ context.Context, r *Reader, tree Tree, src Source) (Gathered, error) {
	w := NewWalker(tree, r.walk(src))
	files := w.All(isPackName, false)
	found := w.Found
	var packs []Pack
	for _, f := range files {
		root, faults := r.part(tree, f.Name)
		found = append(found, faults...)
		if root == nil {
			continue
		}
		called := packCalled(f.Name)
		if isProgram(f.Name) {
			if fault, hint := programFault(w, f.Name); fault != "" {
				found = append(found, diag.New(diag.SourceIncomplete, diag.Span{File: tree.Show(f.Name)},
					"%s, so the pack is left out of the card", fault).WithHint(hint).CostsSkill())
				continue
			}
			if name := root.Get("name"); text(name) != "" && text(name) != called {
				found = append(found, diag.New(diag.SourceIncomplete, name.Span, "Helmdeck calls the pack %s, as its program",
					diag.Quote(called)).WithSeverity(diag.Info))
				name.Kind, name.Text = source.String, called
			}
		}
		pack, more := packManifest(root, called)
		found = append(found, more...)
		if pack != nil {
			packs = append(packs, *pack)
		}
	}
	packs, more := r.inIndex(tree, packs)
	found = append(found, more...)
	skills, more := latest(packs)
	return Gathered{Skills: skills, Found: append(found, more...)}, nil
}

// isProgram reports whether a manifest describes a program next to it.
func isProgram(manifest string) bool {
	return strings.HasSuffix(strings.TrimSuffix(manifest, path.Ext(manifest)), "."+packName)
}

// programFault says why Helmdeck does not read the manifest of a program, and how to fix
// that; "" when it does. Helmdeck looks for programs, and for the manifest that is named
// after each.
func programFault(w *Walker, manifest string) (fault, hint string) {
	program := strings.TrimPrefix(packCalled(manifest), programPrefix)
	if name := program + "." + packName + ".yaml"; path.Base(manifest) != name {
		return "Helmdeck does not read a manifest of this name", "rename it to " + name
	}
	fault, hint = "no program stands beside the manifest", "put the program beside it"
	for _, e := range w.Entries(path.Dir(manifest)) {
		isText := slices.Contains([]string{".yaml", ".yml", ".json", ".md", ".txt"}, path.Ext(e.Name()))
		if e.IsDir() || isText || programName(e.Name()) != program {
			continue
		}
		if executable(e) {
			return "", ""
		}
		fault, hint = "the program "+diag.Quote(e.Name())+" is not executable", "run chmod +x on it"
	}
	return fault, hint
}

// executable reports whether Helmdeck runs a file. Every file is executable where the
// system has no such permission, so that the card is the same there.
func executable(e fs.DirEntry) bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		return true
	}
	info, err := e.Info()
	return err == nil && info.Mode()&0o111 != 0
}

// programPrefix begins what Helmdeck calls a pack that is a program.
const programPrefix = "cmd."

// packCalled is what Helmdeck calls a pack without a name: as its program, or else
// as its directory.
func packCalled(name string) string {
	if program, ok := strings.CutSuffix(strings.TrimSuffix(path.Base(name), path.Ext(name)), "."+packName); ok {
		return programPrefix + programName(program)
	}
	return path.Base(path.Dir(name))
}

// programName is the name of a program as its pack has it: without extension, in
// lower-case letters, digits and hyphens.
func programName(file string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r == '-', r == '_':
			return '-'
		}
		return -1
	}, strings.ToLower(strings.TrimSuffix(file, path.Ext(file))))
	return strings.Trim(name, "-")
}

func isPackName(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)) &&
		(stem == packName || strings.HasSuffix(stem, "."+packName))
}

// inIndex keeps the packs that the index of a marketplace lists: all of them
// where there is no index.
func (r *Reader) inIndex(tree Tree, packs []Pack) ([]Pack, diag.List) {
	name := path.Join(tree.Root, indexName)
	if info, err := fs.Stat(tree.FS, name); err != nil || !info.Mode().IsRegular() {
		return packs, nil
	}
	root, found, err := r.document(tree, name)
	if err != nil {
		return packs, diag.List{unreadable(tree.Show(name), files.Reason(err))}
	}
	if root == nil || root.Get("packs") == nil {
		return packs, found
	}
	entries, more := packIndex(root)
	found = append(found, more...)
	there, wanted := map[string]bool{}, map[string]bool{}
	for _, p := range packs {
		there[p.ID] = true
	}
	for _, e := range entries {
		wanted[e.Text] = true
		if !there[e.Text] {
			found = append(found, diag.New(diag.SourceIncomplete, e.Span, "the index lists the pack %s, which does not exist",
				diag.Quote(e.Text)))
		}
	}
	kept := slices.DeleteFunc(slices.Clone(packs), func(p Pack) bool { return !wanted[p.ID] })
	for _, p := range packs {
		if !wanted[p.ID] {
			found = append(found, diag.New(diag.SourceExcluded, p.Origin,
				"the pack %s is left out of the card: the index of the marketplace does not list it",
				diag.Quote(p.ID)).CostsSkill())
		}
	}
	return kept, found
}

// Pack is a capability pack. Several may be versions of one.
type Pack struct {
	Skill
	Version string
}

// packManifest makes a pack of its manifest, helmdeck-pack.yaml or .json. The
// pack is nil when the manifest does not suffice, and the findings say why. One
// without a name is called so.
// How the pack is run (handler, needs_session) and who made it (author, trust)
// is not looked at.
func packManifest(root *source.Node, called string) (*Pack, diag.List) {
	m := maker{whole: root.Span}
	p := m.pack(root, called)
	return p, m.found
}

func (m *maker) pack(n *source.Node, called string) *Pack {
	if !n.Is(source.Object) {
		is := "empty"
		if n.Kind > source.Null {
			is = n.Kind.Article()
		}
		m.leaveOut(diag.SourceInvalid, diag.Warning, n,
			"the manifest is "+is+", must be a map of keys, so this pack is left out of the card", "")
		return nil
	}
	name, description := present(n.Get("name")), present(n.Get("description"))
	if name == nil {
		name = &source.Node{Kind: source.String, Text: called, Span: n.Span}
		m.report(diag.SourceNameMissing, n, "the pack has no name, it is called "+diag.Quote(called)+" as Helmdeck does",
			"add name: FAMILY.VERB").Severity = diag.Info
	}
	if description == nil {
		m.leaveOut(diag.SourceDescriptionMissing, diag.Warning, name,
			"the pack has no description, so it is left out of the card", "describe what the pack does and when to use it")
		return nil
	}
	s := m.named(name, name)
	s.Visibility = m.visibility(n)
	s.Description = m.take("/description", description)
	if description.Cut {
		m.reportCut(description)
	}
	s.Tags = m.list("/tags", splitAll, n.Get("category"), n.Get("tags"))
	if len(s.Tags) == 0 {
		s.Tags, s.Fallback = []string{"pack"}, true
	}
	s.Examples = m.packExamples(n.Get("examples"))
	s.InputModes, s.OutputModes = []string{jsonType}, []string{jsonType}
	s.Input, s.Output = packSchema(n, "input_schema"), packSchema(n, "output_schema")
	return &Pack{Skill: *s, Version: text(n.Get("version"))}
}

// packExamples returns the examples that are texts: those are requests. One with
// an input is a test case, and what it says about itself is about the test.
func (m *maker) packExamples(n *source.Node) []string {
	if !n.Is(source.Array) {
		return nil
	}
	var out []string
	for _, item := range n.Items {
		if prompt := present(item); prompt != nil {
			m.place(fmt.Sprintf("/examples/%d", len(out)), prompt.Span)
			out = append(out, text(prompt))
		}
	}
	return out
}

// packSchema returns the JSON Schema in a member of a manifest. There it is
// always one of an object, without saying so, and a property may be nothing
// but the name of a type.
func packSchema(manifest *source.Node, key string) Schema {
	n := manifest.Get(key)
	if n == nil || n.Kind == source.Null {
		return Schema{}
	}
	s := Schema{Node: n, Pointer: source.Pointer("", key)}
	if n.Kind != source.Object {
		return s
	}
	whole := &source.Node{Kind: source.Object, Span: n.Span}
	if n.Get("type") == nil {
		whole.SetText("type", "object")
	}
	for _, m := range n.Members {
		if m.Key == "properties" && m.Value.Is(source.Object) {
			m.Value = spelledOut(m.Value)
		}
		whole.Members = append(whole.Members, m)
	}
	s.Node = whole
	return s
}

// spelledOut writes {"text": "string"} as {"text": {"type": "string"}}.
func spelledOut(properties *source.Node) *source.Node {
	out := *properties
	out.Members = slices.Clone(properties.Members)
	for i, m := range out.Members {
		if m.Value.Is(source.String) {
			out.Members[i].Value = &source.Node{
				Kind: source.Object, Span: m.Value.Span,
				Members: []source.Member{{Key: "type", KeySpan: m.Value.Span, Value: m.Value}},
			}
		}
	}
	return &out
}

// packIndex returns the names of the packs that the index.yaml of a
// marketplace lists, with their places.
func packIndex(root *source.Node) ([]*source.Node, diag.List) {
	list := root.Get("packs")
	if !list.Is(source.Array) {
		return nil, diag.List{diag.New(diag.SourceInvalid, root.Span, "the index has no list of packs").
			WithHint("add packs: [{name: FAMILY.VERB}]")}
	}
	var names []*source.Node
	var found diag.List
	for _, item := range list.Items {
		name := present(item, item.Get("name"))
		if name == nil {
			found = append(found, diag.New(diag.SourceNameMissing, item.Span, "the index lists a pack without a name"))
			continue
		}
		names = append(names, name)
	}
	return names, found
}

// latest returns the packs as skills, of several versions of one pack the
// highest. Two packs of one name and version both stay.
func latest(packs []Pack) ([]Skill, diag.List) {
	highest := map[string]*Pack{}
	for i := range packs {
		p := &packs[i]
		if other := highest[p.ID]; other == nil || versionOf(other.Version) < versionOf(p.Version) {
			highest[p.ID] = p
		}
	}
	var skills []Skill
	var found diag.List
	for _, p := range packs {
		latest := highest[p.ID]
		if versionOf(p.Version) == versionOf(latest.Version) {
			skills = append(skills, p.Skill)
			continue
		}
		found = append(found, diag.New(diag.SourceExcluded, p.Origin,
			"version %s of the pack %s is not the latest, which is %s", diag.Quote(p.Version), diag.Quote(p.ID),
			diag.Quote(latest.Version)).
			WithRelated(diag.Related{Span: latest.Origin, Message: "the version that is published"}))
	}
	return skills, found
}

// versionOf is the number of a version v<int>, -1 for any other text.
func versionOf(version string) int {
	n, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(version), "v"), 10, 31)
	if err != nil {
		return -1
	}
	return int(n)
}
