package convert

import (
	"cmp"
	"iter"
	"net/url"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readInterfaces reads the endpoints of a card: the list of 1.0, else the url of
// 0.3 and those beside it, else a URL that stands somewhere else.
func readInterfaces(r *reader, card *members) []schema.Interface {
	claim := card.member("protocolVersion")
	presumed := cmp.Or(majorMinor(claim.Node.Word()), schema.Assumed.String()) // of a url that no version of A2A has there
	old := readFlat(r, card)
	list := readListed(r, card)
	switch {
	case len(list) > 0:
		r.Listed = true
		compareEndpoints(r, card, list, old, claim)
	case len(old) > 0:
		list = old
		r.only = schema.Flat
		checkClaim(r, claim)
	default:
		list = elsewhere(r, card, presumed)
	}
	return located(r, card, list, presumed)
}

// endpoint is an interface and the place it was read from.
type endpoint struct {
	schema.Interface
	at place
}

// readFlat reads the url of the card, its transport and the interfaces beside it, as
// 0.3 has them (sections 5.5.5 and 5.6).
func readFlat(r *reader, card *members) []endpoint {
	var list []endpoint
	p, transport := card.member("url"), card.member("preferredTransport")
	binding := "JSONRPC"
	if transport.There() && !transport.Node.Empty() {
		binding = readBinding(r, transport)
	}
	if said := r.text(p); said != "" {
		list = append(list, endpoint{schema.Interface{URL: said, Binding: binding, Version: schema.Flat.String()}, p})
	} else if transport.There() {
		r.repair(transport, "preferredTransport has no url, so it is left out")
	}
	for entry := range eachEntry(r, card.member("additionalInterfaces")) {
		e, ok := readEntry(r, entry, schema.Flat)
		switch {
		case !ok:
		case len(list) > 0 && e.URL == list[0].URL && e.Binding == list[0].Binding:
			list[0].Extra = cmp.Or(list[0].Extra, e.Extra) // the list repeats the url, as it should
		default:
			list = append(list, e)
		}
	}
	return list
}

// readListed reads supportedInterfaces.
func readListed(r *reader, card *members) []endpoint {
	var list []endpoint
	for entry := range eachEntry(r, card.member("supportedInterfaces")) {
		if e, ok := readEntry(r, entry, schema.Listed); ok {
			list = append(list, e)
		}
	}
	return list
}

// eachEntry iterates over a list, or over the one value that stands where a list
// belongs.
func eachEntry(r *reader, p place) iter.Seq[place] {
	if !p.There() || p.Node.Is(source.Array) {
		return p.List()
	}
	r.repair(p, "%s is not in a list; it is read as a list of one", p.Node.Kind.Article())
	return func(yield func(place) bool) { yield(p) }
}

// readEntry reads an interface in the form of a family of versions. It returns false
// for one that is no way to reach the agent by A2A.
func readEntry(r *reader, p place, family schema.Protocol) (endpoint, bool) {
	e := endpoint{at: p}
	if what := otherProtocol(p); what != "" && family == schema.Listed {
		r.drop(p, "the interface is %s, not A2A, and is left out", what)
		return e, false
	}
	m := r.members(p)
	if e.URL = r.text(m.member("url", "uri", "endpoint")); e.URL == "" {
		r.drop(p, "the interface has no url and is left out")
		return e, false
	}
	binding := "protocolBinding"
	if e.Version = schema.Flat.String(); family == schema.Flat {
		binding = "transport"
	} else {
		e.Version = readVersion(r, m.member("protocolVersion", "version"))
	}
	e.Binding = readBinding(r, m.member(binding, "protocolBinding", "transport", "protocol", "type", "binding"))
	readPlain(r, m, schema.InterfaceMessage, &e.Interface, "url", "protocolBinding", "transport", "protocolVersion")
	e.Extra = m.rest("interfaces")
	return e, true
}

// otherProtocol names what an interface speaks instead of A2A, "" when it may
// speak A2A: one with a protocolBinding does.
func otherProtocol(entry place) string {
	for _, key := range []string{"transport", "protocol", "type", "binding"} {
		switch said := word(entry.At(key).Node.Word()); {
		case strings.Contains(said, "mcp"):
			return "an MCP server"
		case said == "health", said == "agentcard", said == "openapi", said == "docs":
			return "of the type " + diag.Quote(entry.At(key).Node.Text)
		}
	}
	return ""
}

// readVersion reads the protocol version of an interface, as MAJOR.MINOR.
func readVersion(r *reader, p place) string {
	said := r.text(p)
	v := majorMinor(said)
	switch {
	case said == "":
		v = schema.Assumed.String()
		r.assume(p, "the interface has no protocol version, %q is assumed", v)
	case v == "":
		v = schema.Assumed.String()
		r.assume(p, "%s is not a version of A2A, %q is assumed", diag.Quote(said), v)
	case v != said:
		r.repair(p, "the protocol version %s is read as %q", diag.Quote(said), v)
	}
	return v
}

// majorMinor returns a version as an interface states it, "" when it is none.
// All that came before 0.3 is read as that.
func majorMinor(said string) string {
	v := schema.PlainVersion(strings.TrimLeft(said, "vV"))
	major, _, ok := strings.Cut(v, ".")
	switch {
	case !ok || strings.Trim(v, "0123456789.") != "":
		return ""
	case major == "0":
		return schema.Flat.String()
	}
	return v
}

// readBinding reads a protocol binding. An unknown one stays unchanged.
func readBinding(r *reader, p place) string {
	said := r.text(p)
	meant := schema.BindingMeant(said)
	switch {
	case said == "" || word(said) == "a2a":
		meant = "JSONRPC"
		r.assume(p, "the interface has no protocol binding; %q is assumed", meant)
	case meant == "":
		if u, err := url.Parse(said); err != nil || !u.IsAbs() {
			r.report(diag.InterfaceBindingUnknown, p, "JSONRPC, GRPC, HTTP+JSON or the URI of a custom binding",
				"%s is not a known protocol binding; it is kept", diag.Quote(said))
		}
		return said
	case meant != said:
		r.repair(p, "the protocol binding %s is read as %q", diag.Quote(said), meant)
	}
	return meant
}

// checkClaim reports what a card in the shape of 0.3 leaves out, or claims against
// its shape.
func checkClaim(r *reader, claim place) {
	card := r.root
	if card.Get("url").Word() != "" && !card.HasAny("preferredTransport", "preferred_transport") {
		r.repair(source.At(card, "").Child("preferredTransport", nil),
			"the card has no preferredTransport, so JSONRPC is used; some clients ignore the url without it")
	}
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
	known, same, speaks03 := map[string]bool{}, schema.Interfaces{}, false
	for _, e := range list {
		e.Tenant = ""
		same.Add(e.Interface)
		known[e.URL] = true
		speaks03 = speaks03 || e.Version == schema.Flat.String()
	}
	for _, e := range old {
		switch {
		case !same.Add(e.Interface):
		case known[e.URL]:
			r.repair(e.at, "supportedInterfaces and the members of 0.3 differ about %s; supportedInterfaces is used",
				diag.Quote(e.URL))
		default:
			r.drop(e.at, "supportedInterfaces does not list %s, so it is left out", diag.Quote(e.URL))
		}
	}
	if claim.There() && !speaks03 {
		r.repair(claim, "protocolVersion at the top level is for 0.3 clients, but no interface speaks 0.3")
	}
	if !speaks03 {
		r.only = schema.Listed
		if card.place.Node.HasAny(FlatMembers()...) {
			r.Form = "A2A 1.0, with members of 0.3"
		}
	}
}

// FlatMembers are the members that tell the shape of 0.3.
func FlatMembers() []string { return []string{"url", "preferredTransport", "additionalInterfaces"} }

// elsewhere looks for a URL in members that are no part of A2A.
func elsewhere(r *reader, card *members, presumed string) []endpoint {
	if r.Set["url"] != "" {
		return nil
	}
	for _, key := range []string{
		"a2aEndpoint", "endpoint", "serviceUrl", "endpoints", "endpoints/a2a", "endpoints/jsonrpc", "endpoints/url",
		"endpoints/baseUrl", "endpoints/base_url",
	} {
		at, nested, _ := strings.Cut(key, "/")
		p := card.place.At(at)
		if nested != "" {
			p = p.At(nested)
		}
		if !strings.Contains(p.Node.Word(), "://") {
			continue
		}
		if nested == "" {
			card.exact(at) // it says nothing else
		}
		e := endpoint{schema.Interface{URL: p.Node.Text, Binding: "JSONRPC", Version: presumed}, p}
		r.assume(p, "the card has no url, %s is assumed, and that it speaks %s of A2A %s", diag.Quote(e.URL), e.Binding,
			e.Version)
		return []endpoint{e}
	}
	return nil
}

// located returns the interfaces, each once, and notes their places. A url that
// was set takes the place of the preferred one.
func located(r *reader, card *members, list []endpoint, presumed string) []schema.Interface {
	given := r.Set["url"]
	if given != "" && len(list) == 0 {
		e := schema.Interface{URL: given, Binding: "JSONRPC", Version: presumed}
		list = []endpoint{{e, card.place}}
		r.repair(card.place, "the card has no interface: the url that is set is read as one that speaks %s of A2A %s",
			e.Binding, e.Version)
	}
	var out []schema.Interface
	seen := schema.Interfaces{}
	for _, e := range list {
		if given != "" && e.URL == list[0].URL {
			e.URL = given
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
