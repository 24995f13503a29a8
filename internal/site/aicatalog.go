package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// The format is that of specification/ai-catalog.md of
// https://github.com/Agent-Card/ai-catalog at commit
// be6803f6fb60a57417364c05a452ab5ef53a1d8d (October 2026), conformance level 2.
// It is a draft, and all that is known of it is in this file and in
// schema/ai-catalog.schema.json:
//
//   - An entry has type instead of mediaType since May 2026, and digest since that
//     autumn.
//   - identifier has had the form of [Identifier] since May 2026. The working
//     group is about to move to urn:air:PUBLISHER:NAME[:KIND], with slashes in
//     NAME (pull request 138, November 2026).
//   - displayName, description and version should be left out where the artifact
//     has them, as cards of agents and of MCP servers do. Lighthouse up to 13.5
//     wants them all the same: the page sends it to ard.json, which has them.
//   - A SKILL.md is application/agent-skills+md (pull request 78, August 2026). It
//     is served as text/markdown, as the index of skills wants it, until the type
//     is registered.
//   - updatedAt is never written: the same input makes the same bytes.
const (
	// MediaType is what a catalog should be served as.
	MediaType = "application/ai-catalog+json"
	// DefaultNamespace is that of agents for which none is given.
	DefaultNamespace = "agent"

	specVersion = "1.0"
	cardType    = "application/a2a-agent-card+json"
)

// Identifier names an agent for all catalogs: urn:air:PUBLISHER:NAMESPACE:NAME.
// What a segment of a URN cannot hold (RFC 8141 section 2) is percent-encoded
// in the name; [PublisherFault] and [NamespaceFault] say what the others hold.
func Identifier(publisher, namespace, name string) string {
	return "urn:air:" + publisher + ":" + namespace + ":" + escape(name)
}

