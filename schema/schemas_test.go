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
					s.member(def, m)
					known = append(known, m.Name)
				}
			}
			for _, p := range def.Get("properties").Fields() {
				if !slices.Contains(known, p.Key) {
					t.Errorf("%s: %s of %q is not in the table", s.file, p.Key, message)
				}
			}
		}
		s.save()
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
func (s *schemaFile) member(def *source.Node, m schema.Member) {
	properties := def.Get("properties")
	p := properties.Get(m.Name)
	if p == nil && *update && m.Plain() {
		properties.Set(m.Name, described(m, m.Required))
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
	free := kinds == nil || kinds.Is(source.Array) // an enum, several types
	if !free && kinds.Text != m.Kind.String() {
		s.t.Errorf("%s: %s of %q is %s, the table says %s", s.file, m.Name, m.Message, kinds.Text, m.Kind)
	}
	if required := slices.Contains(def.Get("required").Words(), m.Name); required != m.Required {
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
