package mapping

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
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
	root, found, err := r.document(tree, name)
	if err != nil {
		return Gathered{Found: diag.List{r.walk(src).Unusable(path.Base(name) + ": " + files.Reason(err))}}, nil
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
	g := Gathered{Skills: project.Tools, Brought: project.Brought, Found: found}
	if r.BaseURL != "" {
		g.Brought.Card.Interfaces = []schema.Interface{{URL: r.BaseURL, Binding: "JSONRPC", Version: schema.V03.String()}}
	}
	files, more := r.forgeFiles(tree, src, project.Main)
	g.Found = append(g.Found, more...)
	var read []forgeFile
	for _, f := range files {
		skill, more := r.readForgeSkill(tree, f)
		g.Found = append(g.Found, more...)
		if skill == nil {
			continue
		}
		read = append(read, *skill)
		if !f.AnyName { // the directory of the main skill is the project
			r.noteHome(tree, f)
		}
	}
	for _, drops := range []bool{false, true} { // which must not win over what Forge publishes
		for _, f := range read {
			if f.Dropped == drops {
				g.Skills = append(g.Skills, f.Skill)
			}
		}
	}
	return g, nil
}

// takeBuilt adds to a project what forge build has found in its code.
func (r *Reader) takeBuilt(project *forgeProject, tree Tree, src Source) diag.List {
	const file = ".forge-output/agent.json"
	root, found, err := r.document(tree, path.Join(tree.Root, file))
	if err != nil {
		d := r.walk(src).Unusable(file + ": " + files.Reason(err))
		d.Hint = "run forge build first, or remove built: true"
		return diag.List{d}
	}
	return append(found, project.takeBuilt(root)...)
}

// unbuilt tells of a project whose tools stand in code that only forge build
// reads.
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
	w := NewWalker(tree, r.walk(src))
	w.OneLevel(path.Join(tree.Root, "skills"))
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
		w.Add(name)
	}
	if main != nil && why != "" {
		w.Found = append(w.Found, diag.New(diag.SourceUnreadable, main.Span, "skills.path cannot be read: %s", why))
	}
	return w.Files(), w.Found
}

// readForgeSkill reads one skill file of a project of Forge.
func (r *Reader) readForgeSkill(tree Tree, f Match) (*forgeFile, diag.List) {
	var read bytes.Buffer
	header, size, found := r.readHeader(tree, f, &read)
	if header == nil {
		if f.Flat {
			found = slices.DeleteFunc(found, isNoSkill)
		}
		return nil, found
	}
	if f.Flat && !hasText(header.Get("name")) && !hasText(header.Get("description")) {
		return nil, diag.List{leftOut(f, "it has neither a name nor a description")}
	}
	text := read.Bytes()
	if size > forgeLine { // the body matters, which nobody reads otherwise
		if whole, err := files.ReadFile(tree.FS, f.Name, source.MaxSource); err == nil {
			text = whole
		}
	}
	raw := rawHeader(text, found)
	raw.Misnamed = !f.Flat && !f.AnyName && path.Base(f.Name) != SkillName
	skill, more := forgeSkill(header, f, raw)
	return skill, append(found, more...)
}

// headerLines returns the lines between the fences of a header.
func headerLines(text []byte) []byte {
	_, lines, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	end := 0
	for line := range bytes.Lines(lines) {
		if string(bytes.TrimSpace(line)) == "---" {
			break
		}
		end += len(line)
	}
	return lines[:end]
}

// rawHeader tells what Forge minds about a header that was read with the given
// findings.
func rawHeader(text []byte, found diag.List) RawHeader {
	return RawHeader{
		ByteOrderMark: bytes.HasPrefix(text, []byte("\ufeff")),
		Cut:           bytes.Contains(headerLines(text), []byte("\r\n")),
		Repaired:      slices.ContainsFunc(found, breaksYAML),
		LongLine:      hasLongLine(text),
	}
}

