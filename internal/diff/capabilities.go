package diff

import (
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (c *comparison) capabilities() {
	older, newer := &c.old.Capabilities, &c.new.Capabilities
	at := the("capabilities")
	c.members(schema.CapabilitiesMessage, at, older, newer, "the capabilities")
	c.extensions()
	c.extra(at, older.Extra, newer.Extra, "the capabilities")
}

// flag compares a flag, of which absent is as good as false: a capability, or
// what a scheme says.
func (c *comparison) flag(m schema.Member, at where, older, newer *bool, what string) {
	had, has := older != nil && *older, newer != nil && *newer
	switch {
	case had == has:
	case m.Change.Mirror == "":
		c.tell(m.Change.ID, at, flag(&had), flag(&has), "%s changed", what)
	case had:
		c.tell(m.Change.Mirror, at, flag(older), flag(newer), "the agent no longer has the capability %q", m.Name)
	default:
		c.tell(m.Change.ID, at, flag(older), flag(newer), "the agent has the capability %q", m.Name)
	}
}

func flag(b *bool) *source.Node {
	if b == nil {
		return nil
	}
	return source.NewBool(*b)
}

func (c *comparison) extensions() {
	at := the("capabilities").child("extensions")
	older, newer := c.old.Capabilities.Extensions, c.new.Capabilities.Extensions
	p := match(older, newer, func(e *schema.Extension) string { return e.URI })
	for _, i := range p.gone {
		c.tell("extension-removed", at.gone(i), source.NewText(older[i].URI), nil, "the extension %s is gone",
			diag.Quote(older[i].URI))
	}
	for _, both := range p.both {
		c.extension(at.item(both[0], both[1]), &older[both[0]], &newer[both[1]])
	}
	for _, i := range p.added {
		rule, what := "extension-added", "is new"
		if newer[i].Required {
			rule, what = "extension-required", "is new, and clients need to know it"
		}
		c.tell(rule, at.added(i), nil, source.NewText(newer[i].URI), "the extension %s %s", diag.Quote(newer[i].URI), what)
	}
	if p.reordered() {
		c.tell("order-changed", at, list(uris(older)), list(uris(newer)), "the extensions are in another order")
	}
}

func uris(list []schema.Extension) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.URI
	}
	return out
}

func (c *comparison) extension(at where, older, newer *schema.Extension) {
	name := diag.Quote(older.URI)
	switch required := at.child("required"); {
	case newer.Required && !older.Required:
		c.tell("extension-required", required, source.NewBool(false), source.NewBool(true),
			"clients now need to know the extension %s", name)
	case older.Required && !newer.Required:
		c.tell("extension-optional", required, source.NewBool(true), source.NewBool(false),
			"clients no longer need to know the extension %s", name)
	}
	c.members(schema.ExtensionMessage, at, older, newer, "the extension "+name, "required")
	if !older.Params.Equal(newer.Params) {
		c.inside("extension-changed", at.child("params"), older.Params, newer.Params, `"params" of the extension `+name)
	}
	c.extra(at, older.Extra, newer.Extra, "the extension "+name)
}
