package config

import (
	"fmt"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// AgentSkills says which skills are published with all their files, and how.
type AgentSkills struct {
	Publish []Text `key:"publish"`                 // patterns of ids; nothing is published without
	Format  string `key:"format" default:"tar.gz"` // of archives: "tar.gz" or "zip"
	Legacy  bool   `key:"legacy" default:"true"`   // also by the index before 0.2.0
}

// MCP is an MCP server that the catalogs list.
type MCP struct {
	site.Server `key:"."`
	Tools       Text         `key:"tools"` // path of a saved answer to tools/list
	Node        *source.Node `key:"."`
}

// serverName is what SEP-2127 allows as the name of a server.
var serverName = parallel.Regexp(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)

const (
	shortestServerName = 3
	longestServerName  = 200
)

// servers reads the MCP servers. What is written to a path of their names must be
// able to be one.
func (l *loader) servers(n *source.Node) []MCP {
	var all []MCP
	first := map[string]*source.Node{}
	for _, item := range n.Elements() {
		var m MCP
		fill(&m, item)
		m.Description = strings.TrimSpace(m.Description)
		fault := func(key, hint, format string, args ...any) {
			at := item.Span
			if v := item.Get(key); v != nil {
				at = v.Span
			}
			l.report(diag.New("config-value", at, "MCP server %s: %s", diag.Quote(m.Name), fmt.Sprintf(format, args...)).
				WithHint(hint))
		}
		switch {
		case m.Name == "": // the schema reports it
			continue
		case !serverName().MatchString(m.Name) || len(m.Name) < shortestServerName || len(m.Name) > longestServerName:
			fault("name", "such as com.acme/orders",
				"the name must be a namespace, one slash and a name, of letters, digits, dots, "+
					"hyphens and underscores, with %d to %d characters", shortestServerName, longestServerName)
		case tree.PathFault("mcp/"+m.Name) != "" || strings.HasPrefix(m.Name, ".") || strings.Contains(m.Name, "/."):
			fault("name", "such as com.acme/orders", "no file can have the name")
		case strings.ContainsAny(m.Version, "^~<>*|, ") || m.Version == "latest":
			fault("version", "such as 1.4.0", "the version %s is a range, must be one version", diag.Quote(m.Version))
		}
		if m.Card == "" {
			for _, key := range []string{"version", "url"} {
				if item.Get(key).ScalarText() == "" {
					fault(key, "add "+key+", or card: URL of a card that is published already", "%s is missing", key)
				}
			}
		}
		if m.Card != "" && m.Written {
			fault("write", "leave one of them out",
				"card names a card that is published already, but write makes another one")
		}
		key := tree.Fold(m.Name)
		if other := first[key]; other != nil {
			l.report(diag.New("config-value", item.Get("name").Span, "two MCP servers have the name %s", diag.Quote(m.Name)).
				WithHint("letter case is ignored").WithRelated(diag.Related{Span: other.Span, Message: "first used here"}))
			continue
		}
		first[key] = item.Get("name")
		all = append(all, m)
	}
	return all
}

// bundle is how the URL of a bundle of files ends, which tells its media type.
var bundle = parallel.Regexp(`\.(zip|tar\.gz|tgz)$`)

// nested reads what is published elsewhere, of one kind.
func (l *loader) nested(n *source.Node, kind string) []site.Nested {
	what := kind + "s"
	var all []site.Nested
	first := map[string]*source.Node{}
	for _, item := range n.Elements() {
		c := site.Nested{Kind: kind}
		fill(&c, item)
		key := strings.ToLower(c.ID)
		if other := first[key]; other != nil && key != "" {
			l.report(diag.New("config-value", item.Get("id").Span, "two %s have the id %s", what, diag.Quote(c.ID)).
				WithRelated(diag.Related{Span: other.Span, Message: "first used here"}))
			continue
		}
		first[key] = item.Get("id")
		if kind == site.PluginKind && c.URL != "" && !bundle().MatchString(c.URL) {
			l.report(diag.New("config-value", item.Get("url").Span, "the url of the plugin %s must end in .zip, .tar.gz or .tgz",
				diag.Quote(c.ID)).WithHint("catalogs list bundles of plugins, not their repositories"))
		}
		all = append(all, c)
	}
	return all
}
