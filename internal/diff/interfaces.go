package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// endpoint is a way to reach the agent, in all the versions of A2A that it
// speaks.
type endpoint struct {
	address
	said   string             // the URL as it is spelled
	speaks []schema.Interface // one for each version
	index  []int              // where they stand on the card
}

// address is what makes an endpoint the same on both cards; the URL is plain.
type address struct{ url, binding, tenant string }

// key is what an endpoint is called among the interfaces.
func (e *endpoint) key() string {
	return strings.TrimSuffix(e.binding+" "+e.said+" "+e.tenant, " ")
}

// name is how messages call an endpoint.
func (e *endpoint) name() string {
	if e.tenant != "" {
		return e.anyTenant() + " of the tenant " + diag.Quote(e.tenant)
	}
	return e.anyTenant()
}

func (e *endpoint) anyTenant() string {
	return fmt.Sprintf("the %s interface %s", e.binding, diag.Quote(e.said))
}

// endpoints returns the endpoints of a card. A2A 0.3 knows no tenants: an
// interface for it belongs to the first endpoint at its URL.
func endpoints(c *schema.Card) []endpoint {
	tenants := map[address]string{}
	for _, entry := range c.Interfaces {
		at := address{schema.PlainURL(entry.URL), entry.Binding, ""}
		if _, known := tenants[at]; !known && !entry.Speaks().Has(schema.Flat) {
			tenants[at] = entry.Tenant
		}
	}
	var out []endpoint
	known := map[address]int{}
	type edition struct {
		address
		version string
	}
	seen := map[edition]bool{}
	for i, entry := range c.Interfaces {
		a := address{schema.PlainURL(entry.URL), entry.Binding, entry.Tenant}
		if entry.Speaks().Has(schema.Flat) {
			a.tenant = tenants[address{a.url, entry.Binding, ""}]
		}
		if seen[edition{a, version(&entry)}] {
			continue
		}
		seen[edition{a, version(&entry)}] = true
		n, ok := known[a]
		if !ok {
			n = len(out)
			known[a] = n
			out = append(out, endpoint{address: a, said: entry.URL})
		}
		out[n].speaks, out[n].index = append(out[n].speaks, entry), append(out[n].index, i)
	}
	return out
}

// only03 reports whether nothing is known of the endpoint's tenant.
func (e *endpoint) only03() bool { return len(e.speaks) == 1 && e.speaks[0].Speaks().Has(schema.Flat) }

// in reports whether the endpoint speaks a version, as all do the version "".
func (e *endpoint) in(version string) bool {
	return version == "" || slices.ContainsFunc(e.speaks, func(i schema.Interface) bool {
		return schema.PlainVersion(i.Version) == schema.PlainVersion(version)
	})
}

func (c *comparison) interfaces() {
	older, newer := endpoints(c.old), endpoints(c.new)
	same := match(older, newer, func(e *endpoint) address { return e.address })
	for _, i := range same.gone { // clients cannot use another spelling of a binding, or take it for that
		older[i].binding = cmp.Or(schema.BindingMeant(older[i].binding), older[i].binding)
	}
	there := rematch(older, newer, same, func(e *endpoint) address { return address{e.url, e.binding, ""} })
	moved := rematch(older, newer, there, func(e *endpoint) string { return e.binding })
	both := slices.Concat(same.both, there.both, moved.both)
	for _, b := range both {
		c.endpoint(&older[b[0]], &newer[b[1]])
	}
	for _, i := range moved.gone {
		c.interfaceGone(&older[i])
	}
	for _, i := range moved.added {
		c.interfaceNew(&newer[i])
	}
	if c.preferred(older, newer, both) {
		return
	}
	slices.SortFunc(both, func(a, b [2]int) int { return a[0] - b[0] })
	if (pairs{both: both}).reordered() {
		url := func(e *endpoint) string { return e.said }
		c.tell("order-changed", the("supportedInterfaces"), names(older, url), names(newer, url),
			"the interfaces are in another order")
	}
}

// interfaceAt is the place of an interface that one of the cards has, or both.
func interfaceAt(older, newer int, key ...string) where {
	return the("supportedInterfaces").item(older, newer, key...)
}

func (c *comparison) interfaceGone(e *endpoint) {
	at := interfaceAt(e.index[0], none, e.key())
	c.gone("interface-removed", at, e.said, parts(schema.InterfaceMessage, e.speaks), e.name())
}

