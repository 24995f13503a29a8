package diff

import (
	"slices"

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
	if e, ok := of.(*schema.Extension); ok && e.Params != nil {
		n.Set("params", e.Params)
	}
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

// cardPart is what a card says, with its skills and where it is reached.
func cardPart(c *schema.Card) *source.Node {
	n := part(schema.CardMessage, c)
	if len(c.Interfaces) > 0 {
		n.Set("supportedInterfaces", parts(schema.InterfaceMessage, c.Interfaces))
	}
	if len(c.Skills) > 0 {
		n.Set("skills", parts(schema.SkillMessage, c.Skills))
	}
	return n
}

func parts[T any](message string, list []T) *source.Node {
	n := &source.Node{Kind: source.Array}
	for i := range list {
		n.Items = append(n.Items, part(message, &list[i]))
	}
	return n
}
