package mapping

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readForge reads a project of Forge: the card that forge.yaml describes, its tools
// and its skill files, in the order in which Forge lets the first of a name win.
func readForge(_ context.Context, r *Reader, tree Tree, src Source) (Gathered, error) {
	name := path.Join(tree.Root, "forge.yaml")
	if isFile(tree, tree.Root) {
		name, tree.Root = tree.Root, path.Dir(tree.Root)
	}
	root, found, err := r.ownDocument(tree, name)
	if err != nil {
		return Gathered{Found: diag.List{src.unusable(path.Base(name) + ": " + files.Reason(err))}}, nil
	}
	if !root.Is(source.Object) {
		if root != nil {
			found = append(found, diag.New(ruleInvalid, root.Span, "forge.yaml is not a map of keys"))
		}
		return Gathered{Found: found}, nil
	}
	g := forge(root)
	g.Found = append(found, g.Found...)
	if src.Built {
		r.addBuilt(&g, tree, src)
	} else {
		g.reportUnbuilt(root.Get("framework"))
	}
	if r.BaseURL != "" {
		g.CardPart.Card.Interfaces = []schema.Interface{{URL: r.BaseURL, Binding: "JSONRPC", Version: schema.V03.String()}}
	}
	files, more := forgeFiles(tree, src, present(root.Get("skills").Get("path")))
	g.Found = append(g.Found, more...)
	var dropped []Skill // which must not win over what Forge publishes
	for _, f := range files {
		skill, drops, more := r.readForgeSkill(tree, f)
		g.Found = append(g.Found, more...)
		switch {
		case skill == nil:
			continue
		case drops:
			dropped = append(dropped, *skill)
		default:
			g.Skills = append(g.Skills, *skill)
		}
		if !f.AnyName { // the directory of the main skill is the project
			r.noteSkillDir(tree, f)
		}
	}
	g.Skills = append(g.Skills, dropped...)
	return g, nil
}

// ownDocument reads a file of a project, which must not be a link out of it.
func (r *Reader) ownDocument(tree Tree, name string) (*source.Node, diag.List, error) {
	if err := inside(tree.FS, tree.Root, name); err != nil {
		return nil, nil, err
	}
	return r.document(tree, name)
}

// forge reads forge.yaml. What the agent is called and how clients authenticate becomes
// part of the card, each tool a skill. Nothing else in it is looked at.
func forge(root *source.Node) Gathered {
	auth, found := AuthProviders(root.Get("auth").Get("providers"), diag.Warning)
	modes := []string{"text/plain", jsonType}
	g := Gathered{Found: found}
	p := &g.CardPart
	p.Card = schema.Card{InputModes: modes, OutputModes: modes, SecuritySchemes: auth.Schemes, Security: auth.Security}
	p.Origin, p.Places = root.Span, auth.Places
	p.Card.Name = p.read("/name", root.Get("agent_id"))
	p.Card.Version = p.read("/version", root.Get("version"))
	g.addTools(root.Get("tools"))
	return g
}

// addTools adds skills for the tools of a list.
func (g *Gathered) addTools(list *source.Node) {
	for _, n := range list.Elements() {
		tool := maker{whole: n.Span}
		if skill := tool.tool(n); skill != nil {
			g.Skills = append(g.Skills, *skill)
		}
		g.Found = append(g.Found, tool.found...)
	}
}

// reportUnbuilt reports a project whose tools are in code that only forge build reads.
func (g *Gathered) reportUnbuilt(framework *source.Node) {
	if title := map[string]string{"crewai": "CrewAI", "langchain": "LangChain"}[text(framework)]; title != "" {
		g.Found = append(g.Found, diag.New(diag.SourceIncomplete, framework.Span,
			"only forge build can read the tools and the description of a %s project, so they are left out of the card", title).
			WithHint("run forge build, and set built: true on the source"))
	}
}

// addBuilt adds what forge build has found in the code of a project, as
// .forge-output/agent.json has it: name, description and tools, which win over the tools
// of forge.yaml. The skills in there are not read: their files are. What forge.yaml says
// otherwise by now is a finding.
func (r *Reader) addBuilt(g *Gathered, tree Tree, src Source) {
	const file = ".forge-output/agent.json"
	root, found, err := r.ownDocument(tree, path.Join(tree.Root, file))
	p := &g.CardPart
	switch {
	case err != nil:
		found = diag.List{src.unusable(file + ": " + files.Reason(err)).
			WithHint("run forge build first, or remove built: true")}
	case root != nil && root.Kind != source.Object:
		found = append(found, diag.New(ruleInvalid, root.Span, "agent.json of forge build is not an object"))
	}
	for _, m := range []struct{ key, now string }{{"agent_id", p.Card.Name}, {"version", p.Card.Version}} {
		if n := present(root.Get(m.key)); n != nil && text(n) != m.now {
			found = append(found, diag.New(diag.SourceIncomplete, n.Span, "forge build was run when %s was %s", m.key,
				diag.Quote(text(n))).WithHint("run forge build again"))
		}
	}
	if name := root.Get("name"); present(name) != nil {
		p.Card.Name = p.read("/name", name)
	}
	p.Card.Description = p.read("/description", root.Get("description"))
	configured := g.Skills
	g.Skills, g.Found = nil, append(g.Found, found...)
	g.addTools(root.Get("tools"))
	built := map[string]bool{}
	for i := range g.Skills {
		built[g.Skills[i].ID] = true
	}
	g.Skills = append(g.Skills, slices.DeleteFunc(configured, func(s Skill) bool { return built[s.ID] })...)
}

