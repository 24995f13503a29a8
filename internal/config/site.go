package config

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// AgentSkills says which skills are published with all their files, and how.
type AgentSkills struct {
	Publish []Text // patterns of ids; nothing is published without
	Format  string // of archives: "tar.gz" or "zip"
	Legacy  bool   // also by the index before 0.2.0
}

func agentSkills(n *source.Node) AgentSkills {
	return AgentSkills{
		Publish: placed(n.Get("publish")),
		Format:  cmp.Or(n.Get("format").ScalarText(), "tar.gz"),
		Legacy:  n.Get("legacy").ScalarText() != "false",
	}
}

func legacy(n *source.Node) Legacy {
	switch n.ScalarText() {
	case "false":
		return LegacyNone
	case "split":
		return LegacySplit
	}
	return LegacyCopy
}

// MCP is an MCP server that the catalogs list.
type MCP struct {
	Name        string // NAMESPACE/NAME
	Title       string
	Description string
	Version     string
	URL         string
	Transport   string
	Versions    []string // of the protocol
	Card        string   // URL of a card that is published already
	Write       bool     // write its card
	Tools       Text     // path of a saved answer to tools/list
	Queries     []string
	Node        *source.Node
}

// Nested is a catalog of others.
type Nested struct {
	ID, Name, Description, URL string
	Queries                    []string
	Node                       *source.Node
}

// serverName is what SEP-2127 allows as the name of a server.
var serverName = regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)

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
		m := MCP{
			Name: item.Get("name").ScalarText(), Title: item.Get("title").ScalarText(),
			Description: strings.TrimSpace(item.Get("description").ScalarText()),
			Version:     item.Get("version").ScalarText(), URL: item.Get("url").ScalarText(),
			Transport: cmp.Or(item.Get("transport").ScalarText(), "streamable-http"),
			Versions:  texts(item.Get("protocolVersions")),
			Card:      item.Get("card").ScalarText(), Write: isTrue(item.Get("write")),
			Tools:   Text{Value: item.Get("tools").ScalarText(), Span: spanOf(item.Get("tools"))},
			Queries: texts(item.Get("queries")),
			Node:    item,
		}
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
		case !serverName.MatchString(m.Name) || len(m.Name) < shortestServerName || len(m.Name) > longestServerName:
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
		if m.Card != "" && m.Write {
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

// nested reads the catalogs of others.
func (l *loader) nested(n *source.Node) []Nested {
	var all []Nested
	first := map[string]*source.Node{}
	for _, item := range n.Elements() {
		c := Nested{
			ID: item.Get("id").ScalarText(), Name: item.Get("name").ScalarText(),
			Description: item.Get("description").ScalarText(), URL: item.Get("url").ScalarText(),
			Queries: texts(item.Get("queries")),
			Node:    item,
		}
		key := strings.ToLower(c.ID)
		if other := first[key]; other != nil && key != "" {
			l.report(diag.New("config-value", item.Get("id").Span, "two catalogs have the id %s", diag.Quote(c.ID)).
				WithRelated(diag.Related{Span: other.Span, Message: "first used here"}))
			continue
		}
		first[key] = item.Get("id")
		all = append(all, c)
	}
	return all
}
