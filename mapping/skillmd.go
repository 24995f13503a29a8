package mapping

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// maxDescription is the length that the Agent Skills specification allows for
// a description, in characters.
const maxDescription = 1024

// agentSkill makes a skill of the header of a SKILL.md (Agent Skills, agentskills.io).
// The skill is nil when the header does not suffice, and the findings say why. Any other
// has an id, a name and a description.
func agentSkill(header *source.Node, file Match) (*Skill, diag.List) {
	s := newSkillMD(header, file, flatKeys)
	if !s.description() {
		return nil, s.found
	}
	if n := header.Get("disable-model-invocation"); strings.EqualFold(text(n), "true") {
		s.reportRestricted(n, "the skill says that models must not call it")
	}
	if n := header.Get("user-invocable"); strings.EqualFold(text(n), "false") {
		s.reportRestricted(n, "the skill says that users must not call it")
	}
	titles := []*source.Node{
		s.own["name"], header.Get("displayName"), header.Get("display_name"), header.Get("display-name"), header.Get("title"),
	}
	s.skill.Untitled = present(titles...) == nil
	s.identity(schema.Slug, titles...)
	s.checkName()
	s.tags()
	s.optional()
	skill := s.skill // a pointer into s would keep all of the header
	return &skill, s.found
}

// skillMD is a skill in the making.
type skillMD struct {
	maker
	file     Match
	header   *source.Node
	metadata *source.Node            // an Object, or nil
	own      map[string]*source.Node // what is meant for A2A, by key without its a2a-
}

func newSkillMD(header *source.Node, file Match, keys keyForm) *skillMD {
	s := &skillMD{file: file, header: header, own: map[string]*source.Node{}}
	s.whole, s.keys = diag.Span{File: file.Path}, keys
	s.skill.Places = make([]Place, 0, 4) // as many as most skills need
	for _, name := range []string{text(header.Get("name")), file.Dir} {
		if name != "" && !slices.Contains(s.skill.Names, name) {
			s.skill.Names = append(s.skill.Names, name)
		}
	}
	s.readOwn()
	return s
}

// optional reads what a skill can do without.
func (s *skillMD) optional() {
	s.skill.Examples = s.list("/examples", splitLines, cmp.Or(s.own["examples"], s.header.Get("examples")))
	s.skill.InputModes = s.list("/inputModes", splitAll, s.own["input-modes"])
	s.skill.OutputModes = s.list("/outputModes", splitAll, s.own["output-modes"])
	s.skill.Fallback = len(s.skill.Tags) == 0
	s.skill.Visibility = s.visibility(s.header)
}

func (s *skillMD) description() bool {
	n := present(s.own["description"], s.header.Get("description"))
	if n != nil {
		s.skill.Description = s.written(s.read("/description", n), n)
	}
	if s.skill.Description == "" {
		s.reportUndescribed()
		return false
	}
	if count := utf8.RuneCountInString(s.skill.Description); count > maxDescription {
		s.report(diag.SourceDescriptionLong, n,
			fmt.Sprintf("the description has %d characters, Agent Skills allows %d", count, maxDescription), "")
	}
	s.reportCut(n)
	return true
}

// written returns a description as its author wrote it, with two exceptions that are
// reported: a literal \\n in a plain scalar is a line break, and what is shown to the
// model as an example is left out.
func (s *skillMD) written(text string, n *source.Node) string {
	if n.Plain && strings.Contains(text, `\n`) {
		text = tidy(strings.ReplaceAll(text, `\n`, "\n"))
		s.report(ruleTextCut, n, `the description has \n without quotes, which is read as a line break`,
			"put the description in double quotes")
	}
	if !strings.Contains(text, "<") { // most descriptions: an expression takes its time
		return text
	}
	if at := exampleTag.FindStringIndex(text); at != nil {
		text = tidy(text[:at[0]])
		s.report(ruleTextCut, n, "the description is left out from <example> on, which speaks to the model",
			"put examples of requests into metadata.a2a-examples")
	}
	return text
}

// exampleTag is the tag that begins a dialog, in any letter case and with attributes.
var exampleTag = regexp.MustCompile(`(?i)<example(\s[^<>]*)?>`)

const ruleTextCut = diag.SourceTextCut

// reportUndescribed says why the skill has no description, at the one it has.
func (s *skillMD) reportUndescribed() {
	at, message := s.lacks("description")
	hint := "describe what the skill does and when to use it, in quotes"
	for _, m := range s.header.Fields() {
		if _, near := diag.Nearest(m.Key, []string{"description", "desc"}); near && s.header.Get("description") == nil {
			at, hint = &source.Node{Span: m.KeySpan}, diag.Meant("description")
		}
	}
	s.report(diag.SourceDescriptionMissing, at, message, hint)
}

// lacks says why the skill has no text under a key of its header, at what it has there.
func (s *skillMD) lacks(key string) (at *source.Node, message string) {
	switch n := s.header.Get(key); {
	case n == nil:
		return s.header, "the skill has no " + key
	case n.Cut:
		return n, "the " + key + ` is empty: what follows " #" is a comment`
	case n.Is(source.Array) || n.Is(source.Object):
		return n, fmt.Sprintf("the %s is %s, not text", key, n.Kind.Article())
	default:
		return n, "the " + key + " is empty"
	}
}

