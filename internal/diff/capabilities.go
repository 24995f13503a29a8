package diff

import (
	"cmp"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (c *comparison) capabilities() {
	c.members(schema.CapabilitiesMessage, the("capabilities"), &c.old.Capabilities, &c.new.Capabilities,
		"the capabilities")
	for _, p := range pairs(c.old.Capabilities.Extensions, c.new.Capabilities.Extensions,
		func(e *schema.Extension) string { return e.URI }) {
		e := cmp.Or(p.is, p.was)
		at, what := the("capabilities").child("extensions").item(p.old, p.new, e.URI), "the extension "+diag.Quote(e.URI)
		if p.was == nil && e.Required {
			c.add(diag.ExtensionRequired, at, nil, source.NewText(e.URI), "%s is new, and clients need to know it", what)
		} else if c.present(at, p.was != nil, p.is != nil, e.URI, what, diag.ExtensionRemoved, diag.ExtensionAdded) {
			c.extension(at, p.was, p.is, what)
		}
	}
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
		c.form(at, flag(older), flag(newer), what+" is")
		return
	case m.Message != schema.CapabilitiesMessage:
		message, older, newer = what+" changed", &had, &has
	}
	c.add(rule, at, flag(older), flag(newer), "%s", message)
}

func flag(b *bool) *source.Node {
	if b == nil {
		return nil
	}
	return source.NewBool(*b)
}

func (c *comparison) extension(at where, older, newer *schema.Extension, what string) {
	if older.Required != newer.Required {
		rule, need := diag.ExtensionRequired, "now"
		if older.Required {
			rule, need = diag.ExtensionOptional, "no longer"
		}
		c.add(rule, at.child("required"), source.NewBool(older.Required), source.NewBool(newer.Required),
			"clients %s need to know %s", need, what)
	}
	c.members(schema.ExtensionMessage, at, older, newer, what)
	if !older.Params.Equal(newer.Params) {
		c.value(diag.ExtensionChanged, at.child("params"), older.Params, newer.Params, `"params" of `+what)
	}
}
