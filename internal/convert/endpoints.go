package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readInterfaces03 reads the url of the card, its transport and the interfaces
// beside it, as 0.3 has them (sections 5.5.5 and 5.6).
func readInterfaces03(r *reader, card *members) []endpoint {
	var list []endpoint
	r.presumed = presume(schema.Flat.String(), "")
	p, transport := card.take("url"), readTransport(r, card)
	if said := r.spelled(p); said != "" {
		list = append(list, endpoint{schema.Interface{URL: said, Binding: transport, Version: schema.Flat.String()}, p})
	} else if p := card.At("preferredTransport"); p.There() {
		r.repair(p, "preferredTransport has no url, so it is left out")
	}
	for entry := range eachInterface(r, card.take("additionalInterfaces")) {
		e, ok := readEntry03(r, entry)
		switch {
		case !ok:
		case len(list) > 0 && e.URL == list[0].URL && e.Binding == list[0].Binding:
			list[0].complete(&e) // the list repeats the url, as it should
		default:
			list = append(list, e)
		}
	}
	return list
}

// complete adds to the endpoint at the url of a 0.3 card what only
// additionalInterfaces states about it.
func (e *endpoint) complete(listed *endpoint) {
	e.Extra = cmp.Or(e.Extra, listed.Extra)
	for _, m := range schema.Members(schema.InterfaceMessage) {
		if m.In.Has(schema.Flat) && m.Given(&listed.Interface) && !m.Given(&e.Interface) {
			m.Copy(&e.Interface, &listed.Interface)
		}
	}
}

// readTransport reads what the url of a 0.3 card speaks: JSONRPC, where the card
// says nothing else.
func readTransport(r *reader, card *members) string {
	p := card.take("preferredTransport")
	if !p.There() && card.Node.Get("url") != nil && schema.BindingMeant(card.At("transport").Node.Word()) != "" {
		p = card.take("preferredTransport", "transport")
	}
	if p.There() && !p.Node.Empty() {
		return readBinding(r, p)
	}
	return "JSONRPC"
}

// reportDefaultTransport reports that the url of a 0.3 card speaks what the card
// does not state.
func reportDefaultTransport(r *reader, card *members) {
	if card.At("url").Node.Word() == "" {
		return
	}
	for _, key := range []string{"preferredTransport", "preferred_transport", "transport"} {
		if p := card.At(key); p.Node.Word() != "" && (key != "transport" || schema.BindingMeant(p.Node.Text) != "") {
			return
		}
	}
	r.repair(card.absent("preferredTransport"),
		"the card has no preferredTransport, so JSONRPC is used; some clients ignore the url without it")
}

// judgeEndpoints reports what the card claims if it is not what its shape, the shape of 0.3,
// says.
func judgeEndpoints(r *reader, claim place) {
	said := claim.Node.Word()
	v := majorMinor(said)
	switch {
	case !claim.There() || claim.Node.Empty():
		r.repair(claim, "the card has no protocolVersion; it has the shape of 0.3")
	case v == "":
		r.repair(claim, "%s is not a version of A2A; the card has the shape of 0.3", shown(claim.Node))
	case v != schema.Flat.String():
		r.report(diag.CardVersionClaim, claim, "", "the card claims version %s but has the shape of 0.3, which is used",
			diag.Quote(said))
	case !strings.HasPrefix(said, schema.Flat.String()):
		r.repair(claim, "version %s is read as 0.3, which has the same shape", diag.Quote(said))
	}
}

// compareEndpoints reports where the members of 0.3 differ from the list of 1.0, which
// is used.
func compareEndpoints(r *reader, card *members, list, old []endpoint, claim place) {
	type address struct{ url, binding, version string }
	same := func(e endpoint) address { return address{e.URL, e.Binding, e.Version} }
	exact, known, speaks03 := map[address]*source.Node{}, map[string]bool{}, false
	for _, e := range list {
		exact[same(e)] = e.Extra
		known[e.URL] = true
		speaks03 = speaks03 || e.Version == schema.Flat.String()
	}
	for _, e := range old {
		extra, repeated := exact[same(e)]
		if repeated && extra.Equal(e.Extra) {
			continue
		}
		r.unknown = slices.DeleteFunc(r.unknown, func(u unknownMember) bool { return u.at.Parent() == e.at.Pointer() })
		switch {
		case repeated:
			r.drop(e.at, "supportedInterfaces lists %s without all its members, so the others are left out", diag.Quote(e.URL))
		case known[e.URL]:
			r.repair(e.at, "supportedInterfaces and the members of 0.3 differ about %s; supportedInterfaces is used",
				diag.Quote(e.URL))
		default:
			r.drop(e.at, "supportedInterfaces does not list %s, so it is left out", diag.Quote(e.URL))
		}
	}
	if claim.There() && !speaks03 && !r.To.Has(schema.Flat) {
		r.repair(claim, "protocolVersion at the top level is for 0.3 clients, but no interface speaks 0.3, so it is left out")
	}
	if !speaks03 {
		r.only = schema.Listed
		if card.Node.HasAny(FlatMembers()...) {
			r.Form = "A2A 1.0, with members of 0.3"
		}
	}
}

