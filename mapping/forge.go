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
	if info, err := fs.Stat(tree.FS, tree.Root); err == nil && info.Mode().IsRegular() {
		name, tree.Root = tree.Root, path.Dir(tree.Root)
	}
	root, found, err := r.ownDocument(tree, name)
	if err != nil {
		return Gathered{Found: diag.List{src.unusable(path.Base(name) + ": " + files.Reason(err))}}, nil
	}
	if !root.Is(source.Object) {
		if len(found) == 0 {
			found = diag.List{diag.New(ruleInvalid, root.Span, "forge.yaml is not a map of keys")}
		}
		return Gathered{Found: found}, nil
	}
	project, more := forge(root)
	found = append(found, more...)
	if src.Built {
		found = append(found, r.takeBuilt(&project, tree, src)...)
	} else if d, ok := unbuilt(root.Get("framework")); ok {
		found = append(found, d)
	}
	g := Gathered{Skills: project.Tools, CardPart: project.CardPart, Found: found}
	if r.BaseURL != "" {
		g.CardPart.Card.Interfaces = []schema.Interface{{URL: r.BaseURL, Binding: "JSONRPC", Version: schema.V03.String()}}
	}
	files, more := r.forgeFiles(tree, src, project.Main)
	g.Found = append(g.Found, more...)
	var dropped []Skill // which must not win over what Forge publishes
	for _, f := range files {
		skill, drops, more := r.readForgeSkill(tree, f)
		g.Found = append(g.Found, more...)
		if skill == nil {
			continue
		}
		if drops {
			dropped = append(dropped, *skill)
		} else {
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
	if there(tree, name) && inside(tree.FS, tree.Root, name) != nil {
		return nil, nil, errLeaves
	}
	return r.document(tree, name)
}

// takeBuilt adds to a project what forge build has found in its code.
func (r *Reader) takeBuilt(project *forgeProject, tree Tree, src Source) diag.List {
	const file = ".forge-output/agent.json"
	root, found, err := r.ownDocument(tree, path.Join(tree.Root, file))
	if err != nil {
		d := src.unusable(file + ": " + files.Reason(err))
		d.Hint = "run forge build first, or remove built: true"
		return diag.List{d}
	}
	return append(found, project.takeBuilt(root)...)
}

// unbuilt reports a project whose tools are in code that only forge build reads.
func unbuilt(framework *source.Node) (diag.Diagnostic, bool) {
	title := map[string]string{"crewai": "CrewAI", "langchain": "LangChain"}
	if !framework.Is(source.String) || title[framework.Text] == "" {
		return diag.Diagnostic{}, false
	}
	return diag.New(diag.SourceIncomplete, framework.Span,
		"only forge build can read the tools and the description of a %s project, so they are left out of the card",
		title[framework.Text]).
		WithHint("run forge build, and set built: true on the source"), true
}

// forgeFiles finds the skill files of a project: skills/*.md, skills/*/SKILL.md
// and the main one, which main names.
func (r *Reader) forgeFiles(tree Tree, src Source, main *source.Node) ([]Match, diag.List) {
	w := newWalker(tree, src)
	w.oneLevel(path.Join(tree.Root, "skills"))
	rel := SkillName
	if main != nil {
		rel = main.Text
	}
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
	header, size, found := r.readHeader(tree, f, &read)
	switch {
	case header == nil && f.Flat:
		return nil, false, slices.DeleteFunc(found, isNoSkill)
	case header == nil:
		return nil, false, found
	case f.Flat && !hasText(header.Get("name")) && !hasText(header.Get("description")):
		return nil, false, diag.List{leftOut(f, "it has neither a name nor a description")}
	}
	text := read.Bytes()
	if size > forgeLine { // the body matters, which nothing else reads
		if whole, err := files.ReadFile(tree.FS, f.Name, source.MaxSource); err == nil {
			text = whole
		}
	}
	reason := forgeDrops(header, f, text, found.Worst() >= diag.Warning)
	s, more := forgeSkill(header, f, reason, cutShort(text))
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

// forgeLine is the length from which Forge cannot read a line, in bytes.
const forgeLine = 64 << 10

func hasLongLine(text []byte) bool {
	for line := range bytes.Lines(text) {
		if len(line) >= forgeLine {
			return true
		}
	}
	return false
}

// forgeProject is what forge.yaml, the configuration of a Forge agent, says
// that belongs on a card. Nothing else in it is looked at.
type forgeProject struct {
	CardPart
	Tools []Skill
	Main  *source.Node // path of the main skill as written, nil when there is none
}

// forge reads forge.yaml. What the agent is called and how clients
// authenticate becomes part of the card, each tool a skill.
func forge(root *source.Node) (forgeProject, diag.List) {
	p := forgeProject{Main: present(root.Get("skills").Get("path"))}
	auth, found := AuthProviders(root.Get("auth").Get("providers"), diag.Warning)
	modes := []string{"text/plain", jsonType}
	p.Card = schema.Card{InputModes: modes, OutputModes: modes, SecuritySchemes: auth.Schemes, Security: auth.Security}
	p.Origin, p.Places = root.Span, auth.Places
	p.Card.Name = p.take("/name", root.Get("agent_id"))
	p.Card.Version = p.take("/version", root.Get("version"))
	tools := root.Get("tools")
	if !tools.Is(source.Array) {
		return p, found
	}
	for _, n := range tools.Items {
		tool := maker{whole: n.Span}
		if skill := tool.tool(n); skill != nil {
			p.Tools = append(p.Tools, *skill)
		}
		found = append(found, tool.found...)
	}
	return p, found
}

// takeBuilt adds what forge build has found in the code of the project, as
// .forge-output/agent.json has it: name and description, and tools with theirs.
// A tool of forge.yaml keeps its place, and gets a description. The skills in
// there are not read: their files are. What forge.yaml says otherwise by now is a
// finding.
func (p *forgeProject) takeBuilt(root *source.Node) diag.List {
	if !root.Is(source.Object) {
		if root == nil {
			return nil // said already
		}
		return diag.List{diag.New(diag.SourceInvalid, root.Span, "agent.json of forge build is not an object")}
	}
	var found diag.List
	for _, m := range []struct{ key, now string }{{"agent_id", p.Card.Name}, {"version", p.Card.Version}} {
		if n := present(root.Get(m.key)); n != nil && text(n) != m.now {
			found = append(found, diag.New(diag.SourceIncomplete, n.Span, "forge build was run when %s was %s", m.key,
				diag.Quote(text(n))).WithHint("run forge build again"))
		}
	}
	if name := root.Get("name"); present(name) != nil {
		p.Card.Name = p.take("/name", name)
	}
	p.Card.Description = p.take("/description", root.Get("description"))
	p.takeCapabilities(root.Get("a2a").Get("capabilities"))
	return append(found, p.takeBuiltTools(root.Get("tools"))...)
}

// takeCapabilities adds the capabilities that forge build has found.
func (p *forgeProject) takeCapabilities(list *source.Node) {
	c := &p.Card.Capabilities
	for key, to := range map[string]**bool{
		"streaming": &c.Streaming, "pushNotifications": &c.PushNotifications,
		"stateTransitionHistory": &c.StateTransitionHistory,
	} {
		if n := list.Get(key); n.Is(source.Bool) {
			yes := n.Text == "true"
			*to = &yes
			p.Places = append(p.Places, Place{Pointer: "/capabilities/" + key, Span: n.Span})
		}
	}
}

func (p *forgeProject) takeBuiltTools(list *source.Node) diag.List {
	if !list.Is(source.Array) {
		list = &source.Node{}
	}
	at, built := map[string]int{}, map[string]bool{}
	for i, s := range p.Tools {
		at[s.ID] = i
	}
	var found diag.List
	for _, n := range list.Items {
		tool := maker{whole: n.Span}
		s := tool.tool(n)
		found = append(found, tool.found...)
		if s == nil {
			continue
		}
		if i, ok := at[s.ID]; ok && !built[s.ID] {
			p.Tools[i] = *s
		} else {
			p.Tools = append(p.Tools, *s)
		}
		built[s.ID] = true
	}
	return found
}

// take returns the text of a member of the card, and notes its place.
func (b *CardPart) take(pointer string, n *source.Node) string {
	if n = present(n); n != nil {
		b.Places = slices.DeleteFunc(b.Places, func(p Place) bool { return p.Pointer == pointer })
		b.Places = append(b.Places, Place{Pointer: pointer, Span: n.Span})
	}
	return text(n)
}

// forgeSkill makes a skill of the header of a skill file as Forge does: id and
// name are the name as written, tags are the category and the tags in
// lower case. Members for A2A count more, as in any skill file.
func forgeSkill(header *source.Node, file Match, reason string, cut bool) (*Skill, diag.List) {
	s := newSkillMD(header, file)
	s.keys = nestedKeys
	s.readMetadata()
	s.forgeIdentity()
	s.forgeText()
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

func (s *skillMD) forgeIdentity() {
	declared := present(s.header.Get("name"))
	s.locate(declared)
	s.skill.ID = s.take("/id", s.own["id"], declared)
	s.skill.Name = s.take("/name", s.own["name"], declared)
	if s.skill.ID == "" {
		s.skill.ID = schema.Slug(s.dirName())
		s.place("/id", s.skill.Origin)
	}
	if s.skill.Name == "" {
		s.skill.Name = s.skill.ID
		s.place("/name", s.skill.Origin)
	}
	if declared == nil {
		s.reportNameless()
	}
}

func (s *skillMD) forgeText() {
	description := present(s.own["description"], s.header.Get("description"))
	s.skill.Description = s.take("/description", description)
	s.skill.Placeholder = fmt.Sprintf("The %s skill.", s.skill.ID)
	if description != nil && description.Cut {
		s.reportCut(description)
	}
	if own := s.own["tags"]; own != nil {
		s.skill.Tags = s.list("/tags", splitAll, own)
		return
	}
	s.skill.Tags = s.list("/tags", splitAll, s.header.Get("category"), s.header.Get("tags"))
	for i, tag := range s.skill.Tags {
		s.skill.Tags[i] = strings.ToLower(tag)
	}
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
	case hasLongLine(text):
		return "a line of its body is longer than 64 KB"
	case cutShort(text): // what is wrong may be cut off
		return ""
	}
	for _, key := range []string{"name", "description", "category", "icon"} {
		if n := header.Get(key); n.Is(source.Array) || n.Is(source.Object) {
			return fmt.Sprintf("%s is %s", key, n.Kind.Article())
		}
	}
	return cmp.Or(mistypedMetadata(header.Get("metadata")), mistypedTags(header.Get("category"), header.Get("tags")))
}

// mistypedMetadata finds metadata that is not a map of maps, or that requires a capability
// which Forge does not know.
func mistypedMetadata(n *source.Node) string {
	if n == nil || n.Kind == source.Null {
		return ""
	}
	if n.Kind != source.Object {
		return fmt.Sprintf("metadata is %s", n.Kind.Article())
	}
	for _, m := range n.Members {
		if m.Value.Kind != source.Object && m.Value.Kind != source.Null {
			return fmt.Sprintf("metadata %s is %s, not a map", diag.Quote(m.Key), m.Value.Kind.Article())
		}
	}
	for _, item := range n.Get("forge").Get("requires").Get("capabilities").Elements() {
		if name := text(item); name != "" && name != "browser" {
			return fmt.Sprintf("it requires the capability %s, which Forge does not know", diag.Quote(name))
		}
	}
	return ""
}

func mistypedTags(category, tags *source.Node) string {
	if category := text(category); category != "" && !kebabCase.MatchString(category) {
		return fmt.Sprintf("the category %s is not in kebab case", diag.Quote(category))
	}
	if tags != nil && tags.Kind != source.Null && tags.Kind != source.Array {
		return fmt.Sprintf("tags is %s, not a list", tags.Kind.Article())
	}
	for _, item := range tags.Elements() {
		if tag := text(item); item.Kind != source.Null && !kebabCase.MatchString(tag) {
			return fmt.Sprintf("the tag %s is not in kebab case", diag.Quote(tag))
		}
	}
	return ""
}

// kebabCase matches ASCII letters of any case and digits, with single hyphens between them.
var kebabCase = regexp.MustCompile(`^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$`)
