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
	switch of := of.(type) {
	case *schema.Extension:
		set(n, "params", of.Params)
	case *schema.Skill:
		set(n, "securityRequirements", requirements(of.Security))
	case *schema.Capabilities:
		set(n, "extensions", parts(schema.ExtensionMessage, of.Extensions))
	}
	for _, m := range schema.Extra(of).Fields() {
		set(n, m.Key, m.Value)
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

// set sets a member that says something.
func set(n *source.Node, name string, value *source.Node) {
	if value != nil {
		n.Set(name, value)
	}
}

// cardPart is all that a card says.
func cardPart(c *schema.Card) *source.Node {
	n := part(schema.CardMessage, c)
	set(n, "supportedInterfaces", parts(schema.InterfaceMessage, c.Interfaces))
	if c.Provider != nil {
		n.Set("provider", part(schema.ProviderMessage, c.Provider))
	}
	if can := part(schema.CapabilitiesMessage, &c.Capabilities); len(can.Members) > 0 {
		n.Set("capabilities", can)
	}
	schemes := source.NewObject(len(c.SecuritySchemes))
	for _, name := range sortedKeys(c.SecuritySchemes) {
		s := c.SecuritySchemes[name]
		schemes.Set(name, schemePart(&s))
	}
	if len(schemes.Members) > 0 {
		n.Set("securitySchemes", schemes)
	}
	set(n, "securityRequirements", requirements(c.Security))
	set(n, "skills", parts(schema.SkillMessage, c.Skills))
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
