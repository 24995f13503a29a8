package diff

import (
	"fmt"
	"slices"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// endpoint is a way to reach the agent, in all the versions of A2A that it
// speaks.
type endpoint struct {
	address
	speaks []schema.Interface // one for each version
	index  []int              // where they stand on the card
}

// address is what makes an endpoint the same on both cards.
type address struct{ url, binding, tenant string }

func (e *endpoint) pointer() string { return "/supportedInterfaces/" + strconv.Itoa(e.index[0]) }

// name is how messages call an endpoint.
func (a address) name() string {
	name := fmt.Sprintf("the %s interface %s", a.binding, diag.Quote(a.url))
	if a.tenant != "" {
		name += " of the tenant " + diag.Quote(a.tenant)
	}
	return name
}

// endpoints returns the endpoints of a card. A2A 0.3 knows no tenants: an
// interface for it belongs to the first endpoint at its URL.
func endpoints(c *schema.Card) []endpoint {
	tenants := map[address]string{}
	for _, entry := range c.Interfaces {
		at := address{entry.URL, entry.Binding, ""}
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
		a := address{entry.URL, entry.Binding, entry.Tenant}
		if entry.Speaks().Has(schema.Flat) {
			a.tenant = tenants[address{entry.URL, entry.Binding, ""}]
		}
		if seen[edition{a, entry.Version}] {
			continue
		}
		seen[edition{a, entry.Version}] = true
		n, ok := known[a]
		if !ok {
			n = len(out)
			known[a] = n
			out = append(out, endpoint{address: a})
		}
		out[n].speaks, out[n].index = append(out[n].speaks, entry), append(out[n].index, i)
	}
	return out
}

// only03 tells whether nothing is known of the endpoint's tenant.
func (e *endpoint) only03() bool { return len(e.speaks) == 1 && e.speaks[0].Speaks().Has(schema.Flat) }

// in tells whether the endpoint speaks a version, as all do the version "".
func (e *endpoint) in(version string) bool {
	return version == "" || slices.ContainsFunc(e.speaks, func(i schema.Interface) bool { return i.Version == version })
}

func (c *comparison) interfaces() {
	older, newer := endpoints(c.old), endpoints(c.new)
	same := match(older, newer, func(e *endpoint) address { return e.address })
	there := rematch(older, newer, same, func(e *endpoint) address { return address{e.url, e.binding, ""} })
	moved := rematch(older, newer, there, func(e *endpoint) string { return e.binding })
	both := slices.Concat(same.both, there.both, moved.both)
	for _, b := range both {
		c.endpoint(&older[b[0]], &newer[b[1]])
	}
	for _, i := range moved.gone {
		c.tell("interface-removed", where{older[i].pointer(), "/supportedInterfaces"}, source.NewText(older[i].url), nil,
			"%s is gone", older[i].name())
	}
	for _, i := range moved.added {
		c.tell("interface-added", where{"/supportedInterfaces", newer[i].pointer()}, nil, source.NewText(newer[i].url),
			"%s is new", newer[i].name())
	}
	if c.preferred(older, newer, both) {
		return
	}
	slices.SortFunc(both, func(a, b [2]int) int { return a[0] - b[0] })
	if (pairs{both: both}).reordered() {
		c.tell("order-changed", the("supportedInterfaces"), urls(older), urls(newer), "the interfaces are in another order")
	}
}

func urls(endpoints []endpoint) *source.Node {
	var out []string
	for _, e := range endpoints {
		out = append(out, e.url)
	}
	return list(out)
}

// endpoint compares the address of an endpoint and what it speaks.
func (c *comparison) endpoint(older, newer *endpoint) {
	at := where{older.pointer(), newer.pointer()}
	switch {
	case older.url != newer.url:
		c.tell("interface-url-changed", at.child("url"), source.NewText(older.url), source.NewText(newer.url),
			"the %s interface moved", older.binding)
	case older.tenant != newer.tenant && !older.only03() && !newer.only03():
		c.text("interface-url-changed", at.child("tenant"), older.tenant, newer.tenant,
			"the tenant of "+address{newer.url, newer.binding, ""}.name())
	}
	p := match(older.speaks, newer.speaks, func(e *schema.Interface) string { return e.Version })
	for _, i := range p.gone {
		v := older.speaks[i].Version
		c.tell("interface-version-removed", where{"/supportedInterfaces", at.new}.gone(older.index[i]), source.NewText(v),
			nil, "%s no longer speaks A2A %s", newer.name(), v)
	}
	for _, i := range p.added {
		v := newer.speaks[i].Version
		c.tell("interface-version-added", where{at.old, "/supportedInterfaces"}.added(newer.index[i]), nil, source.NewText(v),
			"%s speaks A2A %s", newer.name(), v)
	}
	for _, both := range p.both {
		at := the("supportedInterfaces").item(older.index[both[0]], newer.index[both[1]])
		c.members(schema.InterfaceMessage, at, &older.speaks[both[0]], &newer.speaks[both[1]], newer.name())
		c.extra(at, older.speaks[both[0]].Extra, newer.speaks[both[1]].Extra, newer.name())
	}
}

// preferred reports another endpoint that comes first, for the clients of each
// version that both cards are for. If the one that came first is gone, it
// reports nothing: that has been reported. The result tells whether another one
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
			c.tell("interface-preferred-changed", where{older[was].pointer(), newer[is].pointer()},
				source.NewText(older[was].binding+" "+older[was].url), source.NewText(newer[is].binding+" "+newer[is].url),
				"another interface comes first%s", who)
		}
	}
	return len(paired) > 0
}

// sharedVersions returns the versions of A2A that both cards are for, sorted,
// and "" for any where there are none.
func (c *comparison) sharedVersions() []string {
	has := map[string]bool{}
	for _, i := range c.old.Interfaces {
		has[i.Version] = true
	}
	shared := map[string]bool{}
	for _, i := range c.new.Interfaces {
		if has[i.Version] {
			shared[i.Version] = true
		}
	}
	if len(shared) == 0 {
		return []string{""}
	}
	return sortedKeys(shared)
}

// first returns the index of the endpoint that clients of a version prefer, -1
// when there is none for them.
func first(list []endpoint, version string) int {
	best, at := -1, 0
	for n, e := range list {
		for k, entry := range e.speaks {
			if (version == "" || entry.Version == version) && (best < 0 || e.index[k] < at) {
				best, at = n, e.index[k]
			}
		}
	}
	return best
}
