package convert

import (
	_ "embed" // for the formats
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Foreign names the format of a document that is not an Agent Card, in words that fit
// after "looks like". It is "" for a document that may be one. Files of the name
// agent.json hold all of these formats in the wild.
func Foreign(root *source.Node) string {
	like := likeness(root)
	if like >= certain || Wrapper(root) != "" {
		return ""
	}
	for f := range formats {
		if (like < likely || f.key != "") && f.matches(root) { // a card may have any member beside its own
			return f.name
		}
	}
	if like >= likely || claimsToBeCard(root) {
		return ""
	}
	for _, key := range []string{"$schema", "schema", "schemaVersion", "schema_version", "@context"} {
		if v := root.Get(key); v.Scalar() {
			return fmt.Sprintf("another kind of document, %s %s", key, diag.Quote(v.Text))
		}
	}
	if !root.HasAny("url", "skills", "capabilities", "protocolVersion") {
		return "something else, it has none of the members of a card"
	}
	return ""
}

// claimsToBeCard reports whether a document that states a schema of its own is a
// card all the same: it has a name, and an endpoint or a version of A2A.
func claimsToBeCard(root *source.Node) bool {
	name, url, version := root.Get("name"), root.Get("url"), root.Get("protocolVersion")
	if root.Get("@context") != nil && root.Get("skills").Is(source.Array) {
		return name.Is(source.String) // a card that is linked data as well
	}
	return name.Is(source.String) && (url.Is(source.String) || version.Is(source.String))
}

// Wrapper returns the name of the member that holds the card itself, or a list
// of cards, "" when the members of the card stand at the top level.
func Wrapper(root *source.Node) string {
	if likeness(root) >= certain {
		return ""
	}
	for _, key := range []string{"agentCard", "agent_card", "card", "agent", "identity"} {
		inner := root.Get(key)
		said := (key == "agentCard" || key == "agent_card") && inner.Get("name").Is(source.String) // its key says what it is
		if said || likeness(inner) >= likely {
			return key
		}
	}
	if slices.ContainsFunc(root.Get("agents").Elements(), func(n *source.Node) bool { return likeness(n) >= likely }) {
		return "agents"
	}
	return ""
}

// How many parts of a card make a document likely, and certainly, one.
const (
	likely  = 2
	certain = 3
)

// likeness counts the parts of a card that a document has.
func likeness(n *source.Node) int {
	if n.HasAny("supportedInterfaces", "supported_interfaces") {
		return certain
	}
	count := 0
	for _, key := range []string{
		"url", "preferredTransport", "additionalInterfaces",
		"defaultInputModes", "default_input_modes", "defaultOutputModes", "default_output_modes", "securitySchemes",
		"authentication",
	} {
		if n.Get(key) != nil {
			count++
		}
	}
	if n.Get("skills").Is(source.Array) {
		count++
	}
	if c := n.Get("capabilities"); c.Is(source.Object) || listsSkills(c) {
		count++
	}
	return count
}

// listsSkills reports whether n lists things that describe themselves, as some
// cards do in place of their capabilities.
func listsSkills(n *source.Node) bool {
	return n.Is(source.Array) && len(n.Items) > 0 && n.Items[0].Get("description") != nil &&
		!n.Items[0].HasAny("input_schema", "inputSchema")
}

// foreign lists documents that are not cards: what one is called, and its members, all of
// which it has. One with a value is a text that begins with that.
//
//go:embed foreign.txt
var foreign string

// format is a row of the table.
type format struct {
	name  string
	has   []string // pointers without the first slash
	key   string   // "" for none
	value string
}

// formats iterates over the table.
func formats(yield func(format) bool) {
	for line := range strings.Lines(foreign) {
		var f format
		name, members, _ := strings.Cut(line, "  ")
		f.name = name
		for member := range strings.FieldsSeq(members) {
			if key, value, ok := strings.Cut(member, "="); ok {
				f.key, f.value = key, value
			} else {
				f.has = append(f.has, member)
			}
		}
		if !yield(f) {
			return
		}
	}
}

func (f format) matches(n *source.Node) bool {
	for _, path := range f.has {
		if v, ok := n.Find("/" + path); !ok || v.Kind == source.Null {
			return false
		}
	}
	if f.key == "" {
		return true
	}
	v := n.Get(f.key)
	return v.Is(source.String) && strings.HasPrefix(v.Text, f.value)
}

// unwrap finds the card in a document, and returns false when there is none.
func (r *reader) unwrap(root place) (place, bool) {
	if root.Is(source.Array) {
		return r.choose(root)
	}
	if !root.Is(source.Object) {
		r.refuse("card-json", root, "a card must be one JSON object", "the document is %s, not a card",
			root.Kind.Article())
		return place{}, false
	}
	if what := Foreign(root.Node); what != "" {
		r.refuse("card-foreign", root, "an agent card has a name, skills and a url or supportedInterfaces",
			"not an agent card: looks like %s", what)
		return place{}, false
	}
	key := Wrapper(root.Node)
	inner := root.At(key)
	switch {
	case key == "": // though a member may have that name
		return root, r.chosen(root)
	case inner.Is(source.Array):
		return r.choose(inner)
	}
	var others []string
	for i := range root.Members {
		m := &root.Members[i]
		if m.Key == key {
			continue
		}
		others = append(others, diag.Quote(m.Key))
		if asksByName(m.Key) && !AsksNothing(m.Value) && !inner.HasAny("security", "securityRequirements") {
			r.open(root.Named(m), diag.Quote(m.Key)+" beside the card")
		}
	}
	r.wrapped = true
	r.repair(inner, "the card is wrapped in %s; the inner object is read", diag.Quote(key))
	if len(others) > 0 {
		r.drop(root, "members beside the card are left out: %s", strings.Join(firstFew(others), ", "))
	}
	return inner, r.chosen(inner)
}

// chosen reports whether a card is the one that was asked for, if one was.
func (r *reader) chosen(card place) bool {
	if r.Agent == "" || isCalled(card, r.Agent) {
		return true
	}
	r.refuse(ruleAgent, card, "", "the agent has the name %s, not %s", diag.Quote(r.Agent),
		diag.Quote(card.At("name").Word()))
	return false
}

func isCalled(card place, name string) bool {
	return card.At("name").Word() == name || card.At("id").Word() == name
}

// choose takes one card from a list: the one that was asked for, or the only
// one.
func (r *reader) choose(list place) (place, bool) {
	r.wrapped = true
	var names []string
	for p := range list.List() {
		if !p.Is(source.Object) {
			continue
		}
		name := p.At("name").Word()
		if r.Agent == "" && len(list.Items) == 1 || r.Agent != "" && isCalled(p, r.Agent) {
			r.repair(p, "the document is a list of agents; %s is read", diag.Quote(name))
			return p, true
		}
		names = append(names, diag.Quote(name))
	}
	switch {
	case len(names) == 0:
		r.refuse("card-json", list, "a card must be one JSON object", "the document is a list without an agent in it")
	case r.Agent == "":
		r.refuse(ruleAgent, list, "choose one of "+strings.Join(firstFew(names), ", "),
			"the document has %d agents, but a card describes one", len(names))
	default:
		r.refuse(ruleAgent, list, "the document lists "+strings.Join(firstFew(names), ", "),
			"no agent in the document has the name %s", diag.Quote(r.Agent))
	}
	return place{}, false
}

// refuse reports why the document holds no card.
func (r *reader) refuse(rule string, at place, hint, format string, args ...any) {
	r.add(diag.New(rule, at.Where(), format, args...).WithPointer(at.Pointer()).WithHint(hint))
}
