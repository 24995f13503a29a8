package diff

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// endpoint is an interface with its index on the card.
type endpoint struct {
	schema.Interface

	index int
}

func (e *endpoint) at() int {
	if e == nil {
		return none
	}
	return e.index
}

func (e *endpoint) name() string { return "the " + e.Binding + " interface " + diag.Quote(e.URL) }

// kind is what an interface speaks, in one spelling: clients cannot use another spelling
// of a binding, or read it as that. address is its URL too, and identity its tenant.
func (e *endpoint) kind() string {
	return fmt.Sprintf("%q", []string{cmp.Or(schema.BindingMeant(e.Binding), e.Binding), schema.PlainVersion(e.Version)})
}

func (e *endpoint) address() string { return schema.PlainURL(e.URL) + e.kind() }

func (e *endpoint) identity() string { return e.address() + strconv.Quote(e.Tenant) }

// interfaces pairs the interfaces by identity, then by all but the tenant, then by what
// they speak: such a pair has moved. Which of them clients call is another question.
func (c *comparison) interfaces() {
	for _, p := range pairs(distinct(c.old.Interfaces), distinct(c.new.Interfaces),
		(*endpoint).identity, (*endpoint).address, (*endpoint).kind) {
		e := cmp.Or(p.was, p.is)
		name := strings.TrimSuffix(e.Binding+" "+e.URL+" "+e.Tenant, " ")
		at := the("supportedInterfaces").item(p.was.at(), p.is.at(), name, e.Version)
		what := strings.TrimSuffix(e.name()+" for A2A "+e.Version, " for A2A ")
		if c.present(at, p.was != nil, p.is != nil, e.URL, what, diag.InterfaceRemoved, diag.InterfaceAdded) {
			c.endpoint(at, p.was, p.is)
		}
	}
}

// distinct returns the interfaces that are no repetition of an earlier one.
func distinct(list []schema.Interface) (out []endpoint) {
	seen := map[string]bool{}
	for i, e := range list {
		if e := (endpoint{e, i}); !seen[e.identity()] {
			seen[e.identity()] = true
			out = append(out, e)
		}
	}
	return out
}

// endpoint compares two versions of an interface.
func (c *comparison) endpoint(at where, older, newer *endpoint) {
	if older.address() != newer.address() {
		c.add(diag.InterfaceURLChanged, at.child("url"), source.NewText(older.URL), source.NewText(newer.URL),
			"the %s interface moved", older.Binding)
	} else {
		c.text(diag.InterfaceURLChanged, "url", at.child("url"), older.URL, newer.URL, `"url" of `+older.name())
		c.text(diag.InterfaceURLChanged, "", at.child("tenant"), older.Tenant, newer.Tenant, "the tenant of "+newer.name())
	}
	c.text(diag.FormChanged, "protocolVersion", at.child("protocolVersion"), older.Version, newer.Version,
		`"protocolVersion" of `+newer.name())
	c.text(diag.FormChanged, "protocolBinding", at.child("protocolBinding"), older.Binding, newer.Binding,
		`"protocolBinding" of `+older.name())
	c.members(schema.InterfaceMessage, at, &older.Interface, &newer.Interface, newer.name())
}
