package lint

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cardwright/internal/diag"
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
		c.report(finding{
			at: entries, message: "the catalog has no entries",
			hint: "add entries: the list of agents, skills and servers",
		})
	case !entries.Is(source.Array):
		c.report(finding{at: entries, message: "entries is " + entries.Kind.Article() + ", a catalog has an array there"})
	}
	for e := range entries.List() {
		if !e.Is(source.Object) {
			c.report(finding{at: e, message: "the entry is " + e.Kind.Article() + ", must be an object"})
		}
	}
	if old := c.root.At("collections"); old.Node != nil {
		c.report(finding{
			at: old, severity: diag.Warning, message: "collections is no longer read",
			hint: "list each collection as an entry of the type application/ai-catalog+json",
		})
	}
}

// ardIdentifierForm is that of section 4 of ARD and of its tester, which allows
// fewer characters than other catalogs do.
var ardIdentifierForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$`)
})

// IsARDIdentifier reports whether ARD takes a text as the identifier of an entry.
func IsARDIdentifier(text string) bool { return ardIdentifierForm().MatchString(text) }

func ardIdentifier(c *card) {
	first := map[string]place{}
	for e := range c.entries() {
		id := e.At("identifier")
		switch {
		case id.Word() == "":
			c.report(finding{
				at: id, message: "the entry has no identifier",
				hint: "add identifier: urn:air:PUBLISHER:NAMESPACE:NAME",
			})
		case strings.HasPrefix(id.Text, "urn:ai:"):
			c.report(finding{at: id, message: fmt.Sprintf("the identifier %s begins with urn:ai:, must be urn:air:",
				quote(id.Text)), hint: "write urn:air:" + strings.TrimPrefix(id.Text, "urn:ai:")})
		case !IsARDIdentifier(id.Text):
			c.report(finding{
				at: id,
				message: fmt.Sprintf("the identifier %s is not urn:air:PUBLISHER:NAME "+
					"with letters, digits, dots, hyphens and underscores", quote(id.Text)),
				hint: "percent signs, slashes and ports are not allowed",
			})
		}
		key := id.Word() + " " + e.At("version").Word()
		if other, twice := first[key]; twice && id.Word() != "" {
			c.report(finding{
				at: id, severity: diag.Warning,
				message: fmt.Sprintf("two entries have the identifier %s and the same version", quote(id.Text)),
				related: []diag.Related{also(other, "the other one")},
			})
			continue
		}
		first[key] = id
	}
}

func ardName(c *card) {
	for e := range c.entries() {
		if name := e.At("displayName"); name.Word() == "" {
			c.report(finding{
				at: name, message: entry(e) + " has no displayName",
				hint: "ARD requires one: add the name for people",
			})
		}
	}
}

func ardArtifact(c *card) {
	for e := range c.entries() {
		address, data := e.At("url"), e.At("data")
		switch {
		case address.Node == nil && data.Node == nil:
			c.report(finding{
				at: e, message: entry(e) + " has neither url nor data",
				hint: "add url, where the artifact is, or data, the artifact itself",
			})
		case address.Node != nil && data.Node != nil:
			c.report(finding{at: data, message: entry(e) + " has both url and data, must have one of them"})
		case data.Node != nil && !data.Is(source.Object):
			c.report(finding{at: data, message: "data is " + data.Kind.Article() + ", must be the artifact as an object"})
		case address.Node != nil && !isWeb(address.Word()):
			c.report(finding{at: address, message: "the url of " + entry(e) + " is not an absolute http or https URL"})
		}
	}
}

// isWeb reports whether a text is an absolute http or https URL.
func isWeb(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
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
			c.report(finding{
				at: e.At("mediaType"), message: entry(e) + " has mediaType, which is called type since May 2026",
				hint: "rename it to type",
			})
		case name == "":
			c.report(finding{
				at: given, message: entry(e) + " has no type",
				hint: "add the media type of the artifact, such as application/a2a-agent-card+json",
			})
		case slices.Contains(ardTypes, name):
		case name == "application/mcp-server+json":
			c.report(finding{
				at: given, severity: diag.Warning, message: "the type application/mcp-server+json has been renamed",
				hint: "write application/mcp-server-card+json",
			})
		case strings.HasPrefix(name, "application/") && len(name) > len("application/"):
			c.report(finding{
				at: given, severity: diag.Info,
				message: fmt.Sprintf("the type %s is unknown to registries", quote(given.Text)),
			})
		default:
			c.report(finding{
				at: given, severity: diag.Warning,
				message: fmt.Sprintf("the type %s is unknown to registries", quote(given.Text)),
				hint:    `of a SKILL.md it is text/markdown; profile="urn:air:agent-skills"`,
			})
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
		case queries.Node == nil:
			c.report(finding{
				at: queries, severity: diag.Warning,
				message: entry(e) + " has no representativeQueries, so searches do not find it",
				hint:    "add 2 to 5 questions that it answers",
			})
		case !queries.Is(source.Array):
			c.report(finding{at: queries, message: "representativeQueries is " + queries.Kind.Article() +
				", must be an array of 2 to 5 strings"})
		case len(queries.Items) < LeastQueries || len(queries.Items) > MostQueries:
			c.report(finding{
				at: queries, severity: diag.Warning,
				message: fmt.Sprintf("%s has %d representativeQueries, must be 2 to 5", entry(e), len(queries.Items)),
				hint:    "Lighthouse before 13.6 reports this as an error",
			})
		}
		for q := range queries.List() {
			if !q.Is(source.String) {
				c.report(finding{at: q, message: "the query is " + q.Kind.Article() + ", must be a string"})
			}
		}
	}
}

func ardMember(c *card) {
	for e := range c.entries() {
		for _, key := range []string{"description", "version", "updatedAt"} {
			if v := e.At(key); v.Node != nil && !v.Is(source.String) {
				c.report(finding{at: v, message: key + " is " + v.Kind.Article() + ", must be a string"})
			}
		}
		for _, key := range []string{"capabilities", "tags"} {
			v := e.At(key)
			odd := v.Node != nil && !v.Is(source.Array)
			for item := range v.List() {
				odd = odd || !item.Is(source.String)
			}
			if odd {
				c.report(finding{at: v, message: key + " must be an array of strings"})
			}
		}
		if v := e.At("metadata"); v.Node != nil && !v.Is(source.Object) {
			c.report(finding{at: v, message: "metadata is " + v.Kind.Article() + ", must be an object"})
		}
		for m, v := range e.At("metadata").Entries() {
			if v.Is(source.Object) || v.Is(source.Array) {
				c.report(finding{at: v, message: fmt.Sprintf("metadata.%s is %s, must be a string, number, boolean or null", m.Key,
					v.Kind.Article())})
			}
		}
		if v := e.At("trustManifest"); v.Node != nil && v.At("identity").Word() == "" {
			c.report(finding{at: v, message: "trustManifest must be an object with an identity"})
		}
	}
}
