package site

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
	Name        string    `key:"name"`  // NAMESPACE/NAME
	Title       string    `key:"title"` // for people
	Description string    `key:"description"`
	Version     string    `key:"version"`
	URL         string    `key:"url"` // of the server
	Transport   string    `key:"transport" default:"streamable-http"`
	Versions    []string  `key:"protocolVersions"` // of the protocol
	Card        string    `key:"card"`             // URL of a card that is published already, "" for one that is made
	Written     bool      `key:"write"`            // the card is a file of the site, and not only in the catalogs
	Tools       []string  // names
	Queries     []string  `key:"queries"` // that searches find it by
	Span        diag.Span `key:"."`
}

// document is the card of the server.
func (s Server) document() *source.Node {
	return source.ObjectOf(
		"$schema", serverSchema,
		"name", s.Name,
		"version", s.Version,
		"description", s.Description,
		"title", s.Title,
		"remotes", source.ArrayOf(source.ObjectOf(
			"type", s.Transport,
			"url", s.URL,
			"supportedProtocolVersions", s.Versions,
		)),
	)
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
	data := schema.Write(server.document())
	var card *source.Node
	url, digest := server.Card, ""
	switch {
	case server.Card != "":
	case server.Written && s.URL != "":
		url, digest = s.URL+"/"+server.path(), digestText(data)
	default:
		var fault string
		if card, digest, fault = canonical(data); fault != "" {
			return nil, diag.List{diag.New("catalog-embed",
				server.Span, "the card of the MCP server %s cannot be embedded into the catalog: %s", diag.Quote(server.Name),
				fault)}
		}
	}
	return source.ObjectOf(
		"identifier", s.kindIdentifier("mcp", "")+strings.ReplaceAll(server.Name, "/", ":"),
		"displayName", cmp.Or(server.Title, server.Name),
		"description", server.Description,
		"type", serverCardType,
		"url", url,
		"data", card,
		"digest", digest,
		"version", server.Version,
		"capabilities", server.Tools,
		"representativeQueries", server.Queries,
	), nil
}

// The kinds of what is published elsewhere, as identifiers have them.
const (
	CatalogKind = "catalog"
	PluginKind  = "plugin"
)

// Nested is what a site lists and others publish: a catalog, for readers to follow, or
// the bundle of an Agent Plugin.
type Nested struct {
	Kind        string
	ID          string    `key:"id"`
	Name        string    `key:"name"`
	Description string    `key:"description"`
	URL         string    `key:"url"`
	Queries     []string  `key:"queries"`
	Span        diag.Span `key:"."`
}

// nestedEntry is the entry of what others publish.
func (s Site) nestedEntry(other Nested) *source.Node {
	return source.ObjectOf(
		"identifier", s.kindIdentifier(other.Kind, other.ID),
		"displayName", cmp.Or(other.Name, other.ID),
		"description", other.Description,
		"type", other.mediaType(),
		"url", other.URL,
		"representativeQueries", other.Queries,
	)
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
