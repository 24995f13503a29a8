package lint

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
)

// The rules about catalogs are those of Agentic Resource Discovery 0.91:
// spec/ard.md and conformance/bin/conformance-test of
// github.com/ards-project/ard-spec, of August 2026.

var ardChecks = []check{
	{"ard-artifact", 0, ardArtifact},
	{"ard-entries", 0, ardEntries},
	{"ard-identifier", 0, ardIdentifier},
	{"ard-member", 0, ardMember},
	{"ard-name", 0, ardName},
	{"ard-queries", 0, ardQueries},
	{"ard-type", 0, ardType},
}

// IsCatalog tells a catalog, such as ard.json, from a card.
func IsCatalog(root *source.Node) bool {
	if root.Get("entries") == nil {
		return false
	}
	return !slices.ContainsFunc([]string{"name", "skills", "url", "supportedInterfaces"},
		func(key string) bool { return root.Get(key) != nil })
}

// entries are the entries of a catalog that are objects.
func (c *card) entries() func(yield func(place) bool) {
	return func(yield func(place) bool) {
		for e := range c.root.At("entries").List() {
			if e.Is(source.Object) && !yield(e.Anchored()) {
				return
			}
		}
	}
}

// entry is how messages call an entry: by its identifier.
func entry(e place) string {
	if id := e.At("identifier").Word(); id != "" {
		return "the entry " + quote(id)
	}
	return "the entry"
}

func ardEntries(c *card) {
	entries := c.root.At("entries")
	switch {
	case entries.Node == nil:
		c.find(entries, "add entries: the list of agents, skills and servers", "the catalog has no entries")
	case !entries.Is(source.Array):
		c.find(entries, "", "entries is %s, a catalog has an array there", entries.Kind.Article())
	}
	for e := range entries.List() {
		if !e.Is(source.Object) {
			c.find(e, "", "the entry is %s, must be an object", e.Kind.Article())
		}
	}
	if old := c.root.At("collections"); old.Node != nil {
		c.findAs(diag.Warning, old, "list each collection as an entry of the type application/ai-catalog+json",
			"collections is no longer read")
	}
}

// ardIdentifierForm is that of section 4 of ARD and of its tester, which allows
// fewer characters than other catalogs do.
var ardIdentifierForm = parallel.Regexp(`^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$`)

// IsARDIdentifier reports whether ARD takes a text as the identifier of an entry.
func IsARDIdentifier(text string) bool { return ardIdentifierForm().MatchString(text) }

func ardIdentifier(c *card) {
	first := map[string]place{}
	for e := range c.entries() {
		id := e.At("identifier")
		switch {
		case id.Word() == "":
			c.find(id, "add identifier: urn:air:PUBLISHER:NAMESPACE:NAME", "the entry has no identifier")
		case strings.HasPrefix(id.Text, "urn:ai:"):
			c.find(id, "write urn:air:"+strings.TrimPrefix(id.Text, "urn:ai:"),
				"the identifier %s begins with urn:ai:, must be urn:air:", quote(id.Text))
		case !c.AICatalog && !IsARDIdentifier(id.Text):
			c.find(id, "percent signs, slashes and ports are not allowed",
				"the identifier %s is not urn:air:PUBLISHER:NAME with letters, digits, dots, hyphens and underscores",
				quote(id.Text))
		}
		key := id.Word() + " " + e.At("version").Word()
		if other, twice := first[key]; twice && id.Word() != "" {
			c.report(fault(id, "", "two entries have the identifier %s and the same version", quote(id.Text)).
				as(diag.Warning).beside(also(other, "the other one")))
			continue
		}
		first[key] = id
	}
}

func ardName(c *card) {
	for e := range c.entries() {
		if name := e.At("displayName"); name.Word() == "" && !c.AICatalog {
			c.find(name, "ARD requires one: add the name for people", "%s has no displayName", entry(e))
		}
	}
}

func ardArtifact(c *card) {
	for e := range c.entries() {
		address, data := e.At("url"), e.At("data")
		switch {
		case address.Node == nil && data.Node == nil:
			c.find(e, "add url, where the artifact is, or data, the artifact itself", "%s has neither url nor data", entry(e))
		case address.Node != nil && data.Node != nil:
			c.find(data, "", "%s has both url and data, must have one of them", entry(e))
		case data.Node != nil && !data.Is(source.Object) && !c.AICatalog:
			c.find(data, "", "data is %s, must be the artifact as an object", data.Kind.Article())
		case address.Node != nil && web(address.Word()) == nil:
			c.find(address, "", "the url of %s is not an absolute http or https URL", entry(e))
		}
	}
}

