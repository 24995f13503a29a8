package schema_test

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/source"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

// keysOf are the places of the JSON Schema of the configuration that spell out
// a message.
func keysOf() map[string][]string {
	places := map[string][]string{
		schema.CardMessage:         {"/definitions/agent"},
		schema.ProviderMessage:     {"/definitions/provider"},
		schema.CapabilitiesMessage: {"/definitions/capabilities"},
		schema.ExtensionMessage:    {"/definitions/extension"},
		schema.InterfaceMessage:    {"/definitions/interface"},
		schema.SkillMessage:        {"/definitions/skill", "/definitions/skills/properties/overlay/additionalProperties"},
	}
	for _, t := range schema.SchemeTypes() {
		places[t.Message()] = []string{"/definitions/securityScheme-" + string(t)}
	}
	for _, t := range schema.FlowTypes() {
		places[t.Message()] = []string{"/definitions/securityScheme-oauth2/properties/flows/properties/" + string(t)}
	}
	return places
}

// The JSON Schemas have the members of the table, no others, and of the same
// types. With -update, plain members that they lack are added.
func TestSchemasFollowTheTable(t *testing.T) {
	for _, v := range schema.All.Versions() {
		s := openSchema(t, v.Document(), "agent-card-"+v.String()+".schema.json")
		for message := range messagesOf(v) {
			def, _ := s.root.Find("/definitions/" + message)
			if message == schema.CardMessage {
				def = s.root
			}
			known := []string{"type"}
			for _, m := range schema.Members(message) {
				if m.In.Has(v) {
					s.member(def, m, m.Name)
					known = append(known, m.Name)
				}
			}
			for _, p := range membersIn(def.Get("properties")) {
				if !slices.Contains(known, p.Key) {
					t.Errorf("%s: %s of %q is not in the table", s.file, p.Key, message)
				}
			}
		}
		s.save()
	}
	s := openSchema(t, "config", "config.schema.json")
	for message, places := range keysOf() {
		for _, place := range places {
			def, ok := s.root.Find(place)
			if !ok {
				t.Fatalf("the configuration has nothing at %s", place)
			}
			for _, m := range schema.Members(message) {
				unnamed := message == schema.SkillMessage && m.Name == "id" // the key of the overlay
				if m.Plain() && m.Key() != "" && !unnamed && (m.In.Has(schema.Listed) || !m.Moved) {
					s.member(def, m, m.Key())
				}
			}
		}
	}
}

// messagesOf are the messages of a version that are defined by a name.
func messagesOf(v schema.Protocol) map[string]bool {
	all := map[string]bool{}
	for name := range schematest.Reachable(v) {
		message, _, _ := strings.Cut(name, "/")
		all[message] = message != "scopes" && (message != schema.RequirementMessage || v.Has(schema.Listed))
	}
	for message, named := range all {
		if !named {
			delete(all, message)
		}
	}
	return all
}

// schemaFile is an embedded JSON Schema that is held against the table.
type schemaFile struct {
	t       *testing.T
	file    string
	root    *source.Node
	changed bool
}

func openSchema(t *testing.T, name, file string) *schemaFile {
	t.Helper()
	text, ok := schema.Document(name)
	root, faults := source.ParseJSON(file, text)
	if !ok || faults != nil {
		t.Fatal(name, faults)
	}
	return &schemaFile{t: t, file: file, root: root}
}

func (s *schemaFile) save() {
	if s.changed {
		if err := os.WriteFile(s.file, schema.Write(s.root), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
}

// member compares what a definition says about a member, or adds the member.
func (s *schemaFile) member(def *source.Node, m schema.Member, name string) {
	properties := def.Get("properties")
	p := properties.Get(name)
	if p == nil && *update && m.Plain() && s.file != "config.schema.json" {
		properties.Set(name, described(m, m.Required))
		s.changed = true
		return
	}
	if p == nil {
		s.t.Errorf("%s: %s of %q is missing, run go test ./schema -update", s.file, m.Name, m.Message)
		return
	}
	if ref := p.Get("$ref"); ref != nil {
		p, _ = s.root.Find(strings.TrimPrefix(ref.Text, "#"))
	}
	kinds := p.Get("type")
	free := kinds == nil || kinds.Is(source.Array) || name == "versions" // an enum, several types, a list of versions
	if !free && kinds.Text != m.Kind.String() {
		s.t.Errorf("%s: %s of %q is %s, the table says %s", s.file, m.Name, m.Message, kinds.Text, m.Kind)
	}
	if s.file == "config.schema.json" {
		return // an agent may get from its sources what a card requires
	}
	required := false
	for _, r := range itemsIn(def.Get("required")) {
		required = required || r.Text == name
	}
	if required != m.Required {
		s.t.Errorf("%s: %s of %q is required: %t, the table says %t", s.file, m.Name, m.Message, required, m.Required)
	}
}

// described is what a JSON Schema says about a new member, which may have to hold
// something.
func described(m schema.Member, filled bool) *source.Node {
	what := cmp.Or(m.Change.What, m.Name)
	what = strings.ToUpper(what[:1]) + what[1:] + "."
	n := source.NewObject(3)
	n.SetText("type", m.Kind.String())
	if filled && m.Kind == source.String {
		n.Set("minLength", source.NewInt(1))
	}
	n.SetText("description", what)
	if m.Kind == source.Array {
		item := source.NewObject(2)
		item.SetText("type", m.Elem.String())
		item.SetText("description", "One of them.")
		n.Set("items", item)
	}
	return n
}

func membersIn(n *source.Node) []source.Member {
	if n == nil {
		return nil
	}
	return n.Members
}

func itemsIn(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// A key of the configuration that no one knows is an error, wherever a message
// is spelled out.
func TestUnknownKeys(t *testing.T) {
	root, _ := schema.Document("config")
	definitions, _ := source.ParseJSON("config.schema.json", root)
	for message, places := range keysOf() {
		for _, place := range places {
			if def, _ := definitions.Find(place); def.Get("additionalProperties").Text != "false" {
				t.Errorf("the keys of %s at %s are open to others", message, place)
			}
		}
	}
}