// FlatMembers are the members that tell the shape of 0.3.
func FlatMembers() []string { return []string{"url", "preferredTransport", "additionalInterfaces"} }

// urlPlaces are where cards state a URL outside of A2A, as names of members: those that
// call it the one of A2A first.
func urlPlaces() []string {
	return []string{
		"a2aEndpoint", "a2aUrl", "endpoints/a2a", "capabilities/a2a", "endpoint", "agentUrl", "serviceUrl", "uri",
		"endpoints", "endpoints/jsonrpc", "endpoints/url", "endpoints/baseUrl",
	}
}

// elsewhere looks for a URL in members that are no part of A2A.
func elsewhere(r *reader, card *members, claim place) []endpoint {
	presumeVersion(r, place{}, claim)
	if r.Set["url"] != "" {
		return nil
	}
	for _, at := range urlPlaces() {
		holder, name, nested := strings.Cut(at, "/")
		for _, key := range []string{cmp.Or(name, holder), schema.SnakeName(cmp.Or(name, holder))} {
			p := address(card.At(key))
			if nested {
				p = address(card.At(holder).At(key))
			}
			if isAddress(p.Node.Word()) {
				if p.Parent() == "" {
					card.mark(key) // it says nothing else
				}
				return foundEndpoints(r, p)
			}
		}
	}
	for entry := range card.At("endpoints").List() {
		p := address(entry)
		switch {
		case p.Node.Word() == "" || otherProtocol(entry) != "":
		case isAddress(p.Node.Text):
			return foundEndpoints(r, p)
		case r.instead["url"] == "":
			r.instead["url"] = fmt.Sprintf(": %s in endpoints names no host", diag.Quote(p.Node.Text))
		}
	}
	return nil
}

// address returns where an entry of endpoints says that it is: the entry itself
// where it is a text.
func address(entry place) place {
	if entry.Node.Is(source.String) {
		return entry
	}
	for _, key := range []string{"url", "uri", "endpoint", "path"} {
		if p := entry.At(key); p.Node.Word() != "" {
			return p
		}
	}
	return place{}
}

// isAddress reports whether a text can be where an agent is reached: a URL, or
// what a URL is to be made of.
func isAddress(s string) bool {
	return strings.Contains(s, "://") || strings.HasPrefix(s, "${") || strings.HasPrefix(s, "{")
}

// foundEndpoints returns the endpoint at a URL that stands where A2A does not look.
func foundEndpoints(r *reader, p place) []endpoint {
	e := endpoint{schema.Interface{URL: p.Node.Text, Binding: "JSONRPC", Version: r.presumed.version}, p}
	r.assume(p, "the card has no url, %s is assumed, and that it speaks %s of A2A %s", diag.Quote(e.URL), e.Binding,
		e.Version)
	return []endpoint{e}
}

// located returns the interfaces, each once, and notes their places. A url that
// was set takes the place of the preferred one.
func located(r *reader, card *members, list []endpoint) []schema.Interface {
	if given := r.Set["url"]; given != "" {
		if len(list) == 0 {
			e := schema.Interface{Binding: "JSONRPC", Version: cmp.Or(r.presumed.version, schema.Assumed.String())}
			list = []endpoint{{e, card.place}}
			r.repair(card.place, "the card has no interface: the url that is set is read as one that speaks %s of A2A %s",
				e.Binding, e.Version)
		}
		for i, preferred := 0, list[0].URL; i < len(list); i++ {
			if list[i].URL == preferred {
				list[i].URL = given
			}
		}
	}
	var out []schema.Interface
	seen := schema.Interfaces{}
	for _, e := range list {
		address, certain := schema.GRPCAddress(e.URL)
		if certain && e.Binding == "GRPC" && e.Version != schema.Flat.String() {
			r.repair(e.at, "the gRPC address %s is read as %q", diag.Quote(e.URL), address)
			e.URL = address
		}
		if !seen.Add(e.Interface) {
			r.repair(e.at, "the interface %s is listed twice, so one is left out", diag.Quote(e.URL))
			continue
		}
		r.places["/supportedInterfaces/"+strconv.Itoa(len(out))] = e.at
		out = append(out, e.Interface)
	}
	return out
}
