package site

import (
	"context"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/lint"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/walk"
	"cardwright/mapping"
)

// Servers are the MCP servers of the configuration, with the names of their tools.
// The texts that go into the catalogs and into no card are judged with them; notes
// tells whether what is merely worth knowing is reported. Private is asked about each
// tool, and one that may not be named is left out.
func Servers(c *config.Config, open func(string, diag.Span) (walk.Tree, error), private func(*mapping.Skill) bool,
	notes bool) ([]discovery.Server, diag.List, error,
) {
	texts := textsOf(c)
	var all []discovery.Server
	var found diag.List
	for _, m := range c.MCP {
		if !c.Catalog.Write && !c.Catalog.ARD && !m.Write {
			found = append(found, diag.New("config-unmatched", m.Node.Span,
				"the MCP server %s is not listed anywhere", diag.Quote(m.Name)).
				WithHint("set catalog: true or ard: true, or write: true on the server"))
		}
		tools, faults, err := toolsOf(c, m, open)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, faults...)
		server := discovery.Server{
			Name: m.Name, Title: m.Title, Description: m.Description, Version: m.Version, URL: m.URL, Transport: m.Transport,
			Versions: m.Versions, Card: m.Card, Written: m.Write, Queries: m.Queries, Span: m.Node.Span,
		}
		for _, tool := range tools {
			if private(&tool) {
				continue
			}
			server.Tools = append(server.Tools, tool.ID)
			addText(texts, &source.Node{Kind: source.String, Text: tool.ID, Span: tool.Origin})
		}
		all = append(all, server)
	}
	for _, d := range lint.Texts(texts) {
		if d.Severity > diag.Info || notes {
			d.Pointer = ""
			found = append(found, d)
		}
	}
	return all, found, nil
}

// toolsOf returns the tools in the saved answer of a server.
func toolsOf(c *config.Config, m config.MCP, open func(string, diag.Span) (walk.Tree, error)) (
	[]mapping.Skill, diag.List, error,
) {
	if m.Tools.Value == "" || open == nil {
		return nil, nil, nil
	}
	tree, err := open(m.Tools.Value, m.Tools.Span)
	if err != nil {
		return nil, diag.List{diag.New("config-value", m.Tools.Span, "the tools %s cannot be read: %s",
			diag.Quote(m.Tools.Value), safefile.Reason(err))}, nil
	}
	reader := mapping.Reader{Limits: c.Limits}
	g, err := reader.Read(context.Background(), tree, mapping.Source{Type: "mcp", Path: m.Tools.Value, Span: m.Tools.Span})
	if err != nil || g.Found.Worst() == diag.Error {
		return nil, g.Found, err
	}
	return g.Skills, nil, nil
}

// textsOf gathers the texts that go into the catalogs and into no card.
func textsOf(c *config.Config) *source.Node {
	texts := &source.Node{Kind: source.Object}
	add := func(n *source.Node, keys ...string) {
		for _, key := range keys {
			addText(texts, n.Get(key))
		}
	}
	add(c.Node, "title", "owner")
	for i := range c.Agents {
		add(c.Agents[i].Node, "queries", "owner")
	}
	for _, m := range c.MCP {
		add(m.Node, "title", "description", "version", "url", "card", "queries")
	}
	for _, n := range c.Nested {
		add(n.Node, "name", "description", "url", "queries")
	}
	return texts
}

// addText adds what stands at a place to the texts that are judged.
func addText(texts, n *source.Node) {
	if n != nil {
		texts.Members = append(texts.Members, source.Member{Key: "description", KeySpan: n.Span, Value: n})
	}
}
