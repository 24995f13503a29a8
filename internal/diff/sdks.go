package diff

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// The bindings that A2A defines (1.0, section 5.3).
const (
	jsonRPC  = "JSONRPC"
	grpc     = "GRPC"
	httpJSON = "HTTP+JSON"
)

// Bindings returns them.
func Bindings() []string { return []string{jsonRPC, httpJSON, grpc} }

// sdk is a row of the table of SDKs: how clients of a library choose one of the
// interfaces of a card. It is the only place that knows libraries by name.
type sdk struct {
	name     string
	form     schema.Protocol // whose list of interfaces it reads
	fallback bool            // it reads a card without supportedInterfaces as one of 0.3
	bindings []string        // that a client has which sets none
	folds    bool            // it ignores the case of a binding
	explicit bool            // it ignores a "url" without "preferredTransport"
	apart    bool            // it ignores additionalInterfaces that have the URL in "url"
	typed    bool            // it reads each scheme that has a "type" as 0.3 does, and refuses some
	majors   []string        // versions that it speaks, by major version, the preferred first; nil for any
	pick     func(list []Interface) int
}

// sdks is the table. The choice of each is what its release does when it runs, and the
// function named is where its source does so.
var sdks = []sdk{
	// ClientFactory.createFromNormalizedAgentCard of @a2a-js/sdk 1.3.0: a map by binding.
	{name: "a2a-js 1.3", form: schema.Listed, bindings: []string{jsonRPC, httpJSON}, folds: true, pick: takeLast10},
	// The same with legacyCompat: toCoreAgentCard puts url before additionalInterfaces.
	{
		name: "a2a-js 1.3 with legacyCompat", form: schema.Listed, fallback: true, bindings: []string{jsonRPC, httpJSON},
		folds: true, pick: takeLast10,
	},
	// ClientFactory.create of a2a-sdk 1.1 for Python; a card of 0.3 is read by its compat package.
	{name: "a2a-python 1.1", form: schema.Listed, fallback: true, bindings: []string{jsonRPC}, pick: takeFirst},
	// ClientBuilder.findBestClientTransport of a2a-java 1.x.
	{name: "a2a-java 1.x", form: schema.Listed, bindings: []string{jsonRPC}, pick: takeFirst},
	// A2AClientFactory.Create of A2A for .NET.
	{name: "a2a-dotnet 1.x", form: schema.Listed, bindings: []string{jsonRPC, httpJSON}, folds: true, pick: takeFirst},
	// a2aclient.Factory.selectTransport of a2a-go 2.4: compatible is what has the same major version.
	{
		name: "a2a-go 2.4", form: schema.Listed, bindings: []string{jsonRPC, httpJSON}, majors: []string{"1"},
		pick: takeFirst,
	},
	// The same with a2av0.NewAgentCardParser and the transports of a2av0, whose namedSecuritySchemes
	// looks for a type first, and whose oauth2SecurityScheme counts the members of flows.
	{
		name: "a2a-go 2.4 with a2av0", form: schema.Listed, fallback: true, bindings: []string{jsonRPC, httpJSON},
		explicit: true, apart: true, typed: true, majors: []string{"1", "0"}, pick: takeFirst,
	},
	// ClientFactory.createFromAgentCard of @a2a-js/sdk 0.3.14: a map by transport.
	{name: "a2a-js 0.3", form: schema.Flat, bindings: []string{jsonRPC, httpJSON}, folds: true, pick: takeLast},
	// ClientFactory.create of a2a-sdk 0.3.26 for Python: a dict by transport.
	{name: "a2a-python 0.3", form: schema.Flat, bindings: []string{jsonRPC}, pick: takeLast},
	// ClientBuilder.getServerPreferredTransports of a2a-java 0.3.3: putIfAbsent.
	{name: "a2a-java 0.3", form: schema.Flat, bindings: []string{jsonRPC}, pick: takeFirst},
	// a2aclient.Factory.CreateFromCard of a2a-go 0.3.15.
	{name: "a2a-go 0.3", form: schema.Flat, bindings: []string{jsonRPC, grpc}, explicit: true, pick: takeFirst},
}

func takeFirst([]Interface) int { return 0 }

func takeLast(list []Interface) int { return len(list) - 1 }

// takeLast10 takes the last interface that states exactly "1.0", else the first.
func takeLast10(list []Interface) int {
	for i, e := range slices.Backward(list) {
		if e.Version == "1.0" {
			return i
		}
	}
	return 0
}

// Interface is an interface of a card as clients read it: nothing is repaired.
type Interface struct {
	URL, Binding, Version, Tenant string
	Pointer                       string // RFC 6901, into the document
}

// Answer is what clients of a library make of a card.
type Answer struct {
	SDK       string          // name and version of the library
	Form      schema.Protocol // of the list that they read
	Interface                 // that they call; the URL is "" where they cannot use the card
	Why       string          // they cannot
}

