package site

import (
	"errors"
	"io/fs"
	"net/url"
	"slices"
	"strconv"
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
func (r *reader) catalog(root *source.Node) (agents int) {
	r.catalogVersion(root)
	list := root.Get("entries")
	if !list.Is(source.Array) {
		r.report(diag.CatalogInvalid, list, root, "/entries", "add entries: the list of agents and skills",
			"the catalog has no list of entries")
		return 0
	}
	first := map[string]*source.Node{}
	for i, e := range list.Items {
		pointer := "/entries/" + strconv.Itoa(i)
		if !e.Is(source.Object) {
			r.report(diag.CatalogInvalid, e, list, pointer, "write an object with identifier, type and url",
				"the entry is %s, must be an object", e.Kind.Article())
			continue
		}
		r.entryType(e, pointer)
		r.identifier(e, pointer, first)
		r.artifact(e, pointer)
		if e.Get("type").Word() == cardType {
			agents++
			r.entryCard(e, pointer)
		}
	}
	return agents
}

func (r *reader) catalogVersion(root *source.Node) {
	const rule, hint = diag.CatalogInvalid, `write "specVersion": "0.9"`
	version := root.Get("specVersion")
	switch version.Word() {
	case catalogVersion:
	case "1.0":
		r.report(rule, version, root, "/specVersion", "the release of November 2026 calls the format 0.9",
			"the catalog has the version of drafts, 1.0").Severity = diag.Info
	case "":
		if version != nil {
			r.report(rule, version, root, "/specVersion", hint, "specVersion is %s, must be a string", version.Kind.Article())
			return
		}
		r.report(rule, version, root, "/specVersion", hint, "the catalog has no specVersion")
	default:
		r.report(rule, version, root, "/specVersion", hint, "the specVersion %s is unknown", diag.Quote(version.Text))
	}
}

func (r *reader) entryType(e *source.Node, pointer string) {
	const rule = diag.CatalogInvalid
	kind, old := e.Get("type"), e.Get("mediaType")
	switch {
	case kind.Word() == "" && old != nil:
		r.report(rule, old, e, pointer+"/mediaType", "rename mediaType to type",
			"the entry has mediaType, which is now called type")
	case kind.Word() == "":
		r.report(rule, kind, e, pointer+"/type", "add the type of the artifact, such as "+cardType,
			"the entry has no type")
	case !slices.Contains(knownTypes, kind.Word()):
		r.report(rule, kind, e, pointer+"/type", diag.Hint(kind.Text, knownTypes, ""),
			"the type %s is unknown to readers",
			diag.Quote(kind.Text)).Severity = diag.Info
	}
}

func (r *reader) identifier(e *source.Node, pointer string, first map[string]*source.Node) {
	const rule = diag.CatalogIdentifier
	id, old := e.Get("identifier"), e.Get("id")
	text := id.Word()
	rest, air := strings.CutPrefix(text, "urn:air:")
	publisher, name, _ := strings.Cut(rest, ":")
	switch {
	case text == "" && old != nil:
		r.report(rule, old, e, pointer+"/id", "rename id to identifier", "the entry has id instead of identifier")
		return
	case text == "":
		r.report(rule, id, e, pointer+"/identifier", "add identifier: urn:air:PUBLISHER:NAME:KIND",
			"the entry has no identifier")
		return
	case strings.HasPrefix(text, "urn:ai:"):
		r.report(rule, id, e, pointer+"/identifier", "write urn:air:"+strings.TrimPrefix(text, "urn:ai:"),
			"the identifier %s begins with urn:ai:, must begin with urn:air:", diag.Quote(text))
	case air && (!IsDomain(publisher) || name == ""):
		r.report(rule, id, e, pointer+"/identifier", "write urn:air:acme.example:NAME:KIND",
			"the identifier %s does not have a domain name as publisher and a name after it", diag.Quote(text)).
			Severity = diag.Warning
	}
	key := text + " " + e.Get("version").Word()
	if other := first[key]; other != nil {
		d := r.report(rule, id, e, pointer+"/identifier", "give each another identifier or version",
			"two entries have the identifier %s and the same version", diag.Quote(text))
		*d = d.WithRelated(diag.Related{Span: other.Span, Message: "the other entry"})
		return
	}
	first[key] = id
}

// artifact checks what the entry points to or embeds.
func (r *reader) artifact(e *source.Node, pointer string) {
	const rule = diag.CatalogInvalid
	address, data := e.Get("url"), e.Get("data")
	switch {
	case address == nil && data == nil:
		r.report(rule, nil, e, pointer, "add url, where the artifact is, or data, the artifact itself",
			"the entry has neither url nor data")
	case address != nil && data != nil:
		r.report(rule, data, e, pointer+"/data", "leave one of them out", "the entry has both url and data")
	case address != nil:
		u, err := url.Parse(address.Word())
		switch {
		case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
			r.report(rule, address, e, pointer+"/url", "write the whole URL, with https://",
				"the url %s is not an absolute https URL", diag.Quote(address.ScalarText()))
		case u.Scheme == "http":
			r.report(rule, address, e, pointer+"/url", "use https", "the url %s is not https",
				diag.Quote(address.Text)).
				Severity = diag.Warning
		}
	}
}

// entryCard checks the card of an entry: one that is embedded as any card, any one by what
// the entry says about it.
func (r *reader) entryCard(e *source.Node, pointer string) {
	card := e.Get("data")
	if card.Is(source.Object) {
		for _, d := range lint.Card(card, lint.Options{}) {
			if d.Severity == diag.Error {
				d.Pointer = pointer + "/data" + d.Pointer
				r.found = append(r.found, d)
			}
		}
	}
	if address := e.Get("url"); address.Word() != "" {
		data, known, err := r.file(address.Text)
		if errors.Is(err, fs.ErrNotExist) {
			r.report(diag.CatalogFile, address, e, pointer+"/url", "publish the card there, or remove the entry",
				"there is no file for the url %s", diag.Quote(address.Text))
		}
		if !known || err != nil {
			return
		}
		card, _ = source.ParseJSON(address.Text, data)
		if KindOf(card) != Card {
			r.report(diag.CatalogFile, address, e, pointer+"/url", "publish the card there, or correct the type",
				"the file at %s is no agent card",
				diag.Quote(address.Text))
			return
		}
	}
	for _, pair := range [][2]string{{"displayName", "name"}, {"version", "version"}} {
		key := pair[0]
		said, meant := e.Get(key), card.Get(pair[1])
		if said != nil && meant != nil && said.ScalarText() != meant.ScalarText() {
			r.report(diag.CatalogFile, said, e, pointer+"/"+key, "leave "+key+" out, so that the card's own counts",
				"%s is %s, but the card says %s", key, diag.Quote(said.ScalarText()), diag.Quote(meant.ScalarText()))
		}
	}
}
