package hosting

import (
	"slices"

	"cardwright/internal/tree"
)

// announced are the catalogs that the page of a site announces, by their URL
// paths: Agentic Resource Discovery looks for them in the Link field (RFC 8288).
var announced = []struct{ path, link string }{
	{"/" + tree.ARDPath, `; rel="ard"; type="application/json"`},
	{"/" + tree.CatalogPath, `; rel="ai-catalog"; type="application/ai-catalog+json"`},
}

// Announcements are the fields that the page of a site below a base has besides,
// where has tells whether the site has a file at a path below that. A site without
// an ard.json announces nothing.
func Announcements(base string, has func(path string) bool) []Header {
	if !has(announced[0].path) {
		return nil
	}
	value := ""
	for _, a := range announced {
		if !has(a.path) {
			continue
		}
		if value != "" {
			value += ", "
		}
		value += "<" + base + a.path + ">" + a.link
	}
	return []Header{{"Link", value}}
}

// IsPage tells whether a URL path is that of the page of a site below a base.
func IsPage(base, p string) bool { return p == base+"/" || p == base+"/"+tree.PagePath }

// announce adds to the page of the site what it announces.
func (s *Site) announce(base string) {
	headers := Announcements(base, func(p string) bool {
		return slices.ContainsFunc(s.Entries, func(e Entry) bool { return e.Path == base+p })
	})
	for i := range s.Entries {
		if e := &s.Entries[i]; IsPage(base, e.Path) {
			e.Headers = append(e.Headers, headers...)
		}
	}
}