// escape percent-encodes all but the unreserved characters of RFC 3986.
func escape(segment string) string {
	var b strings.Builder
	for i := range len(segment) {
		if c := segment[i]; plain(c, "-._~") {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// plain reports whether c is an ASCII letter, a digit or one of the others.
func plain(c byte, others string) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(others, c) >= 0
}

// PublisherFault says what makes a text unfit as the publisher of an identifier,
// "" when nothing does. It has to be a domain name as DNS has it.
func PublisherFault(publisher string) string {
	if len(publisher) > 253 {
		return "is longer than a domain name can be"
	}
	for label := range strings.SplitSeq(publisher, ".") {
		switch {
		case label == "":
			return "has an empty label"
		case len(label) > 63:
			return "has a label of more than 63 characters"
		case label[0] == '-' || label[len(label)-1] == '-':
			return "has a label with a hyphen at its end"
		}
		for i := range len(label) {
			if !plain(label[i], "-") {
				return "has characters that no domain name has"
			}
		}
	}
	return ""
}

// NamespaceFault says what makes a text unfit as the namespace of an identifier,
// "" when nothing does.
func NamespaceFault(namespace string) string {
	for segment := range strings.SplitSeq(namespace, ":") {
		if segment == "" {
			return "has an empty segment"
		}
		for i := range len(segment) {
			if !plain(segment[i], "-._") {
				return "has characters that no identifier has"
			}
		}
	}
	return ""
}

// AICatalog returns the catalog of the site, entries sorted by identifier. A
// card whose URL is unknown is embedded; one that cannot be is a finding of the
// rule catalog-embed. With Inline, so is each card that the site publishes.
func (s Site) AICatalog() ([]byte, diag.List) {
	if s.Inline {
		s.Agents = slices.Clone(s.Agents)
		for i := range s.Agents {
			s.Agents[i].URL = ""
		}
		s.Servers = slices.Clone(s.Servers)
		for i := range s.Servers {
			s.Servers[i].Written = false
		}
	}
	var entries []*source.Node
	all, found := s.entries()
	for _, e := range all {
		entries = append(entries, e.Node)
	}
	return s.catalog(recommended(sorted(entries))), found
}

// recommended leaves of entries that are sorted what the specification of the AI Catalog
// recommends: what the artifact says of itself is not said again, but for the version
// where two entries have one identifier.
func recommended(entries []*source.Node) []*source.Node {
	id := func(i int) string {
		if i < 0 || i == len(entries) {
			return ""
		}
		return entries[i].Get("identifier").Word()
	}
	for i, e := range entries {
		left := []string{"capabilities", "representativeQueries"} // which are of ARD
		switch kind := e.Member("type").Value; kind.Text {
		case plainSkillDoc:
			*kind = *source.NewText(skillMarkdown)
		case cardType, serverCardType:
			left = append(left, "displayName", "description")
			if id(i) != id(i-1) && id(i) != id(i+1) {
				left = append(left, "version")
			}
		}
		e.Members = slices.DeleteFunc(e.Members, func(m source.Member) bool { return slices.Contains(left, m.Key) })
	}
	return entries
}

// entry is an entry of a catalog, and what findings about it point at.
type entry struct {
	*source.Node
	what string // "agent \"billing\""
	span diag.Span
	hint string // what gives it queries
}

// entries are those of the catalogs of the site.
func (s Site) entries() ([]entry, diag.List) {
	var found diag.List
	var entries []entry
	for _, a := range s.Agents {
		node, faults := newEntry(s.identifier(a), a)
		describe(node, a.Card, a.QueryTexts())
		entries = append(entries, entry{
			node, "agent " + diag.Quote(a.ID), a.Span,
			"add 2 to 5 queries to it, or examples to its skills",
		})
		found = append(found, faults...)
	}
	for _, skill := range s.Skills.Skills {
		if node := s.skillEntry(skill); node != nil {
			entries = append(entries, entry{
				node, "skill " + diag.Quote(skill.Name), skill.Span,
				"add 2 to 5 examples to it, with metadata.a2a-examples",
			})
		}
	}
	for _, server := range s.Servers {
		node, faults := s.serverEntry(server)
		if found = append(found, faults...); node != nil {
			entries = append(entries, entry{
				node, "the MCP server " + diag.Quote(server.Name), server.Span,
				"add 2 to 5 queries to it",
			})
		}
	}
	for _, other := range s.Nested {
		entries = append(entries, entry{
			s.nestedEntry(other), "the " + other.Kind + " " + diag.Quote(other.ID), other.Span,
			"add 2 to 5 queries to it",
		})
	}
	return entries, found
}

// catalog writes a catalog with these entries.
func (s Site) catalog(entries []*source.Node) []byte {
	return schema.Write(source.ObjectOf(
		"specVersion", specVersion,
		"host", source.ObjectOf(
			"displayName", cmp.Or(s.Host.Name, s.Host.Publisher),
			"identifier", s.Host.Publisher,
		),
		"entries", source.ArrayOf(sorted(entries)...),
	))
}

// sorted orders entries by identifier and version.
func sorted(entries []*source.Node) []*source.Node {
	slices.SortStableFunc(entries, func(a, b *source.Node) int {
		return cmp.Or(
			cmp.Compare(a.Get("identifier").Word(), b.Get("identifier").Word()),
			cmp.Compare(a.Get("version").Word(), b.Get("version").Word()))
	})
	return entries
}

func newEntry(identifier string, a Agent) (*source.Node, diag.List) {
	var found diag.List
	var card *source.Node // where its URL is unknown, so that the catalog has to hold it
	digest := digestText(a.Data)
	if a.URL == "" {
		var fault string
		if card, digest, fault = canonical(a.Data); fault != "" {
			d := diag.New("catalog-embed", a.Span, "the card of %q cannot be embedded into the catalog: %s", a.ID, fault)
			found = append(found, d.WithHint("publish it, and set its URL"))
		}
	}
	return source.ObjectOf(
		"identifier", identifier,
		"displayName", a.Card.Name,
		"description", a.Card.Description,
		"type", cardType,
		"url", a.URL,
		"data", card,
		"digest", digest,
		"version", a.Card.Version,
		"tags", a.Tags(),
	), found
}

// kindIdentifier names what is not an agent: urn:air:PUBLISHER:NAMESPACE:KIND:NAME,
// or without the namespace where none was given. No agent has such a name.
func (s Site) kindIdentifier(kind, name string) string {
	if s.Host.Namespace != "" {
		kind = s.Host.Namespace + ":" + kind
	}
	return Identifier(s.Host.Publisher, kind, name)
}

func (s Site) identifier(a Agent) string {
	return Identifier(cmp.Or(a.Publisher, s.Host.Publisher), cmp.Or(s.Host.Namespace, DefaultNamespace), a.ID)
}

// canonical reads a card that is to be embedded, and digests its canonical form, since
// others may write the catalog anew.
func canonical(data []byte) (card *source.Node, digest, fault string) {
	card, found := source.ParseJSON("", data, source.Limits{Card: len(data) + 1})
	var form []byte
	if found.Worst() < diag.Error {
		form, found = sign.Canonical(card)
	}
	if found.Worst() == diag.Error {
		return nil, "", found[0].Message
	}
	return card, digestText(form), ""
}

// digestText is the digest of data as the specification spells digests.
func digestText(data []byte) string { return "sha256:" + tree.DigestOf(data).String() }