// ardTypes are the media types that registries know, in lower case and without
// blanks (pull request 85 of ard-spec).
var ardTypes = []string{
	"application/ai-catalog+json", "application/agent-card+json", "application/a2a-agent-card+json",
	"application/mcp-server-card+json", "application/agent-skills+zip", "application/agent-skills+gzip",
	`text/markdown;profile="urn:air:agent-skills"`, "application/ai-registry", "application/ai-registry+json",
}

func ardType(c *card) {
	for e := range c.entries() {
		given := e.At("type")
		name := strings.ToLower(strings.ReplaceAll(given.Word(), " ", ""))
		switch {
		case name == "" && e.At("mediaType").Word() != "":
			c.find(e.At("mediaType"), "rename it to type", "%s has mediaType, which is called type since May 2026", entry(e))
		case name == "":
			c.find(given, "add the media type of the artifact, such as application/a2a-agent-card+json", "%s has no type",
				entry(e))
		case slices.Contains(ardTypes, name), c.AICatalog && strings.HasPrefix(name, "application/agent-"):
		case name == "application/mcp-server+json":
			c.findAs(diag.Warning, given, "write application/mcp-server-card+json",
				"the type application/mcp-server+json has been renamed")
		case strings.HasPrefix(name, "application/") && len(name) > len("application/"):
			c.findAs(diag.Info, given, "", "the type %s is unknown to registries", quote(given.Text))
		default:
			c.findAs(diag.Warning, given, `of a SKILL.md it is text/markdown; profile="urn:air:agent-skills"`,
				"the type %s is unknown to registries", quote(given.Text))
		}
	}
}

// Queries an entry has at least and at most: search finds it by them.
const (
	LeastQueries = 2
	MostQueries  = 5
)

func ardQueries(c *card) {
	for e := range c.entries() {
		queries := e.At("representativeQueries")
		switch {
		case queries.Node == nil && c.AICatalog:
		case queries.Node == nil:
			c.findAs(diag.Warning, queries, "add 2 to 5 questions that it answers",
				"%s has no representativeQueries, so searches do not find it", entry(e))
		case !queries.Is(source.Array):
			c.find(queries, "", "representativeQueries is %s, must be an array of 2 to 5 strings", queries.Kind.Article())
		case len(queries.Items) < LeastQueries || len(queries.Items) > MostQueries:
			c.findAs(diag.Warning, queries, "Lighthouse before 13.6 reports this as an error",
				"%s has %d representativeQueries, must be 2 to 5", entry(e), len(queries.Items))
		}
		for q := range queries.List() {
			if !q.Is(source.String) {
				c.find(q, "", "the query is %s, must be a string", q.Kind.Article())
			}
		}
	}
}

func ardMember(c *card) {
	for e := range c.entries() {
		for _, key := range []string{"description", "version", "updatedAt"} {
			if v := e.At(key); v.Node != nil && !v.Is(source.String) {
				c.find(v, "", "%s is %s, must be a string", key, v.Kind.Article())
			}
		}
		for _, key := range []string{"capabilities", "tags"} {
			v := e.At(key)
			odd := func(n *source.Node) bool { return !n.Is(source.String) }
			if v.Node != nil && (!v.Is(source.Array) || slices.ContainsFunc(v.Items, odd)) {
				c.find(v, "", "%s must be an array of strings", key)
			}
		}
		if v := e.At("metadata"); v.Node != nil && !v.Is(source.Object) {
			c.find(v, "", "metadata is %s, must be an object", v.Kind.Article())
		}
		for m, v := range e.At("metadata").Entries() {
			if v.Is(source.Object) || v.Is(source.Array) {
				c.find(v, "", "metadata.%s is %s, must be a string, number, boolean or null", m.Key, v.Kind.Article())
			}
		}
		if v := e.At("trustManifest"); v.Node != nil && v.At("identity").Word() == "" {
			c.find(v, "", "trustManifest must be an object with an identity")
		}
	}
}
