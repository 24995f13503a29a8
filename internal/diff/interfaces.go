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
	return address{schema.PlainURL(i.URL), binding, version(i), i.Tenant}
}

func version(i *schema.Interface) string { return schema.PlainVersion(i.Version) }

// anyVersion is the address for all versions and tenants.
func anyVersion(i *schema.Interface) address {
	a := addressOf(i)
	return address{url: a.url, binding: a.binding}
}

// endpointKey is what an interface is called among the others.
func endpointKey(i *schema.Interface) string {
	return strings.TrimSuffix(i.Binding+" "+i.URL+" "+i.Tenant, " ")
}

func endpointName(i *schema.Interface) string {
	return "the " + i.Binding + " interface " + diag.Quote(i.URL)
}

// interfaces pairs the interfaces by address, then by all but the tenant, then by what
// they speak: such a pair has moved.
func (c *comparison) interfaces() {
	older, newer := c.old.Interfaces, c.new.Interfaces
	p := rematch(older, newer, pairs{gone: distinct(older), added: distinct(newer)}, addressOf)
	both := p.both
	p = rematch(older, newer, p, func(i *schema.Interface) address {
		a := addressOf(i)
		a.tenant = ""
		return a
	})
	both = append(both, p.both...)
	p = rematch(older, newer, p, func(i *schema.Interface) address {
		a := addressOf(i)
		return address{binding: a.binding, version: a.version}
	})
	both = append(both, p.both...)
	for _, b := range both {
		c.endpoint(b, &older[b[0]], &newer[b[1]])
	}
	for _, i := range p.gone {
		c.interfaceGone(i, &older[i], newer)
	}
	for _, i := range p.added {
		c.interfaceNew(i, &newer[i], older)
	}
	if c.preferred(older, newer) {
		return
	}
	slices.SortFunc(both, func(a, b [2]int) int { return a[0] - b[0] })
	if (pairs{both: both}).reordered() {
		c.tell(diag.OrderChanged, the("supportedInterfaces"), names(older, endpointKey), names(newer, endpointKey),
			"the interfaces are in another order")
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
func interfaceAt(older, newer int, key ...string) where {
	return the("supportedInterfaces").item(older, newer, key...)
}

// endpoint compares two versions of an interface.
func (c *comparison) endpoint(index [2]int, older, newer *schema.Interface) {
	at := interfaceAt(index[0], index[1], endpointKey(older))
	if anyVersion(older).url != anyVersion(newer).url {
		c.tell(diag.InterfaceURLChanged, at.child("url"), source.NewText(older.URL), source.NewText(newer.URL),
			"the %s interface moved", older.Binding)
	} else {
		c.text(diag.InterfaceURLChanged, "url", at.child("url"), older.URL, newer.URL, `"url" of `+endpointName(older))
		c.text(diag.InterfaceURLChanged, "", at.child("tenant"), older.Tenant, newer.Tenant,
			"the tenant of "+endpointName(newer))
	}
	if older.Version != newer.Version {
		c.text(formChanged, "protocolVersion", at.child("protocolVersion"), older.Version, newer.Version,
			`"protocolVersion" of `+endpointName(newer))
	}
	if older.Binding != newer.Binding {
		c.tell(formChanged, at.child("protocolBinding"), source.NewText(older.Binding), source.NewText(newer.Binding),
			"%s is spelled %s", endpointName(older), diag.Quote(newer.Binding))
	}
	c.members(schema.InterfaceMessage, at, older, newer, endpointName(newer))
}

func (c *comparison) interfaceGone(i int, e *schema.Interface, newer []schema.Interface) {
	at := interfaceAt(i, none, endpointKey(e))
	if !listsEndpoint(newer, e) {
		c.gone(diag.InterfaceRemoved, at, e.URL, endpointName(e))
		return
	}
	c.tell(diag.InterfaceVersionRemoved, at.named(e.Version), source.NewText(e.Version), nil, "%s no longer speaks A2A %s",
		endpointName(e), e.Version)
}

func (c *comparison) interfaceNew(i int, e *schema.Interface, older []schema.Interface) {
	at := interfaceAt(none, i, endpointKey(e))
	if !listsEndpoint(older, e) {
		c.added(diag.InterfaceAdded, at, e.URL, endpointName(e))
		return
	}
	c.tell(diag.InterfaceVersionAdded, at.named(e.Version), nil, source.NewText(e.Version), "%s speaks A2A %s",
		endpointName(e), e.Version)
}

// listsEndpoint reports whether a list has an interface, in whatever version.
func listsEndpoint(list []schema.Interface, e *schema.Interface) bool {
	return slices.ContainsFunc(list, func(other schema.Interface) bool { return anyVersion(&other) == anyVersion(e) })
}

// preferred reports another interface that comes first among those of a version, where
// the one that came first is still there. The result reports whether there is one.
func (c *comparison) preferred(older, newer []schema.Interface) bool {
	found := false
	seen := map[string]bool{}
	for n := range older {
		v := version(&older[n])
		is := slices.IndexFunc(newer, func(e schema.Interface) bool { return version(&e) == v })
		if seen[v] || is < 0 {
			continue
		}
		seen[v] = true
		still := slices.ContainsFunc(newer, func(e schema.Interface) bool { return addressOf(&e) == addressOf(&older[n]) })
		if !still || addressOf(&newer[is]) == addressOf(&older[n]) {
			continue
		}
		found = true
		c.tell(diag.InterfacePreferredChanged, interfaceAt(n, is, v), source.NewText(endpointKey(&older[n])),
			source.NewText(endpointKey(&newer[is])), "another interface comes first")
	}
	return found
}