// Answers returns what each library makes of a document, in the order of the table. A
// client that is set to one binding takes no other; "" is one that sets none.
func Answers(document *source.Node, binding string) []Answer {
	listed, flat := listedInterfaces(document), flatInterfaces(document)
	var out []Answer
	for i := range sdks {
		out = append(out, sdks[i].answer(document, listed, flat, binding))
	}
	return out
}

func (s *sdk) answer(document *source.Node, listed, flat []Interface, binding string) Answer {
	a, list := Answer{SDK: s.name, Form: s.form}, listed
	if s.form == schema.Flat || s.fallback && len(listed) == 0 {
		list, a.Form = s.flat(document, flat), schema.Flat
	}
	bindings := s.bindings
	if binding != "" {
		bindings = []string{binding}
	}
	why, usable := wrongScheme(document), s.usable(list, bindings)
	switch {
	case s.typed && why != "":
		a.Why = why
	case len(list) == 0:
		a.Why = "the card lists no interface for A2A " + s.form.String()
	case len(usable) == 0:
		a.Why = "no interface has a binding and a version that it supports"
	default:
		a.Interface = usable[s.pick(usable)]
	}
	return a
}

// wrongScheme returns what is wrong with a scheme that has a type, "" for nothing: an
// unknown type, or flows that are not exactly one that 0.3 defines.
func wrongScheme(document *source.Node) string {
	for _, scheme := range document.Get("securitySchemes").Fields() {
		kind, flows := schema.SchemeType(scheme.Value.Get("type").Word()), scheme.Value.Get("flows").Fields()
		if kind != "" && !slices.Contains(schema.SchemeTypes(), kind) {
			return "it knows no security scheme of type " + diag.Quote(string(kind))
		}
		for _, f := range flows {
			if kind == schema.OAuth2 && !slices.Contains(schema.FlowTypes(), schema.FlowType(f.Key)) {
				return "it knows no OAuth flow " + diag.Quote(f.Key)
			}
		}
		if kind == schema.OAuth2 && len(flows) != 1 {
			return "it reads one OAuth flow of a scheme, but " + diag.Quote(scheme.Key) + " has " + strconv.Itoa(len(flows))
		}
	}
	return ""
}

// typed are the names of the libraries that read each scheme that has a type as 0.3 does.
func typed() (names []string) {
	for i := range sdks {
		if sdks[i].typed {
			names = append(names, sdks[i].name)
		}
	}
	return names
}

// flat returns the interfaces of 0.3 that the library reads.
func (s *sdk) flat(document *source.Node, list []Interface) []Interface {
	url, unnamed := document.Get("url").Word(), document.Get("preferredTransport").Word() == ""
	return slices.DeleteFunc(slices.Clone(list), func(e Interface) bool {
		if e.Pointer == "/url" {
			return s.explicit && unnamed
		}
		return s.apart && e.URL == url
	})
}

// usable returns the interfaces of one binding that clients choose from: the binding of the
// first interface which they can use.
func (s *sdk) usable(list []Interface, bindings []string) []Interface {
	same := func(a, b string) bool { return a == b || s.folds && strings.EqualFold(a, b) }
	list = slices.DeleteFunc(slices.Clone(list), func(e Interface) bool {
		return e.URL == "" || !slices.ContainsFunc(bindings, func(b string) bool { return same(b, e.Binding) })
	})
	if s.majors != nil {
		list = newest(list, s.majors)
	}
	return slices.DeleteFunc(list, func(e Interface) bool { return !same(e.Binding, list[0].Binding) })
}

// newest returns the interfaces of the first of some major versions that has any.
func newest(list []Interface, majors []string) []Interface {
	for _, major := range majors {
		another := func(e Interface) bool { return !strings.HasPrefix(e.Version+".", major+".") }
		some := slices.DeleteFunc(slices.Clone(list), another)
		if len(some) > 0 {
			return some
		}
	}
	return nil
}

// listedInterfaces reads the interfaces of 1.0.
func listedInterfaces(document *source.Node) []Interface {
	const name = "supportedInterfaces"
	var list []Interface
	for i, n := range document.Get(name).Elements() {
		list = append(list, Interface{
			URL: n.Get("url").Word(), Binding: n.Get("protocolBinding").Word(),
			Version: n.Get("protocolVersion").Word(), Tenant: n.Get("tenant").Word(),
			Pointer: "/" + name + "/" + strconv.Itoa(i),
		})
	}
	return list
}

// flatInterfaces reads the interfaces of 0.3: "url", and what stands next to it.
func flatInterfaces(document *source.Node) []Interface {
	const name = "additionalInterfaces"
	version := cmp.Or(document.Get("protocolVersion").Word(), schema.Flat.String())
	var list []Interface
	if url := document.Get("url").Word(); url != "" {
		binding := cmp.Or(document.Get("preferredTransport").Word(), jsonRPC) // 0.3, section 5.5
		list = append(list, Interface{URL: url, Binding: binding, Version: version, Pointer: "/url"})
	}
	for i, n := range document.Get(name).Elements() {
		list = append(list, Interface{
			URL: n.Get("url").Word(), Binding: n.Get("transport").Word(), Version: version,
			Pointer: "/" + name + "/" + strconv.Itoa(i),
		})
	}
	return list
}
