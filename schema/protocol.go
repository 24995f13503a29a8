package schema

import (
	"cmp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Protocol is a set of versions of A2A: those whose clients can read a card.
type Protocol uint16

// The versions. A new one stands here, in one of the two families below, and in
// the table; what its members are stands in the table of members.
const (
	V03 Protocol = 1 << iota
	V10

	Known = iota // how many there are
)

// The families, and sets that have names of their own.
const (
	// Flat versions name one endpoint at the top of the card and others beside
	// it, and write a scheme with its type and any number of flows (0.3, 5.5).
	Flat = V03
	// Listed versions have a list of interfaces, each with its version, and wrap
	// a scheme, which has one flow, in a member of its type (1.0, 4.4 and 4.5).
	Listed = V10

	All  = Flat | Listed
	Dual = V03 | V10

	// Assumed is the version of a card or an endpoint that states none.
	Assumed = V10
)

// version is what there is to know of one version but for its members.
type version struct {
	protocol    Protocol
	name        string // as interfaces state it
	requirement string // how it writes a security requirement, for a hint
}

// versions is the table, the newest first.
var versions = []version{
	{V10, "1.0", `A2A 1.0 writes {"schemes": {"NAME": {"list": []}}}`},
	{V03, "0.3", `A2A 0.3 writes {"NAME": []}`},
}

// claim03 is what a card for 0.3 clients says about itself at the top.
const claim03 = "0.3.0"

// Versions returns the versions in a set, the newest first.
func (p Protocol) Versions() []Protocol {
	var list []Protocol
	for _, v := range versions {
		if p&v.protocol != 0 {
			list = append(list, v.protocol)
		}
	}
	return list
}

// Has reports whether two sets have a version in common.
func (p Protocol) Has(q Protocol) bool { return p&q != 0 }

// String returns the name of the set, which [ParseProtocol] reads: the name of the
// version, dual for one of each family, "" for none.
func (p Protocol) String() string {
	if p == Dual {
		return "dual"
	}
	return strings.Join(p.names(), "+")
}

// Text names the versions of the set in a sentence: 1.0 and 0.3.
func (p Protocol) Text() string { return diag.Enumerate(p.names(), "and") }

func (p Protocol) names() []string {
	var names []string
	for _, v := range versions {
		if p&v.protocol != 0 {
			names = append(names, v.name)
		}
	}
	return names
}

// Protocols returns the names that [ParseProtocol] knows.
func Protocols() []string { return append(All.names(), Dual.String()) }

// ParseProtocol reads the name of a version, or dual.
func ParseProtocol(name string) (Protocol, bool) {
	if name == Dual.String() {
		return Dual, true
	}
	p := named(name)
	return p, p != 0
}

// named returns the version of a name, 0 where there is none.
func named(name string) Protocol {
	i := slices.IndexFunc(versions, func(v version) bool { return v.name == name })
	if i < 0 {
		return 0
	}
	return versions[i].protocol
}

// Speaks returns the version that an interface states. An unknown one
// has the form of the first listed one.
func (i Interface) Speaks() Protocol {
	return cmp.Or(named(PlainVersion(i.Version)), Assumed)
}

// PlainVersion returns a version of A2A without the number of a patch, which means
// nothing to clients (1.0, 3.6). Any other text stays unchanged.
func PlainVersion(text string) string {
	parts := strings.Split(text+".0", ".")
	if slices.ContainsFunc(parts, func(s string) bool { return s == "" || strings.Trim(s, "0123456789") != "" }) {
		return text
	}
	return parts[0] + "." + parts[1]
}

// Protocol returns the form of the card, from the versions of its interfaces.
// A card without interfaces is 1.0.
func (c *Card) Protocol() Protocol {
	var p Protocol
	for _, i := range c.Interfaces {
		p |= i.Speaks()
	}
	return cmp.Or(p, Assumed)
}

// Stated returns the versions that the interfaces of a card in the form of a
// listed version state, as far as they are known.
func Stated(card *source.Node) Protocol {
	var p Protocol
	for _, entry := range card.Get("supportedInterfaces").Elements() {
		p |= named(entry.Get("protocolVersion").Word())
	}
	return p
}

// Pair reports whether two cards are one agent for two families of versions: the
// first for listed versions alone, the second for flat ones.
func Pair(listed, flat *source.Node) bool {
	same := func(key string) bool {
		a, b := listed.Get(key), flat.Get(key)
		return a.Is(source.String) && b.Is(source.String) && a.Text == b.Text
	}
	return listed.Get("supportedInterfaces") != nil && listed.Get("url") == nil &&
		flat.Get("url") != nil && flat.Get("supportedInterfaces") == nil && same("name") && same("version")
}