// identity gives the skill its id and its name: those for A2A, or else the id that its
// declared name gives, and the first of the titles or that name. A skill without a name
// is called as its directory.
func (s *skillMD) identity(id func(name string) string, titles ...*source.Node) {
	declared := present(s.header.Get("name"))
	s.skill.Origin = diag.Top(s.file.Path)
	if declared != nil {
		s.skill.Origin = declared.Span
	}
	if s.skill.ID = s.read("/id", s.own["id"]); s.skill.ID == "" {
		s.skill.ID = cmp.Or(id(text(declared)), schema.Slug(s.dirName()))
		s.place("/id", s.skill.Origin)
	}
	if s.skill.Name = s.read("/name", append(titles, declared)...); s.skill.Name == "" {
		s.skill.Name = s.dirName()
		s.place("/name", s.skill.Origin)
	}
	if declared == nil {
		at, message := s.lacks("name")
		s.report(diag.SourceNameMissing, at, message+", its id is "+diag.Quote(s.skill.ID),
			"write name: "+schema.Slug(s.dirName()))
	}
}

// checkName checks the name against what Agent Skills asks for.
func (s *skillMD) checkName() {
	declared := present(s.header.Get("name"))
	name, dir := text(declared), norm.NFC.String(s.file.Dir)
	if name != "" && !validID(name) {
		s.report(diag.SourceNameFormat, declared,
			fmt.Sprintf("the name %s does not follow the format of Agent Skills; the id is %s", diag.Quote(name),
				diag.Quote(s.skill.ID)),
			"a name has at most 64 lower-case letters and digits, with single hyphens between them")
	}
	if name != "" && !s.file.AnyName && dir != norm.NFC.String(name) && dir != schema.Slug(name) {
		s.report(diag.SourceNameDirectory, declared,
			fmt.Sprintf("the name %s differs from the directory %s", diag.Quote(name), diag.Quote(dir)),
			"Agent Skills requires both to be the same")
	}
}

// dirName returns the name of the directory, or "skill" when no id can be made
// of that. It must not depend on where the project lies.
func (s *skillMD) dirName() string {
	if schema.Slug(s.file.Dir) == "" {
		return "skill"
	}
	return s.file.Dir
}

// tags reads the tags: those for A2A, or else the category and all that the
// header has for tags and domains.
func (s *skillMD) tags() {
	if own := s.own["tags"]; own != nil {
		s.skill.Tags = s.list("/tags", splitAll, own)
		return
	}
	var nodes []*source.Node
	for _, key := range []string{"category", "tags", "keywords", "domain"} {
		nodes = append(nodes, s.header.Get(key))
	}
	for _, key := range []string{"category", "domain", "tags", "keywords"} {
		nodes = append(nodes, s.metadata.Get(key))
	}
	for _, m := range s.metadata.Fields() {
		if m.Value.Is(source.Object) {
			nodes = append(nodes, m.Value.Get("category"), m.Value.Get("domain"), m.Value.Get("tags"))
		}
	}
	s.skill.Tags = s.list("/tags", splitWords, nodes...)
}

// ownKeys returns the keys that cardwright reads below metadata, each as
// a2a-KEY or as KEY of a map called a2a.
func ownKeys() []string {
	return []string{
		"id", "name", "description", "tags", "examples", "input-modes", "output-modes", "visibility",
	}
}

// readOwn reads the keys for A2A: a2a-KEY below metadata, KEY of a map a2a there, and
// a2a-KEY at the top level, where none but the visibility belongs.
func (s *skillMD) readOwn() {
	n := s.header.Get("metadata")
	if s.metadata = asObject(n); s.metadata == nil && !n.Empty() {
		hint := "write one key and value per line below it"
		if s.keys == nestedKeys {
			hint = "write maps below it: Forge drops a file with a text there"
		}
		s.report(diag.SourceKeyUnknown, n, "metadata is not a map and is not read", hint).Severity = diag.Info
	}
	for _, m := range s.metadata.Fields() {
		if key, ok := ownKey(m.Key); ok {
			s.keep(key, "a2a-", m)
		}
	}
	for _, m := range asObject(s.metadata.Get("a2a")).Fields() {
		s.keep(kebab(m.Key), "", m)
	}
	for _, m := range s.header.Fields() {
		if key, ok := ownKey(m.Key); ok && key != "visibility" {
			s.report(diag.SourceKeyUnknown, &source.Node{Span: m.KeySpan},
				diag.Quote(m.Key)+" is at the top level", s.keys.moveHint(key, "…"))
			s.keep(key, "a2a-", m)
		}
	}
}

// keep stores a member for A2A unless it is empty or an earlier one has its key.
func (s *skillMD) keep(key, prefix string, m source.Member) {
	switch {
	case misspelled(key, ""), withholds(key, ""): // see [maker.visibility]
	case !slices.Contains(ownKeys(), key):
		known := ownKeys()
		for i := range known {
			known[i] = prefix + known[i]
		}
		s.report(diag.SourceKeyUnknown, &source.Node{Span: m.KeySpan}, "unknown key "+diag.Quote(m.Key)+" for A2A",
			diag.Hint(prefix+key, known, "known: "+strings.Join(known, ", ")))
	case s.own[key] == nil && len(entries(m.Value, splitLines)) > 0:
		s.own[key] = m.Value
	}
}

// ownKey reports whether a key is one for A2A, such as a2a-tags, and returns it
// without the prefix.
func ownKey(key string) (string, bool) {
	key = strings.TrimSpace(key) // a no-break space indents it
	for _, prefix := range []string{"a2a-", "a2a_", "a2a."} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			return kebab(rest), true
		}
	}
	return "", false
}

// kebab spells inputModes and input_modes as input-modes.
func kebab(key string) string {
	var b strings.Builder
	for i, r := range key {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.ReplaceAll(b.String(), "_", "-")
}
