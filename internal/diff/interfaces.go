package diff

import (
	"cmp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// address is what identifies an interface on both cards.
type address struct{ url, binding, version, tenant string }

// addressOf returns the address of an interface, in one spelling. Clients cannot use
// another spelling of a binding, or read it as that.
func addressOf(i *schema.Interface) address {
	binding := cmp.Or(schema.BindingMeant(i.Binding), i.Binding)
	return address{schema.PlainURL(i.URL), binding, schema.PlainVersion(i.Version), i.Tenant}
}

func endpointName(i *schema.Interface) string {
	return "the " + i.Binding + " interface " + diag.Quote(i.URL)
}

// interfaces pairs the interfaces by address, then by all but the tenant, then by what
// they speak: such a pair has moved. Which of them clients call is another question.
func (c *comparison) interfaces() {
	older, newer := c.old.Interfaces, c.new.Interfaces
	p := pairs{gone: distinct(older), added: distinct(newer)}
	for _, identity := range []func(address) address{
		func(a address) address { return a },
		func(a address) address { return address{url: a.url, binding: a.binding, version: a.version} },
		func(a address) address { return address{binding: a.binding, version: a.version} },
	} {
		p = rematch(older, newer, p, func(i *schema.Interface) address { return identity(addressOf(i)) })
		for _, b := range p.both {
			c.endpoint(b, &older[b[0]], &newer[b[1]])
		}
	}
	for _, i := range p.gone {
		e := &older[i]
		c.gone(diag.InterfaceRemoved, interfaceAt(i, none, e), e.URL, endpointName(e)+" for A2A "+e.Version)
	}
	for _, i := range p.added {
		e := &newer[i]
		c.added(diag.InterfaceAdded, interfaceAt(none, i, e), e.URL, endpointName(e)+" for A2A "+e.Version)
	}
}

// distinct returns the indexes of the interfaces that are no repetition of an earlier one.
func distinct(list []schema.Interface) []int {
	seen := map[address]bool{}
	return slices.DeleteFunc(indexes(list), func(i int) bool {
		a := addressOf(&list[i])
		known := seen[a]
		seen[a] = true
		return known
	})
}

// interfaceAt is the place of an interface that one of the cards has, or both.
func interfaceAt(older, newer int, i *schema.Interface) where {
	name := strings.TrimSuffix(i.Binding+" "+i.URL+" "+i.Tenant, " ")
	return the("supportedInterfaces").item(older, newer, name, i.Version)
}

// endpoint compares two versions of an interface.
func (c *comparison) endpoint(index [2]int, older, newer *schema.Interface) {
	at := interfaceAt(index[0], index[1], older)
	if addressOf(older).url != addressOf(newer).url {
		c.tell(diag.InterfaceURLChanged, at.child("url"), source.NewText(older.URL), source.NewText(newer.URL),
			"the %s interface moved", older.Binding)
	} else {
		c.text(diag.InterfaceURLChanged, "url", at.child("url"), older.URL, newer.URL, `"url" of `+endpointName(older))
		c.text(diag.InterfaceURLChanged, "", at.child("tenant"), older.Tenant, newer.Tenant,
			"the tenant of "+endpointName(newer))
	}
	c.text(diag.FormChanged, "protocolVersion", at.child("protocolVersion"), older.Version, newer.Version,
		`"protocolVersion" of `+endpointName(newer))
	c.text(diag.FormChanged, "protocolBinding", at.child("protocolBinding"), older.Binding, newer.Binding,
		`"protocolBinding" of `+endpointName(older))
	c.members(schema.InterfaceMessage, at, older, newer, endpointName(newer))
}