// read returns the text of a member of the card, and notes its place.
func (b *CardPart) read(pointer string, n *source.Node) string {
	if n = present(n); n != nil {
		b.Places = slices.DeleteFunc(b.Places, func(p Place) bool { return p.Pointer == pointer })
		b.Places = append(b.Places, Place{Pointer: pointer, Span: n.Span})
	}
	return text(n)
}

// forgeFiles finds the skill files of a project: skills/*.md, skills/*/SKILL.md
// and the main one, which main names.
func forgeFiles(tree Tree, src Source, main *source.Node) ([]Match, diag.List) {
	w := newWalker(tree, src)
	w.oneLevel(path.Join(tree.Root, "skills"))
	rel := cmp.Or(text(main), SkillName)
	name := path.Join(tree.Root, rel)
	info, err := fs.Stat(tree.FS, name)
	var why string
	switch {
	case path.IsAbs(rel) || !fs.ValidPath(name):
		why = "it is outside the project"
	case err != nil:
		why = files.Reason(err)
	case info.IsDir():
		why = "it is a directory"
	default:
		w.addLinked(name)
	}
	if main != nil && why != "" {
		w.found = append(w.found, diag.New(diag.SourceUnreadable, main.Span, "skills.path cannot be read: %s", why))
	}
	return w.files, w.found
}

// readForgeSkill reads one skill file of a project of Forge, and reports whether Forge
// itself leaves it out.
func (r *Reader) readForgeSkill(tree Tree, f Match) (s *Skill, drops bool, found diag.List) {
	var read bytes.Buffer
	header, found := r.readHeader(tree, f, &read)
	switch {
	case header == nil && f.Flat:
		return nil, false, slices.DeleteFunc(found, isNoSkill)
	case header == nil:
		return nil, false, found
	case f.Flat && present(header.Get("name"), header.Get("description")) == nil:
		return nil, false, diag.List{noSkill(f, "it has neither a name nor a description")}
	}
	reason := forgeDrops(header, f, read.Bytes(), found.Worst() >= diag.Warning)
	s, more := forgeSkill(header, f, reason, cutShort(read.Bytes()))
	return s, reason != "", append(found, more...)
}

// cutShort reports whether Forge reads only a part of the header in a text: it ends at the
// first CRLF.
func cutShort(text []byte) bool {
	_, lines, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	for line := range bytes.Lines(lines) {
		if string(bytes.TrimSpace(line)) == "---" {
			return false
		}
		if bytes.HasSuffix(line, []byte("\r\n")) {
			return true
		}
	}
	return false
}

// forgeSkill makes a skill of the header of a skill file as Forge does: id and
// name are the name as written, tags are the category and the tags in
// lower case. Members for A2A count more, as in any skill file.
func forgeSkill(header *source.Node, file Match, reason string, cut bool) (*Skill, diag.List) {
	s := newSkillMD(header, file, nestedKeys)
	s.identity(func(name string) string { return name }, s.own["name"])
	description := present(s.own["description"], header.Get("description"))
	s.skill.Description = s.read("/description", description)
	s.skill.Placeholder = fmt.Sprintf("The %s skill.", s.skill.ID)
	s.reportCut(description)
	if own := s.own["tags"]; own != nil {
		s.skill.Tags = s.list("/tags", splitAll, own)
	} else {
		s.skill.Tags = s.list("/tags", splitAll, header.Get("category"), header.Get("tags"))
		for i, tag := range s.skill.Tags {
			s.skill.Tags[i] = strings.ToLower(tag)
		}
	}
	s.optional()
	message := "Forge itself leaves this skill out: " + reason
	if reason == "" {
		message = "Forge itself reads only part of the header of this skill: its lines end in CRLF"
	}
	if reason != "" || cut {
		s.report(diag.SourceForgeDrops, &source.Node{Span: s.skill.Origin}, message, "cardwright publishes it")
	}
	return &s.skill, s.found
}

// forgeDrops says why Forge leaves a file out, "" when it does not. Forge decodes
// the header into fixed types, and lets go of the file when that fails.
func forgeDrops(header *source.Node, f Match, text []byte, broken bool) string {
	switch {
	case !f.Flat && !f.AnyName && path.Base(f.Name) != SkillName:
		return "the file is not called SKILL.md, in capitals"
	case bytes.HasPrefix(text, []byte("\ufeff")):
		return "the file begins with a byte order mark"
	case broken:
		return "the header is not valid YAML"
	case present(header.Get("name")) == nil:
		return "it has no name"
	case cutShort(text): // what is wrong may be cut off
		return ""
	}
	for _, key := range []string{"name", "description", "category"} {
		if n := header.Get(key); n.Is(source.Array) || n.Is(source.Object) {
			return fmt.Sprintf("%s is %s", key, n.Kind.Article())
		}
	}
	metadata := header.Get("metadata")
	for _, m := range metadata.Fields() {
		if m.Value.Kind != source.Object && m.Value.Kind != source.Null {
			return fmt.Sprintf("metadata %s is %s, not a map", diag.Quote(m.Key), m.Value.Kind.Article())
		}
	}
	tags := header.Get("tags")
	switch {
	case metadata.Scalar(), metadata.Is(source.Array):
		return fmt.Sprintf("metadata is %s", metadata.Kind.Article())
	case tags.Scalar(), tags.Is(source.Object):
		return fmt.Sprintf("tags is %s, not a list", tags.Kind.Article())
	}
	for _, n := range slices.Concat(tags.Elements(), []*source.Node{header.Get("category")}) {
		if tag := n.ScalarText(); tag != "" && !kebabCase.MatchString(tag) {
			return fmt.Sprintf("the tag %s is not in kebab case", diag.Quote(tag))
		}
	}
	return ""
}

// kebabCase matches ASCII letters of any case and digits, with single hyphens between them.
var kebabCase = regexp.MustCompile(`^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$`)
