package site

import (
	"net/url"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// knownTypes are the types of entries that the specification names.
var knownTypes = []string{
	cardType, "application/mcp-server-card+json", "application/ai-catalog+json", skillType,
	"application/agent-skills+zip", archiveType, "application/agent-skills+json",
	"application/agent-plugins+zip", "application/agent-plugins+gzip",
}

// catalog checks an AI Catalog and returns how many agents it lists.
func (r *reader) catalog() (agents int) {
	r.catalogVersion()
	if host := r.root.Get("host"); host != nil && host.Get("displayName").Word() == "" {
		r.report(diag.CatalogInvalid, "/host", `write "host": {"displayName": "Acme Inc."}`, "the host has no displayName")
	}
	r.each(diag.CatalogInvalid, "entries", func(e *source.Node, pointer string) {
		r.entryType(e, pointer)
		r.identifier(e, pointer)
		r.artifact(e, pointer)
		if e.Get("type").Word() == cardType {
			agents++
			r.entryCard(e, pointer)
		}
	})
	return agents
}

func (r *reader) catalogVersion() {
	const pointer, hint = "/specVersion", `write "specVersion": "0.9"`
	switch version := r.root.Get("specVersion"); {
	case version.Word() == catalogVersion:
	case version.Word() == "1.0":
		r.report(diag.CatalogInvalid, pointer, "the release of November 2026 calls the format 0.9",
			"the catalog has the version of drafts, 1.0").Severity = diag.Info
	case version == nil:
		r.report(diag.CatalogInvalid, pointer, hint, "the catalog has no specVersion")
	default:
		r.report(diag.CatalogInvalid, pointer, hint, "the specVersion is %s %s, which readers do not know",
			version.Kind.Article(), diag.Quote(version.ScalarText()))
	}
}

func (r *reader) entryType(e *source.Node, pointer string) {
	kind := e.Get("type").Word()
	switch {
	case kind == "" && e.HasAny("mediaType"):
		r.report(diag.CatalogInvalid, pointer+"/mediaType", "rename mediaType to type",
			"the entry has mediaType, which is now called type")
	case kind == "":
		r.report(diag.CatalogInvalid, pointer+"/type", "add the type of the artifact, such as "+cardType,
			"the entry has no type")
	case !slices.Contains(knownTypes, kind):
		r.report(diag.CatalogInvalid, pointer+"/type", diag.Hint(kind, knownTypes, ""),
			"the type %s is unknown to readers", diag.Quote(kind)).Severity = diag.Info
	}
}

func (r *reader) identifier(e *source.Node, pointer string) {
	const rule = diag.CatalogIdentifier
	at, text := pointer+"/identifier", e.Get("identifier").Word()
	rest, air := strings.CutPrefix(text, "urn:air:")
	publisher, name, _ := strings.Cut(rest, ":")
	switch {
	case text == "" && e.HasAny("id"):
		r.report(rule, pointer+"/id", "rename id to identifier", "the entry has id instead of identifier")
		return
	case text == "":
		r.report(rule, at, "add identifier: urn:air:PUBLISHER:NAME:KIND", "the entry has no identifier")
		return
	case strings.HasPrefix(text, "urn:ai:"):
		r.report(rule, at, "write urn:air:"+strings.TrimPrefix(text, "urn:ai:"),
			"the identifier %s begins with urn:ai:, must begin with urn:air:", diag.Quote(text))
	case air && (!IsDomain(publisher) || name == ""):
		r.report(rule, at, "write urn:air:acme.example:NAME:KIND",
			"the identifier %s does not have a domain name as publisher and a name after it", diag.Quote(text)).
			Severity = diag.Warning
	}
	r.once(rule, at, text+" "+e.Get("version").Word(), "give each another identifier or version",
		"two entries have the identifier %s and the same version", diag.Quote(text))
}

// artifact checks what the entry points to or embeds.
func (r *reader) artifact(e *source.Node, pointer string) {
	const rule = diag.CatalogInvalid
	address, data := e.Get("url"), e.Get("data")
	u, err := url.Parse(address.Word())
	switch {
	case address == nil && data == nil:
		r.report(rule, pointer, "add url, where the artifact is, or data, the artifact itself",
			"the entry has neither url nor data")
	case address != nil && data != nil:
		r.report(rule, pointer+"/data", "leave one of them out", "the entry has both url and data")
	case address == nil:
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		r.report(rule, pointer+"/url", "write the whole URL, with https://",
			"the url %s is not an absolute https URL", diag.Quote(address.ScalarText()))
	case u.Scheme == "http":
		r.report(rule, pointer+"/url", "use https", "the url %s is not https", diag.Quote(address.Text)).
			Severity = diag.Warning
	}
}

// entryCard checks the card of an entry: one that is embedded as any card, any one by what
// the entry says about it.
func (r *reader) entryCard(e *source.Node, pointer string) {
	const rule = diag.CatalogFile
	card := e.Get("data")
	if card != nil {
		for _, d := range lint.Card(card, lint.Options{}) {
			if d.Severity == diag.Error {
				d.Pointer = pointer + "/data" + d.Pointer
				r.found = append(r.found, d)
			}
		}
	}
	if address := e.Get("url").Word(); address != "" {
		data := r.file(rule, pointer+"/url", address)
		if data == nil {
			return
		}
		if card, _ = source.ParseJSON(address, data); KindOf(card) != Card {
			r.report(rule, pointer+"/url", "publish the card there, or correct the type",
				"the file at %s is no agent card", diag.Quote(address))
			return
		}
	}
	for _, pair := range [][2]string{{"displayName", "name"}, {"version", "version"}} {
		key := pair[0]
		said, meant := e.Get(key), card.Get(pair[1])
		if said != nil && meant != nil && said.ScalarText() != meant.ScalarText() {
			r.report(rule, pointer+"/"+key, "leave "+key+" out, so that the card's own counts",
				"%s is %s, but the card says %s", key, diag.Quote(said.ScalarText()), diag.Quote(meant.ScalarText()))
		}
	}
}
