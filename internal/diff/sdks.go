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
	bindings []string        // that a client has which sets none
	pick     func(list []Interface) int
	fallback bool     // it reads a card without supportedInterfaces as one of 0.3
	folds    bool     // it ignores the case of a binding
	explicit bool     // it ignores a "url" without "preferredTransport"
	apart    bool     // it ignores additionalInterfaces that have the URL in "url"
	typed    bool     // it reads each scheme that has a "type" as 0.3 does, and refuses some
	majors   []string // versions that it speaks, by major version, the preferred first; nil for any
}

// sdks returns the table. The choice of each is what its release does when it runs, and
// the function named is where its source does so.
func sdks() []sdk {
	rpc, both := []string{jsonRPC}, []string{jsonRPC, httpJSON}
	return []sdk{
		// ClientFactory.createFromNormalizedAgentCard of @a2a-js/sdk 1.3.0: a map by binding.
		{name: "a2a-js 1.3", form: schema.V10, bindings: both, pick: last10, folds: true},
		// The same with legacyCompat: toCoreAgentCard puts url before additionalInterfaces.
		{
			name: "a2a-js 1.3 with legacyCompat", form: schema.V10, bindings: both, pick: last10, fallback: true, folds: true,
		},
		// ClientFactory.create of a2a-sdk 1.1 for Python; a card of 0.3 is read by its compat package.
		{name: "a2a-python 1.1", form: schema.V10, bindings: rpc, pick: first, fallback: true},
		// ClientBuilder.findBestClientTransport of a2a-java 1.x.
		{name: "a2a-java 1.x", form: schema.V10, bindings: rpc, pick: first},
		// A2AClientFactory.Create of A2A for .NET.
		{name: "a2a-dotnet 1.x", form: schema.V10, bindings: both, pick: first, folds: true},
		// a2aclient.Factory.selectTransport of a2a-go 2.4: compatible is what has the same major version.
		{name: "a2a-go 2.4", form: schema.V10, bindings: both, pick: first, majors: []string{"1"}},
		// The same with a2av0.NewAgentCardParser and the transports of a2av0, whose namedSecuritySchemes
		// looks for a type first, and whose oauth2SecurityScheme counts the members of flows.
		{
			name: "a2a-go 2.4 with a2av0", form: schema.V10, bindings: both, pick: first, fallback: true,
			explicit: true, apart: true, typed: true, majors: []string{"1", "0"},
		},
		// ClientFactory.createFromAgentCard of @a2a-js/sdk 0.3.14: a map by transport.
		{name: "a2a-js 0.3", form: schema.V03, bindings: both, pick: last, folds: true},
		// ClientFactory.create of a2a-sdk 0.3.26 for Python: a dict by transport.
		{name: "a2a-python 0.3", form: schema.V03, bindings: rpc, pick: last},
		// ClientBuilder.getServerPreferredTransports of a2a-java 0.3.3: putIfAbsent.
		{name: "a2a-java 0.3", form: schema.V03, bindings: rpc, pick: first},
		// a2aclient.Factory.CreateFromCard of a2a-go 0.3.15.
		{name: "a2a-go 0.3", form: schema.V03, bindings: []string{jsonRPC, grpc}, pick: first, explicit: true},
	}
}

func first([]Interface) int { return 0 }

func last(list []Interface) int { return len(list) - 1 }

// last10 is the last interface that states exactly "1.0", else the first.
func last10(list []Interface) int {
	for i, e := range slices.Backward(list) {
		if e.Version == "1.0" {
			return i
		}
	}
	return 0
}

// Interface is an interface of a card as clients read it: nothing is repaired.
type Interface struct {
	URL, Binding, Version string
	Pointer               string // RFC 6901, into the document
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
	why, all, older := wrongScheme(document), listed(document, "supportedInterfaces", "protocolBinding"), flat(document)
	var out []Answer
	for _, s := range sdks() {
		a, list := Answer{SDK: s.name, Form: s.form}, all
		if s.form == schema.Flat || s.fallback && len(all) == 0 {
			list, a.Form = s.flat(document, older), schema.Flat
		}
		usable := s.usable(list, binding)
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
		out = append(out, a)
	}
	return out
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

// typedSDKs names the libraries that read each scheme that has a type as 0.3 does.
func typedSDKs() string {
	var names []string
	for _, s := range sdks() {
		if s.typed {
			names = append(names, s.name)
		}
	}
	return diag.Enumerate(names, "and")
}

// flat returns the interfaces of 0.3 that the library reads.
func (s *sdk) flat(document *source.Node, list []Interface) []Interface {
	url, unnamed := document.Get("url").Word(), document.Get("preferredTransport").Word() == ""
	return only(list, func(e Interface) bool {
		if e.Pointer == "/url" {
			return !s.explicit || !unnamed
		}
		return !s.apart || e.URL != url
	})
}

// usable returns the interfaces that clients choose from: of the first major version that
// they speak and there is, the ones with the same binding as the first that they can use.
func (s *sdk) usable(list []Interface, binding string) []Interface {
	bindings := s.bindings
	if binding != "" {
		bindings = []string{binding}
	}
	same := func(a, b string) bool { return a == b || s.folds && strings.EqualFold(a, b) }
	list = only(list, func(e Interface) bool {
		return e.URL != "" && slices.ContainsFunc(bindings, func(b string) bool { return same(b, e.Binding) })
	})
	var spoken []Interface
	for _, major := range s.majors {
		if len(spoken) == 0 {
			spoken = only(list, func(e Interface) bool { return strings.HasPrefix(e.Version+".", major+".") })
		}
	}
	if s.majors != nil {
		list = spoken
	}
	return only(list, func(e Interface) bool { return same(e.Binding, list[0].Binding) })
}

func only(list []Interface, wanted func(Interface) bool) (out []Interface) {
	for _, e := range list {
		if wanted(e) {
			out = append(out, e)
		}
	}
	return out
}

// listed reads a list of interfaces, whose bindings have a name of their own in each version.
func listed(document *source.Node, name, binding string) (list []Interface) {
	for i, n := range document.Get(name).Elements() {
		list = append(list, Interface{
			URL: n.Get("url").Word(), Binding: n.Get(binding).Word(), Version: n.Get("protocolVersion").Word(),
			Pointer: "/" + name + "/" + strconv.Itoa(i),
		})
	}
	return list
}

// flat reads the interfaces of 0.3: "url", and what stands next to it.
func flat(document *source.Node) (list []Interface) {
	if url := document.Get("url").Word(); url != "" {
		binding := cmp.Or(document.Get("preferredTransport").Word(), jsonRPC) // 0.3, section 5.5
		list = append(list, Interface{URL: url, Binding: binding, Pointer: "/url"})
	}
	list = append(list, listed(document, "additionalInterfaces", "transport")...)
	for i := range list {
		list[i].Version = cmp.Or(document.Get("protocolVersion").Word(), schema.Flat.String())
	}
	return list
}
