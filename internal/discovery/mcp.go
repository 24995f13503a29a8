package discovery

import (
	"cmp"
	"path"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// The card of an MCP server is that of SEP-2127, as schema.json of
// https://github.com/modelcontextprotocol/experimental-ext-server-card has it at
// commit 8924e08 (July 2026). It has no place for tools: their names are
// capabilities of the entry in ard.json.
const (
	serverSchema   = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
	serverCardType = "application/mcp-server-card+json"
	serversDir     = "mcp"
)

// Server is an MCP server that a site lists.
type Server struct {
	Name        string // NAMESPACE/NAME
	Title       string // for people
	Description string
	Version     string
	URL         string // of the server
	Transport   string
	Versions    []string // of the protocol
	Card        string   // URL of a card that is published already, "" for one that is made
	Written     bool     // the card is a file of the site, and not only in the catalogs
	Tools       []string // names
	Queries     []string // that searches find it by
	Span        diag.Span
}

// document is the card of the server.
func (s Server) document() *source.Node {
	remote := &source.Node{Kind: source.Object}
	remote.SetText("type", s.Transport)
	remote.SetText("url", s.URL)
	remote.SetTexts("supportedProtocolVersions", s.Versions)
	n := &source.Node{Kind: source.Object}
	n.SetText("$schema", serverSchema)
	n.SetText("name", s.Name)
	n.SetText("version", s.Version)
	n.SetText("description", s.Description)
	n.SetText("title", s.Title)
	n.Set("remotes", &source.Node{Kind: source.Array, Items: []*source.Node{remote}})
	return n
}

// ServerCards are the cards of MCP servers that are files of the site.
func (s Site) ServerCards() []tree.File {
	var files []tree.File
	for _, server := range s.Servers {
		if server.Written {
			files = append(files, tree.File{Path: server.path(), Data: schema.Write(server.document())})
		}
	}
	return files
}

// path is where the card of the server is, below the root of the site.
func (s Server) path() string { return path.Join(serversDir, s.Name, tree.ServerCardName) }

// serverEntry is the entry of an MCP server in the catalogs of a site. Its card
// is embedded unless it is published somewhere.
func (s Site) serverEntry(server Server) (*source.Node, diag.List) {
	n := &source.Node{Kind: source.Object}
	n.SetText("identifier", s.kindIdentifier("mcp", "")+strings.ReplaceAll(server.Name, "/", ":"))
	n.SetText("displayName", cmp.Or(server.Title, server.Name))
	n.SetText("description", server.Description)
	n.SetText("type", serverCardType)
	data := schema.Write(server.document())
	switch {
	case server.Card != "":
		n.SetText("url", server.Card)
	case server.Written && s.URL != "":
		n.SetText("url", s.URL+"/"+server.path())
		n.SetText("digest", digestText(data))
	default:
		card, digest, fault := canonical(data)
		if fault != "" {
			return nil, diag.List{diag.New("catalog-embed",
				server.Span, "the card of the MCP server %s cannot be embedded into the catalog: %s", diag.Quote(server.Name),
				fault)}
		}
		n.Set("data", card)
		n.SetText("digest", digest)
	}
	n.SetText("version", server.Version)
	n.SetTexts("capabilities", server.Tools)
	n.SetTexts("representativeQueries", server.Queries)
	return n, nil
}

// The kinds of what is published elsewhere, as identifiers have them.
const (
	CatalogKind = "catalog"
	PluginKind  = "plugin"
)

// Nested is what a site lists and others publish: a catalog, for readers to follow, or
// the bundle of an Agent Plugin.
type Nested struct {
	Kind                       string
	ID, Name, Description, URL string
	Queries                    []string
	Span                       diag.Span
}

// nestedEntry is the entry of what others publish.
func (s Site) nestedEntry(other Nested) *source.Node {
	n := &source.Node{Kind: source.Object}
	n.SetText("identifier", s.kindIdentifier(other.Kind, other.ID))
	n.SetText("displayName", cmp.Or(other.Name, other.ID))
	n.SetText("description", other.Description)
	n.SetText("type", other.mediaType())
	n.SetText("url", other.URL)
	n.SetTexts("representativeQueries", other.Queries)
	return n
}

// mediaType is the type of what others publish, which the URL of a bundle tells.
func (n Nested) mediaType() string {
	switch {
	case n.Kind == CatalogKind:
		return MediaType
	case strings.HasSuffix(n.URL, ".zip"):
		return "application/agent-plugins+zip"
	}
	return "application/agent-plugins+gzip"
}
