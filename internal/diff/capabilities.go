package diff

import (
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (c *comparison) capabilities() {
	older, newer := &c.old.Capabilities, &c.new.Capabilities
	c.members(schema.CapabilitiesMessage, the("capabilities"), older, newer, "the capabilities")
	c.extensions()
}

// flag compares a flag. Absent means false: a capability, or
// what a scheme says.
func (c *comparison) flag(m schema.Member, at where, older, newer *bool, what string) {
	had, has := older != nil && *older, newer != nil && *newer
	rule, message := m.Change.Rule(), "the agent has the capability "+strconv.Quote(m.Name)
	if had {
		rule, message = m.Change.Reverse(), "the agent no longer has the capability "+strconv.Quote(m.Name)
	}
	switch {
	case had == has:
		rule, message = diag.FormChanged, what+" is stated in another form, which means the same"
	case m.Message != schema.CapabilitiesMessage:
		message, older, newer = what+" changed", &had, &has
	}
	c.tell(rule, at, flag(older), flag(newer), "%s", message)
}

func flag(b *bool) *source.Node {
	if b == nil {
		return nil
	}
	return source.NewBool(*b)
}

func (c *comparison) extensions() {
	uri := func(e *schema.Extension) string { return e.URI }
	at := the("capabilities").child("extensions")
	older, newer := c.old.Capabilities.Extensions, c.new.Capabilities.Extensions
	p := match(older, newer, uri)
	for _, i := range p.gone {
		id := older[i].URI
		c.gone(diag.ExtensionRemoved, at.item(i, none, id), id, "the extension "+diag.Quote(id))
	}
	for _, both := range p.both {
		c.extension(at.item(both[0], both[1], older[both[0]].URI), &older[both[0]], &newer[both[1]])
	}
	for _, i := range p.added {
		id := newer[i].URI
		c.added(diag.ExtensionAdded, at.item(none, i, id), id, "the extension "+diag.Quote(id))
		if change := &c.changes[len(c.changes)-1]; newer[i].Required {
			change.Rule, change.Message = diag.ExtensionRequired, change.Message+", and clients need to know it"
		}
	}
}

func (c *comparison) extension(at where, older, newer *schema.Extension) {
	name := diag.Quote(older.URI)
	switch required := at.child("required"); {
	case newer.Required && !older.Required:
		c.tell(diag.ExtensionRequired, required, source.NewBool(false), source.NewBool(true),
			"clients now need to know the extension %s", name)
	case older.Required && !newer.Required:
		c.tell(diag.ExtensionOptional, required, source.NewBool(true), source.NewBool(false),
			"clients no longer need to know the extension %s", name)
	}
	c.members(schema.ExtensionMessage, at, older, newer, "the extension "+name, "required")
	if !older.Params.Equal(newer.Params) {
		c.value(diag.ExtensionChanged, at.child("params"), older.Params, newer.Params, `"params" of the extension `+name)
	}
}