// breaksYAML reports whether a finding is about a header that is no YAML.
func breaksYAML(d diag.Diagnostic) bool { return d.Severity >= diag.Warning }

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
	Brought
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
		if skill := tool.forgeTool(n); skill != nil {
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
		s := tool.forgeTool(n)
		found = append(found, tool.found...)
		if s == nil {
			continue
		}
		s.Description = tool.take("/description", n.Get("description"))
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
func (b *Brought) take(pointer string, n *source.Node) string {
	if n = present(n); n != nil {
		b.Places = slices.DeleteFunc(b.Places, func(p Place) bool { return p.Pointer == pointer })
		b.Places = append(b.Places, Place{Pointer: pointer, Span: n.Span})
	}
	return text(n)
}

// forgeTool makes a skill of a tool. Forge knows no more of it than its name.
func (m *maker) forgeTool(n *source.Node) *Skill {
	name := present(n.Get("name"))
	if name == nil {
		m.report(diag.SourceNameMissing, n, "the tool has no name, so it is left out of the card", "").Effect = diag.SkillLeftOut
		return nil
	}
	s := m.named(name, name)
	s.Visibility = m.visibility(n)
	s.Stopgap = toolStopgap(s.ID)
	s.Tags = []string{"tool"}
	return s
}

// RawHeader tells of the header of a skill file what its tree does not show.
type RawHeader struct {
	ByteOrderMark bool
	Cut           bool // lines end in CRLF, for which Forge cuts it short
	Repaired      bool // what Forge reads is not YAML as it stands
	LongLine      bool // a line of the body is too long for it
	Misnamed      bool // it is called skill.md, or the like
}

// forgeFile is what Forge makes of a skill file.
type forgeFile struct {
	Skill
	Dropped bool // Forge itself leaves it out, and a finding says why
}

// forgeSkill makes a skill of the header of a skill file as Forge does: id and
// name are the name as it is written, tags are the category and the tags in
// lower case. Members for A2A count more, as in any skill file.
func forgeSkill(header *source.Node, file Match, raw RawHeader) (*forgeFile, diag.List) {
	s := newSkillMD(header, file)
	s.keys = nestedKeys
	s.readMetadata()
	s.forgeIdentity()
	s.forgeText()
	s.optional()
	reason := forgeDrops(s.header, raw)
	message := "Forge itself leaves this skill out: " + reason
	if reason == "" {
		message = "Forge itself reads only part of the header of this skill: its lines end in CRLF"
	}
	if reason != "" || raw.Cut {
		s.report(diag.SourceForgeDrops, &source.Node{Span: s.skill.Origin}, message, "cardwright publishes it")
	}
	return &forgeFile{Skill: s.skill, Dropped: reason != ""}, s.found
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
	s.skill.Stopgap = fmt.Sprintf("The %s skill.", s.skill.ID)
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
func forgeDrops(header *source.Node, raw RawHeader) string {
	switch {
	case raw.Misnamed:
		return "the file is not called SKILL.md, in capitals"
	case raw.ByteOrderMark:
		return "the file begins with a byte order mark"
	case raw.Repaired, header == nil:
		return "the header is not valid YAML"
	case present(header.Get("name")) == nil:
		return "it has no name"
	case raw.LongLine:
		return "a line of its body is longer than 64 KB"
	case raw.Cut: // what is wrong may be cut off
		return ""
	}
	return cmp.Or(mistypedText(header), mistypedMetadata(header), unknownCapability(header), mistypedTags(header))
}

func mistypedText(header *source.Node) string {
	for _, key := range []string{"name", "description", "category", "icon"} {
		if n := header.Get(key); n.Is(source.Array) || n.Is(source.Object) {
			return fmt.Sprintf("%s is %s", key, n.Kind.Article())
		}
	}
	return ""
}

// mistypedMetadata finds metadata that is not a map of maps.
func mistypedMetadata(header *source.Node) string {
	n := header.Get("metadata")
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
	return ""
}

// unknownCapability finds a capability that a skill requires and Forge does not
// know.
func unknownCapability(header *source.Node) string {
	list := header.Get("metadata").Get("forge").Get("requires").Get("capabilities")
	if !list.Is(source.Array) || slices.ContainsFunc(list.Items, func(n *source.Node) bool { return !n.Scalar() }) {
		return "" // what is no list of texts is not looked at
	}
	for _, item := range list.Items {
		if name := text(item); item.Kind != source.Null && name != "browser" {
			return fmt.Sprintf("it requires the capability %s, which Forge does not know", diag.Quote(name))
		}
	}
	return ""
}

func mistypedTags(header *source.Node) string {
	if category := text(header.Get("category")); category != "" && !isKebab(category) {
		return fmt.Sprintf("the category %s is not in kebab case", diag.Quote(category))
	}
	n := header.Get("tags")
	if n == nil || n.Kind == source.Null {
		return ""
	}
	if n.Kind != source.Array {
		return fmt.Sprintf("tags is %s, not a list", n.Kind.Article())
	}
	for _, item := range n.Items {
		if tag := text(item); item.Kind != source.Null && !isKebab(tag) {
			return fmt.Sprintf("the tag %s is not in kebab case", diag.Quote(tag))
		}
	}
	return ""
}

// isKebab reports whether s is made of ASCII letters of any case and digits, with
// single hyphens between them.
func isKebab(s string) bool {
	for part := range strings.SplitSeq(strings.ToLower(s), "-") {
		if part == "" || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return true
}
