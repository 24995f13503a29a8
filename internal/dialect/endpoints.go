package dialect

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// interfaces03 reads the url of the card, its transport and the interfaces
// beside it, as 0.3 has them (sections 5.5.5 and 5.6).
func (r *reader) interfaces03(card *members) []endpoint {
	var list []endpoint
	p, transport := card.take("url"), r.transport(card)
	if url := r.spelled(p); url != "" {
		list = append(list, endpoint{schema.Interface{URL: url, Binding: transport, Version: schema.V03.String()}, p})
	} else if p := card.get("preferredTransport"); p.there() {
		r.repair(p, "preferredTransport says nothing without a url and is left out")
	}
	for entry := range r.each(card.take("additionalInterfaces")) {
		e, ok := r.entry03(entry)
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

// transport reads what the url of a 0.3 card speaks: JSONRPC, where the card
// says nothing else.
func (r *reader) transport(card *members) string {
	p := card.take("preferredTransport")
	if !p.there() && card.Get("url") != nil && schema.BindingMeant(card.get("transport").word()) != "" {
		p = card.take("preferredTransport", "transport")
	}
	if p.there() && !p.Empty() {
		return r.binding(p)
	}
	if card.Get("supportedInterfaces") == nil && card.Get("url") != nil {
		r.repair(p, "the card states no preferredTransport, which means JSONRPC; some clients ignore the url without it")
	}
	return "JSONRPC"
}

// judge tells what the card claims if it is not what its shape, that of 0.3,
// says.
func (r *reader) judge(claim place) {
	said := claim.word()
	v := majorMinor(said)
	switch {
	case !claim.there() || claim.Empty():
		r.repair(claim, "the card states no protocolVersion, its shape is that of 0.3")
	case v == "":
		r.repair(claim, "%s is no version of A2A, the shape of the card is that of 0.3", shown(claim.Node))
	case v != schema.V03.String():
		r.report("card-version-claim", claim, "", "the card claims version %s but has the shape of 0.3, the shape counts", diag.Quote(said))
	case !strings.HasPrefix(said, schema.V03.String()):
		r.repair(claim, "version %s is read as 0.3, which has the same shape", diag.Quote(said))
	}
}

// compare tells where the members of 0.3 say something else than the list of
// 1.0, which counts.
func (r *reader) compare(list, old []endpoint, claim place) {
	exact, known, speaks03 := map[schema.Interface]bool{}, map[string]bool{}, false
	for _, e := range list {
		exact[schema.Interface{URL: e.URL, Binding: e.Binding, Version: e.Version}] = true
		known[e.URL] = true
		speaks03 = speaks03 || e.Version == schema.V03.String()
	}
	for _, e := range old {
		switch {
		case exact[schema.Interface{URL: e.URL, Binding: e.Binding, Version: e.Version}]:
		case known[e.URL]:
			r.repair(e.at, "supportedInterfaces lists %s for another version or binding than the members of 0.3, the list counts", diag.Quote(e.URL))
		default:
			r.drop(e.at, "supportedInterfaces does not list %s, which is left out: the list counts", diag.Quote(e.URL))
		}
	}
	if claim.there() && !speaks03 {
		r.repair(claim, "protocolVersion at the top level is for 0.3 clients, and no interface is: it is left out")
	}
	if !speaks03 {
		r.only = schema.V10
	}
}

// elsewhere looks for a URL in members that are no part of A2A.
func (r *reader) elsewhere(card *members, claim place) []endpoint {
	if r.Set["url"] != "" {
		return nil
	}
	for _, name := range []string{"a2aEndpoint", "endpoint", "serviceUrl", "uri"} {
		for _, key := range []string{name, snake(name)} {
			if p := card.get(key); isAddress(p.word()) {
				card.mark(key)
				return r.found(p, claim)
			}
		}
	}
	endpoints := card.get("endpoints")
	if isAddress(endpoints.word()) {
		card.mark("endpoints")
		return r.found(endpoints, claim)
	}
	for _, key := range []string{"a2a", "jsonrpc", "url", "base_url", "baseUrl"} {
		if p := endpoints.get(key); isAddress(p.word()) {
			return r.found(p, claim)
		}
	}
	for _, entry := range endpoints.items() {
		if p := address(entry); isAddress(p.word()) && otherProtocol(entry) == "" {
			return r.found(p, claim)
		}
	}
	for _, entry := range endpoints.items() {
		if p := address(entry); p.word() != "" && otherProtocol(entry) == "" {
			r.instead["url"] = fmt.Sprintf(": %s in endpoints names no host", diag.Quote(p.Text))
			break
		}
	}
	return nil
}

// address returns where an entry of endpoints says that it is: the entry itself
// where it is a text.
func address(entry place) place {
	if entry.Is(source.String) {
		return entry
	}
	for _, key := range []string{"url", "uri", "endpoint", "address", "href", "path"} {
		if p := entry.get(key); p.word() != "" {
			return p
		}
	}
	return place{}
}

// isAddress tells whether a text can be where an agent is reached: a URL, or
// what a URL is to be made of.
func isAddress(s string) bool {
	return strings.Contains(s, "://") || strings.HasPrefix(s, "${") || strings.HasPrefix(s, "{")
}

// found returns the endpoint at a URL that stands where A2A does not look.
func (r *reader) found(p, claim place) []endpoint {
	e := endpoint{schema.Interface{URL: p.Text, Binding: "JSONRPC", Version: cmp.Or(majorMinor(claim.word()), "1.0")}, p}
	r.assume(p, "the card has no url, %s is assumed, and that it speaks %s of A2A %s", diag.Quote(e.URL), e.Binding, e.Version)
	return []endpoint{e}
}

// located returns the interfaces, each once, and notes their places. A url that
// was set takes the place of the preferred one.
func (r *reader) located(card *members, list []endpoint) []schema.Interface {
	if given := r.Set["url"]; given != "" {
		if len(list) == 0 {
			list = []endpoint{{schema.Interface{Binding: "JSONRPC", Version: "1.0"}, card.place}}
		}
		for i, preferred := 0, list[0].URL; i < len(list); i++ {
			if list[i].URL == preferred {
				list[i].URL = given
			}
		}
	}
	var out []schema.Interface
	seen := map[schema.Interface]bool{}
	for _, e := range list {
		key := e.Interface
		key.Extra = nil
		if seen[key] {
			r.repair(e.at, "the interface %s is listed twice, once is enough", diag.Quote(e.URL))
			continue
		}
		seen[key] = true
		r.places["/supportedInterfaces/"+strconv.Itoa(len(out))] = e.at.span
		out = append(out, e.Interface)
	}
	return out
}
