package site

import (
	"cmp"
	"path"
	"strings"

	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// APICatalog returns the list of a site for readers of RFC 9727: a link set (RFC 9264)
// with the endpoint of each agent as an item, and for each endpoint its card as
// service-desc and its documentation as service-doc (RFC 8631). The files that list the
// agents and skills of the site in other forms describe the catalog.
func (s Site) APICatalog() []byte {
	catalog := s.context(s.URL + "/" + tree.APICatalogPath)
	contexts := []*source.Node{catalog}
	for _, a := range s.Agents {
		if a.URL == "" && a.Path == "" {
			continue // a card of others that nobody knows the place of
		}
		card := s.linkTo(a.URL, a.Path)
		endpoint := a.endpoint()
		if endpoint == "" { // such as that of gRPC, which is no URL
			add(catalog, "item", card)
			continue
		}
		add(catalog, "item", source.ObjectOf("href", endpoint, "title", a.Card.Name))
		about := s.context(endpoint)
		add(about, "service-desc", card)
		if a.Card.DocumentationURL != "" {
			add(about, "service-doc", source.ObjectOf("href", a.Card.DocumentationURL))
		}
		contexts = append(contexts, about)
	}
	for _, list := range []struct {
		path    string
		written bool
	}{
		{tree.ARDPath, s.HasARD},
		{tree.CatalogPath, s.Catalog},
		{path.Join(tree.SkillsDir, tree.SkillsIndexName), len(s.Skills.Skills) > 0},
	} {
		if list.written {
			add(catalog, "describedby", s.linkTo("", list.path))
		}
	}
	return schema.Write(source.ObjectOf("linkset", source.ArrayOf(contexts...)))
}

// endpoint is the URL of the preferred interface, "" when it is none of HTTP.
func (a Agent) endpoint() string {
	if len(a.Card.Interfaces) == 0 || !strings.HasPrefix(a.Card.Interfaces[0].URL, "http") {
		return ""
	}
	return a.Card.Interfaces[0].URL
}

// context is what links are about. Without an absolute URL it is the link set itself.
func (s Site) context(anchor string) *source.Node {
	if !strings.Contains(anchor, "://") {
		anchor = ""
	}
	return source.ObjectOf("anchor", anchor)
}

// linkTo is a link to a file of the site, relative to the link set where nobody knows
// the URL of the site.
func (s Site) linkTo(url, file string) *source.Node {
	return source.ObjectOf("href", cmp.Or(url, cmp.Or(s.URL, "..")+"/"+file), "type", tree.ContentType(file))
}

// add appends a link to those of a relation.
func add(context *source.Node, relation string, link *source.Node) {
	links := context.Get(relation)
	if links == nil {
		links = &source.Node{Kind: source.Array}
		context.Set(relation, links)
	}
	links.Items = append(links.Items, link)
}
