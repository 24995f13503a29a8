package lint

import (
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// dualDisagree compares what clients of 1.0 and clients of 0.3 read from a dual card: both
// models, written as 0.3 spells them.
func dualDisagree(c *card) {
	if !c.in.Has(v10) || !c.in.Has(v03) {
		return
	}
	listed, _, skills := schema.Read(c.root.Node, v10)
	flat, _, _ := schema.Read(c.root.Node, v03)
	old := slices.DeleteFunc(listed.Interfaces, func(e schema.Interface) bool {
		return !strings.HasPrefix(e.Version,
			"0.")
	})
	listed.Interfaces = old
	for name, s := range listed.SecuritySchemes {
		if slices.ContainsFunc(s.Flows, func(f schema.Flow) bool { return f.Type == schema.DeviceCode }) {
			delete(listed.SecuritySchemes, name) // scheme-oauth-devicecode reports it
			delete(flat.SecuritySchemes, name)
		}
	}
	a, b := wire03(listed), wire03(flat)
	claim := c.root.At("protocolVersion")
	if len(old) > 0 && claim.Node.Word() != "" && !schema.Equivalent("protocolVersion", claim.Node.Text, old[0].Version) {
		c.disagree("/protocolVersion", "protocolVersion", source.NewText(old[0].Version), claim.Node)
	}
	if !c.mismatched() {
		for _, name := range []string{"url", "preferredTransport", "additionalInterfaces"} {
			c.compare("/"+name, name, a.Get(name), b.Get(name))
		}
	}
	const extended = "supportsAuthenticatedExtendedCard"
	c.compare(c.extended().Pointer(), extended, a.Get(extended), b.Get(extended))
	for _, m := range a.Get("securitySchemes").Fields() {
		if other := b.Get("securitySchemes").Get(m.Key); other != nil {
			c.compare(source.Pointer("/securitySchemes", m.Key), "securitySchemes."+m.Key, m.Value, other)
		}
	}
	states := func(p place) bool { return p.Node.Get("securityRequirements").Is(source.Array) }
	if !states(c.root) && !slices.ContainsFunc(c.skills, states) {
		return // as compat: [a2a-go-430] makes it
	}
	c.compare("/security", "security", a.Get("security"), b.Get("security"))
	for i, s := range a.Get("skills").Elements() {
		c.compare(skills[i]+"/security", "security of the skill "+quote(listed.Skills[i].ID), s.Get("security"),
			b.Get("skills").Items[i].Get("security"))
	}
}

// compare reports where two values of a member differ. The order of a list means nothing,
// but for the preferred interface, which is a member of its own.
func (c *card) compare(pointer, name string, a, b *source.Node) {
	switch {
	case a.Is(source.Object) && b.Is(source.Object):
		for _, m := range a.Fields() {
			c.compare(source.Pointer(pointer, m.Key), name+"."+m.Key, m.Value, b.Get(m.Key))
		}
		for _, m := range b.Fields() {
			if a.Get(m.Key) == nil {
				c.compare(source.Pointer(pointer, m.Key), name+"."+m.Key, nil, m.Value)
			}
		}
	case spelled(a) != spelled(b) &&
		!schema.Equivalent(pointer[strings.LastIndexByte(pointer, '/')+1:], a.Word(), b.Word()):
		c.disagree(pointer, name, a, b)
	}
}

// disagree reports a member. It cuts what two long texts have in common, because a message
// shows their beginning only.
func (c *card) disagree(pointer, name string, listed, flat *source.Node) {
	const shown, before = 60, 20
	text := func(n *source.Node) string {
		if n == nil {
			return "missing"
		}
		return schema.WriteCompact(n)
	}
	a, b, from := text(listed), text(flat), 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	if from -= before; from > 0 && max(len(a), len(b)) > shown {
		a, b = "…"+a[from:], "…"+b[from:]
	}
	n, exists := c.root.Node.Find(pointer)
	for !exists {
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
		n, exists = c.root.Node.Find(pointer)
	}
	c.find(source.At(n, pointer), "say the same in both forms: each client reads only its own",
		"%s is %s for clients of 1.0 and %s for clients of 0.3", name, diag.Clip(a), diag.Clip(b))
}

// wire03 writes a card as 0.3 spells it. The names of headers have no letter case.
func wire03(card *schema.Card) *source.Node {
	for name, s := range card.SecuritySchemes {
		if s.In == schema.HeaderName {
			s.Name = strings.ToLower(s.Name)
			card.SecuritySchemes[name] = s
		}
	}
	n, _ := schema.Wire(card, v03, schema.WireOptions{})
	return n
}

// spelled spells a value in one way, whatever the order of its parts.
func spelled(n *source.Node) string {
	var parts []string
	switch {
	case n == nil:
		return ""
	case n.Scalar():
		return strconv.Quote(n.Text)
	}
	for _, item := range n.Items {
		parts = append(parts, spelled(item))
	}
	for _, m := range n.Members {
		if m.Key == "url" {
			m.Value = source.NewText(schema.PlainURL(m.Value.Text))
		}
		parts = append(parts, strings.TrimSuffix(m.Key+" "+spelled(m.Value), " []"))
	}
	slices.Sort(parts)
	return "[" + strings.Join(slices.Compact(parts), ", ") + "]"
}
