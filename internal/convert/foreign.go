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
	if like >= certain {
		return ""
	}
	if what := wrapped(root); what != "" {
		return what
	}
	if !root.Is(source.Object) {
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
		return "something else, it has no url, skills or capabilities"
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

// wrapped names the member that holds a card, or a list of cards, in words; "" when
// the members of the card stand at the top level.
func wrapped(root *source.Node) string {
	for _, key := range []string{"agentCard", "agent_card", "card", "agent", "identity"} {
		if likeness(root.Get(key)) >= likely {
			return "a document with a card in its member " + diag.Quote(key)
		}
	}
	list := root.Elements()
	if root.Is(source.Object) {
		list = root.Get("agents").Elements()
	}
	if slices.ContainsFunc(list, func(n *source.Node) bool { return likeness(n) >= likely }) {
		return "a list of cards"
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

// refusal reports why a document holds no card, and returns false where it may.
func refusal(root place) (diag.Diagnostic, bool) {
	what := Foreign(root.Node)
	switch {
	case what != "":
		return diag.New(diag.CardForeign, root.Where(), "not an agent card: looks like %s", what).
			WithHint("an agent card has a name, skills and a url or supportedInterfaces"), true
	case !root.Node.Is(source.Object):
		return diag.New(diag.CardJSON, root.Where(), "the document is %s, not a card", root.Node.Kind.Article()).
			WithHint("a card must be one JSON object"), true
	}
	return diag.Diagnostic{}, false
}
