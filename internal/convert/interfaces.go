package convert

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readInterfaces reads the endpoints of a card: the list of 1.0, else the url of
// 0.3 and those beside it, else a URL that stands somewhere else.
func readInterfaces(r *reader, card *members) []schema.Interface {
	claim := card.take("protocolVersion")
	old := readInterfaces03(r, card)
	list := readEntries(r, card, claim)
	switch {
	case len(list) > 0:
		r.Listed = true
		compareEndpoints(r, card, list, old, claim)
	case len(old) > 0:
		list = old
		r.only = schema.Flat
		reportDefaultTransport(r, card)
		judgeEndpoints(r, claim)
	default:
		list = elsewhere(r, card, claim)
	}
	return located(r, card, list)
}

// endpoint is an interface and the place it was read from.
type endpoint struct {
	schema.Interface
	at place
}

// readEntries reads supportedInterfaces.
func readEntries(r *reader, card *members, claim place) []endpoint {
	var list []endpoint
	p := card.take("supportedInterfaces")
	if claimed := majorMinor(claim.Node.Word()); claimed == schema.Flat.String() && card.Node.HasAny(FlatMembers()...) {
		claim = place{} // it is about the url of the card, as 0.3 has it
	}
	presumeVersion(r, p, claim)
	for entry := range eachInterface(r, p) {
		if e, ok := readEntry(r, entry); ok {
			list = append(list, e)
		}
	}
	return list
}

// eachInterface iterates over a list, or over the one value that stands where a list
// belongs.
func eachInterface(r *reader, p place) func(yield func(place) bool) {
	return func(yield func(place) bool) {
		switch {
		case p.Node.Is(source.Array):
			for item := range p.List() {
				if !yield(item) {
					return
				}
			}
		case p.There():
			r.repair(p, "%s is not in a list; it is read as a list of one", p.Node.Kind.Article())
			yield(p)
		}
	}
}

// readEntry reads an entry of supportedInterfaces, and returns false for one that
// is no way to reach the agent by A2A.
func readEntry(r *reader, p place) (endpoint, bool) {
	if what := otherProtocol(p); what != "" {
		r.drop(p, "the interface is %s, not A2A, and is left out", what)
		return endpoint{}, false
	}
	e, m, ok := readEndpoint(r, p, "protocolBinding")
	if ok {
		e.Version = readVersion(r, m.take("protocolVersion", "version"))
		e.Extra = m.rest("interfaces")
	}
	return e, ok
}

// readEntry03 reads an entry of additionalInterfaces.
func readEntry03(r *reader, p place) (endpoint, bool) {
	e, m, ok := readEndpoint(r, p, "transport")
	if ok {
		e.Version = schema.Flat.String()
		if stated := m.take("protocolVersion", "version"); stated.There() {
			e.Version = readVersion(r, stated)
		}
		e.Extra = m.rest("interfaces")
	}
	return e, ok
}

// readEndpoint reads what an interface has in both versions; binding is what its
// version calls the protocol binding.
func readEndpoint(r *reader, p place, binding string) (endpoint, *members, bool) {
	if !p.Node.Is(source.Object) {
		r.drop(p, "%s is not an interface and is left out", p.Node.Kind.Article())
		return endpoint{}, nil, false
	}
	m := r.take(p)
	e := endpoint{at: p}
	if e.URL = r.spelled(m.take("url", "uri", "endpoint")); e.URL == "" {
		r.drop(p, "the interface has no url and is left out")
		return endpoint{}, nil, false
	}
	e.Binding = readBinding(r, m.take(binding, "protocolBinding", "transport", "protocol", "type", "binding"))
	readPlain(r, m, schema.InterfaceMessage, &e.Interface, "url", "protocolBinding", "transport", "protocolVersion")
	return e, m, true
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
	for _, key := range []string{"protocolVersion", "version"} {
		if said := entry.At(key).Node.Word(); dated().MatchString(said) {
			return "of version " + diag.Quote(said)
		}
	}
	return ""
}

var (
	dated = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)
	})
	versions = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[vV]?(0|[1-9]\d*)(\.(0|[1-9]\d*))?(\.\d+)?$`)
	})
)

// presumption is the version that an endpoint without one is assumed to speak,
// and its wording in messages.
type presumption struct{ version, said string }

func presume(version, why string) presumption {
	return presumption{version, strconv.Quote(version) + " is assumed" + why}
}

// presumeVersion settles assumptions about the entries of a list that state no
// version: the one that the card is read for, unless that would tear them from
// entries that all state another, then what the card claims, then 1.0.
func presumeVersion(r *reader, list, claim place) {
	claimed := majorMinor(claim.Node.Word())
	newer := slices.ContainsFunc(list.Node.Elements(), func(e *source.Node) bool {
		v := majorMinor(cmp.Or(e.Get("protocolVersion").Word(), e.Get("version").Word()))
		return v != "" && v != schema.Flat.String()
	})
	switch {
	case r.To == schema.Flat && newer:
		r.presumed = presume(schema.Assumed.String(), ", as of the others")
	case len(r.To.Versions()) == 1:
		r.presumed = presume(r.To.String(), ", the version asked for")
	case claimed != "":
		r.presumed = presume(claimed, ", which the card claims")
	default:
		r.presumed = presume(schema.Assumed.String(), "")
	}
}

// readVersion reads the protocol version of an interface, as MAJOR.MINOR.
func readVersion(r *reader, p place) string {
	if !p.There() {
		r.assume(p, "the interface has no protocol version, %s", r.presumed.said)
		return r.presumed.version
	}
	said := r.spelled(p)
	v := majorMinor(said)
	switch {
	case v == "":
		v = r.presumed.version
		r.assume(p, "%s is not a version of A2A, %s", diag.Quote(said), r.presumed.said)
	case v != said:
		r.repair(p, "the protocol version %s is read as %q", diag.Quote(said), v)
	}
	return v
}

// majorMinor returns a version as an interface states it, "" when it is none.
// All that came before 0.3 is read as that.
func majorMinor(said string) string {
	m := versions().FindStringSubmatch(said)
	switch {
	case m == nil:
		return ""
	case m[1] == "0":
		return schema.Flat.String()
	case m[3] == "":
		return m[1] + ".0"
	}
	return m[1] + "." + m[3]
}

// readBinding reads a protocol binding. An unknown one stays unchanged.
func readBinding(r *reader, p place) string {
	said := r.spelled(p)
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