func (c *comparison) interfaceNew(e *endpoint) {
	at := interfaceAt(none, e.index[0], e.key())
	c.added("interface-added", at, e.said, parts(schema.InterfaceMessage, e.speaks), e.name())
}

func (c *comparison) versionGone(older *endpoint, i int, newer *endpoint) {
	v := older.speaks[i].Version
	at := interfaceAt(older.index[i], newer.index[0], older.key(), v)
	c.tell("interface-version-removed", at, source.NewText(v), nil, "%s no longer speaks A2A %s", newer.name(), v)
}

func (c *comparison) versionNew(newer *endpoint, i int, older *endpoint) {
	v := newer.speaks[i].Version
	at := interfaceAt(older.index[0], newer.index[i], older.key(), v)
	c.tell("interface-version-added", at, nil, source.NewText(v), "%s speaks A2A %s", newer.name(), v)
}

func version(i *schema.Interface) string { return schema.PlainVersion(i.Version) }

// endpoint compares the address of an endpoint and what it speaks.
func (c *comparison) endpoint(older, newer *endpoint) {
	at := interfaceAt(older.index[0], newer.index[0], older.key())
	if older.url != newer.url {
		c.tell("interface-url-changed", at.child("url"), source.NewText(older.said), source.NewText(newer.said),
			"the %s interface moved", older.binding)
	} else {
		c.text("interface-url-changed", "url", at.child("url"), older.said, newer.said,
			`"url" of `+older.anyTenant())
	}
	if older.url == newer.url && older.tenant != newer.tenant && !older.only03() && !newer.only03() {
		c.text("interface-url-changed", "", at.child("tenant"), older.tenant, newer.tenant,
			"the tenant of "+newer.anyTenant())
	}
	p := match(older.speaks, newer.speaks, version)
	for _, i := range p.gone {
		c.versionGone(older, i, newer)
	}
	for _, i := range p.added {
		c.versionNew(newer, i, older)
	}
	for _, both := range p.both {
		was, is := older.speaks[both[0]], newer.speaks[both[1]]
		at := interfaceAt(older.index[both[0]], newer.index[both[1]], older.key())
		c.text(formChanged, "protocolVersion", at.child("protocolVersion"), was.Version, is.Version,
			`"protocolVersion" of `+newer.name())
		c.members(schema.InterfaceMessage, at, &was, &is, newer.name())
	}
}

// preferred reports another endpoint that comes first, for the clients of each
// version that both cards are for. If the one that came first is gone, it
// reports nothing: that has been reported. The result reports whether another one
// comes first.
func (c *comparison) preferred(older, newer []endpoint, both [][2]int) bool {
	now := map[int]int{}
	for _, b := range both {
		now[b[0]] = b[1]
	}
	paired := map[[2]int]bool{}
	for _, version := range c.sharedVersions() {
		was, is := first(older, version), first(newer, version)
		if was < 0 || is < 0 || paired[[2]int{was, is}] {
			continue
		}
		if j, still := now[was]; still && j != is && newer[j].in(version) {
			paired[[2]int{was, is}] = true
			who := ""
			if version != "" {
				who = " for clients of A2A " + version
			}
			at := interfaceAt(older[was].index[0], newer[is].index[0], version)
			c.tell("interface-preferred-changed", at, source.NewText(older[was].key()), source.NewText(newer[is].key()),
				"another interface comes first%s", who)
		}
	}
	return len(paired) > 0
}

// sharedVersions returns the versions of A2A that both cards are for, sorted,
// and "" for any where there are none.
func (c *comparison) sharedVersions() []string {
	var shared []string
	for _, both := range match(c.old.Interfaces, c.new.Interfaces, version).both {
		shared = append(shared, version(&c.old.Interfaces[both[0]]))
	}
	if slices.Sort(shared); len(shared) == 0 {
		return []string{""}
	}
	return slices.Compact(shared)
}

// first returns the index of the endpoint that clients of a version prefer, -1
// when there is none for them.
func first(list []endpoint, wanted string) int {
	best, at := -1, 0
	for n, e := range list {
		for k, entry := range e.speaks {
			if (wanted == "" || version(&entry) == wanted) && (best < 0 || e.index[k] < at) {
				best, at = n, e.index[k]
			}
		}
	}
	return best
}
