package diff

import (
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// part is what a message says, for people who decide about all of it: its members
// that are a text, a flag or a list of texts, but for those that name it.
func part(message string, of any) *source.Node {
	n := source.NewObject(4)
	for _, m := range schema.Members(message) {
		switch {
		case !m.Plain() || n.Get(m.Name) != nil || m.Moved && !m.In.Has(schema.Listed):
		case m.Kind == source.Array:
			n.SetTexts(m.Name, slices.Clone(m.Texts(of)))
		case m.Kind == source.Bool && m.Flag(of) != nil:
			n.Set(m.Name, source.NewBool(*m.Flag(of)))
		case m.Kind == source.String:
			n.SetText(m.Name, m.Text(of))
		}
	}
	more := &source.Node{}
	switch of := of.(type) {
	case *schema.Extension:
		more = source.ObjectOf("params", of.Params)
	case *schema.Skill:
		more = source.ObjectOf("securityRequirements", requirements(of.Security))
	case *schema.Capabilities:
		more = source.ObjectOf("extensions", parts(schema.ExtensionMessage, of.Extensions))
	}
	n.Members = slices.Concat(n.Members, more.Members, schema.Extra(of).Fields())
	return n
}

// schemePart is what a security scheme says, with its flows.
func schemePart(s *schema.SecurityScheme) *source.Node {
	n := source.NewObject(4)
	n.SetText("type", string(s.Type))
	n.Members = append(n.Members, part(s.Type.Message(), s).Members...)
	for i := range s.Flows {
		n.Set(string(s.Flows[i].Type), flowPart(&s.Flows[i]))
	}
	return n
}

func flowPart(f *schema.Flow) *source.Node {
	n := part(f.Type.Message(), f)
	for _, name := range sortedKeys(f.Scopes) {
		n.SetText(name, f.Scopes[name])
	}
	return n
}

// cardPart is all that a card says.
func cardPart(c *schema.Card) *source.Node {
	var provider, capabilities, schemes *source.Node
	if c.Provider != nil {
		provider = part(schema.ProviderMessage, c.Provider)
	}
	if can := part(schema.CapabilitiesMessage, &c.Capabilities); len(can.Members) > 0 {
		capabilities = can
	}
	for _, name := range sortedKeys(c.SecuritySchemes) {
		s := c.SecuritySchemes[name]
		schemes = schemes.With(name, schemePart(&s))
	}
	n := part(schema.CardMessage, c)
	n.Members = append(n.Members, source.ObjectOf(
		"supportedInterfaces", parts(schema.InterfaceMessage, c.Interfaces),
		"provider", provider,
		"capabilities", capabilities,
		"securitySchemes", schemes,
		"securityRequirements", requirements(c.Security),
		"skills", parts(schema.SkillMessage, c.Skills),
	).Members...)
	return n
}

// parts is what each message of a list says, nil for none.
func parts[T any](message string, list []T) *source.Node {
	if len(list) == 0 {
		return nil
	}
	n := &source.Node{Kind: source.Array}
	for i := range list {
		n.Items = append(n.Items, part(message, &list[i]))
	}
	return n
}

// mostInside is how many differences inside one value are reported each: where
// there are more, the value has changed as a whole.
const mostInside = 20

// inside reports what differs in two values that no rule knows: each member or
// item that does, with its value where that is a scalar. what names the value.
func (c *comparison) inside(rule string, at where, older, newer *source.Node, what string) {
	found := differences(nil, at, "", older, newer)
	if len(found) == 0 || len(found) > mostInside {
		found = []difference{{at: at, older: older, newer: newer}}
	}
	for _, d := range found {
		name := what
		if d.path != "" {
			name = diag.Quote(strings.TrimPrefix(d.path, "/")) + " in " + what
		}
		switch {
		case d.older == nil:
			c.tell(rule, d.at, nil, d.newer, "%s is new", name)
		case d.newer == nil:
			c.tell(rule, d.at, d.older, nil, "%s is gone", name)
		default:
			c.tell(rule, d.at, d.older, d.newer, "%s changed%s", name, values(d.older, d.newer))
		}
	}
}

// values shows what changed into what where a report does not: of texts it does. Of lists
// it shows the items that came and went.
func values(older, newer *source.Node) string {
	if older.Is(source.Array) && newer.Is(source.Array) {
		return delta(spellings(older), spellings(newer))
	}
	if !older.Scalar() || !newer.Scalar() || older.Is(source.String) && newer.Is(source.String) {
		return ""
	}
	return ": " + schema.WriteCompact(older) + " → " + schema.WriteCompact(newer)
}

// spellings are the items of a list, each as a text.
func spellings(list *source.Node) []string {
	var out []string
	for _, item := range list.Items {
		if !item.Scalar() {
			item = source.NewText(schema.WriteCompact(item))
		}
		out = append(out, item.Text)
	}
	return out
}

// difference is a value in another one that differs.
type difference struct {
	at           where
	path         string // from the outer value, "" for that itself
	older, newer *source.Node
}

// differences appends the innermost values that differ, up to one more than are
// reported.
func differences(list []difference, at where, path string, older, newer *source.Node) []difference {
	switch {
	case len(list) > mostInside || older.Equal(newer):
		return list
	case older.Is(source.Object) && newer.Is(source.Object):
		for _, name := range fields(older, newer) {
			list = differences(list, at.child(name), path+"/"+name, older.Get(name), newer.Get(name))
		}
		return list
	case older.Is(source.Array) && newer.Is(source.Array) && len(older.Items) == len(newer.Items):
		for i := range older.Items {
			token := strconv.Itoa(i)
			list = differences(list, at.child(token), path+"/"+token, older.Items[i], newer.Items[i])
		}
		return list
	}
	return append(list, difference{at, path, older, newer})
}
