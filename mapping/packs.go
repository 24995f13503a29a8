package mapping

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// packName is the name of the manifest of a pack, without its extension. A
// program has one that is called PROGRAM.packName.
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
	w := newWalker(tree, src)
	files := w.all(isPackName, false)
	found := w.found
	var packs []Pack
	for _, f := range files {
		root, faults := r.part(tree, f.Name)
		found = append(found, faults...)
		if root == nil {
			continue
		}
		pack, more := packManifest(root, f.Name)
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
	if root.Get("packs") == nil {
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
	return slices.DeleteFunc(packs, func(p Pack) bool {
		if !wanted[p.ID] {
			found = append(found, diag.New(diag.SourceExcluded, p.Origin,
				"the pack %s is left out of the card: the index of the marketplace does not list it",
				diag.Quote(p.ID)).CostsSkill())
		}
		return !wanted[p.ID]
	}), found
}

// Pack is a capability pack. Several may be versions of one.
type Pack struct {
	Skill
	Version string
}

// packManifest makes a pack of its manifest, helmdeck-pack.yaml or .json. The
// pack is nil when the manifest does not suffice, and the findings say why.
// How the pack is run (handler, needs_session) and who made it (author, trust)
// is not looked at.
func packManifest(n *source.Node, file string) (*Pack, diag.List) {
	m := maker{whole: n.Span}
	if !n.Is(source.Object) {
		m.leaveOut(diag.SourceInvalid, diag.Warning, n, "the manifest is no map, so this pack is left out of the card", "")
		return nil, m.found
	}
	name, description := packCalled(&m, n, file), present(n.Get("description"))
	if description == nil {
		m.leaveOut(diag.SourceDescriptionMissing, diag.Warning, name,
			"the pack has no description, so it is left out of the card", "describe what the pack does and when to use it")
		return nil, m.found
	}
	s := m.named(name, name)
	s.Visibility = m.visibility(n)
	s.Description = m.read("/description", description)
	m.reportCut(description)
	s.Tags = m.list("/tags", splitAll, n.Get("category"), n.Get("tags"))
	if len(s.Tags) == 0 {
		s.Tags, s.Fallback = []string{"pack"}, true
	}
	for _, item := range n.Get("examples").Elements() { // one with an input is a test case
		if prompt := present(item); prompt != nil {
			m.place(fmt.Sprintf("/examples/%d", len(s.Examples)), prompt.Span)
			s.Examples = append(s.Examples, text(prompt))
		}
	}
	s.InputModes, s.OutputModes = []string{jsonType}, []string{jsonType}
	s.Input, s.Output = packSchema(n, "input_schema"), packSchema(n, "output_schema")
	return &Pack{Skill: *s, Version: text(n.Get("version"))}, m.found
}

// packCalled is what Helmdeck calls a pack: by the program of a manifest
// PROGRAM.helmdeck-pack.yaml, else by its name, or else by its directory.
func packCalled(m *maker, n *source.Node, file string) *source.Node {
	name, called := present(n.Get("name")), path.Base(path.Dir(file))
	program, ok := strings.CutSuffix(strings.TrimSuffix(path.Base(file), path.Ext(file)), "."+packName)
	if ok {
		called = "cmd." + program
	}
	if name != nil && (!ok || text(name) == called) {
		return name
	}
	at := cmp.Or(name, n)
	m.report(diag.SourceNameMissing, at, "Helmdeck calls the pack "+diag.Quote(called), "write name: "+called).
		Severity = diag.Info
	return &source.Node{Kind: source.String, Text: called, Span: at.Span}
}

// packSchema returns the JSON Schema in a member of a manifest. There it is
// always one of an object, without saying so, and a property may be nothing
// but the name of a type.
func packSchema(manifest *source.Node, key string) Schema {
	n := manifest.Get(key)
	if n == nil || n.Kind == source.Null {
		return Schema{}
	}
	for i, p := range n.Get("properties").Fields() {
		if p.Value.Is(source.String) {
			n.Get("properties").Members[i].Value = &source.Node{
				Kind: source.Object, Span: p.Value.Span,
				Members: []source.Member{{Key: "type", KeySpan: p.Value.Span, Value: p.Value}},
			}
		}
	}
	if n.Is(source.Object) && n.Get("type") == nil {
		object := source.Member{Key: "type", KeySpan: n.Span, Value: source.NewText("object")}
		n = n.WithMembers(slices.Insert(slices.Clone(n.Members), 0, object))
	}
	return Schema{Node: n, Pointer: source.Pointer("", key)}
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
