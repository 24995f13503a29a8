package hosting

import (
	"slices"
	"strings"

	"cardwright/internal/tree"
)

// announced are the lists of a site by their URL paths, each with its link (RFC 8288):
// Agentic Resource Discovery looks for the first two, and scanners for the others, which
// RFC 9727 and RFC 8631 name.
var announced = []struct{ path, link string }{
	{"/" + tree.ARDPath, `; rel="ard"; type="application/json"`},
	{"/" + tree.CatalogPath, `; rel="ai-catalog"; type="application/ai-catalog+json"`},
	{apiCatalog, `; rel="api-catalog"; type="application/linkset+json"`},
	{"/" + tree.CardPath, `; rel="service-desc"; type="application/json"`},
	{"/" + tree.SkillsDir + "/" + tree.SkillsIndexName, `; rel="describedby"; type="application/json"`},
}

const (
	apiCatalog = "/" + tree.APICatalogPath
	catalogs   = 2 // of announced, for sites with an ard.json
)

// Announcements are the fields that the page of a site below a base has besides,
// where has reports whether the site has a file at a path below that. A site without
// an ard.json or an api-catalog announces nothing.
func Announcements(base string, has func(path string) bool) []Header {
	lists := announced
	switch {
	case has(apiCatalog):
	case has(lists[0].path):
		lists = lists[:catalogs]
	default:
		return nil
	}
	var links []string
	for _, a := range lists {
		if has(a.path) {
			links = append(links, "<"+base+a.path+">"+a.link)
		}
	}
	return []Header{{"Link", strings.Join(links, ", ")}}
}

// isPage reports whether a URL path is that of the page of a site below a base.
func isPage(base, p string) bool { return p == base+"/" || p == base+"/"+tree.PagePath }

// Announces reports whether what is at a URL path announces the lists of its site: the
// page, and the list that RFC 9727 section 2 wants to announce itself.
func Announces(base, p string) bool { return isPage(base, p) || p == base+apiCatalog }

// announce adds to what announces the lists of the site how it does so.
func (s *WebRoot) announce(base string) {
	headers := Announcements(base, func(p string) bool {
		return slices.ContainsFunc(s.Entries, func(e Entry) bool { return e.Path == base+p })
	})
	for i := range s.Entries {
		if e := &s.Entries[i]; Announces(base, e.Path) {
			e.Headers = append(e.Headers, headers...)
		}
	}
}
