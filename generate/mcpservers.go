package generate

import (
	"context"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/internal/walk"
	"cardwright/mapping"
)

// mcpServers are the MCP servers of the configuration, with the names of their tools.
// The
// findings count as the configuration wants.
func mcpServers(c *config.Config, open func(string, diag.Span) (walk.Tree, error)) (
	[]site.Server, diag.List, error,
) {
	tools := &source.Node{Kind: source.Object}
	var all []site.Server
	var found diag.List
	for _, m := range c.MCP {
		if !c.Catalog.Write && !c.Catalog.ARD && !m.Written {
			found = append(found, diag.New("config-unmatched", m.Node.Span,
				"the MCP server %s is not listed anywhere", diag.Quote(m.Name)).
				WithHint("set catalog: true or ard: true, or write: true on the server"))
		}
		skills, faults, err := toolsOf(c, m, open)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, faults...)
		server := m.Server
		for _, tool := range skills {
			server.Tools = append(server.Tools, tool.ID)
			addText(tools, &source.Node{Kind: source.String, Text: tool.ID, Span: tool.Origin})
		}
		all = append(all, server)
	}
	found = append(found, lint.Texts(tools)...)
	return all, counted(c.Rules, unplaced(found)), nil
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
			diag.Quote(m.Tools.Value), files.Reason(err))}, nil
	}
	reader := mapping.Reader{Limits: c.Limits}
	g, err := reader.Read(context.Background(), tree, mapping.Source{Type: "mcp", Path: m.Tools.Value, Span: m.Tools.Span})
	if err != nil || g.Found.Worst() == diag.Error {
		return nil, g.Found, err
	}
	return g.Skills, nil, nil
}

// siteTexts judges the texts that become public and are on no card: in lists, and as names of
// directories. Those of each agent are judged by its own rules.
func siteTexts(c *config.Config) diag.List {
	judge := func(rules map[string]diag.Severity, texts *source.Node) diag.List {
		return counted(rules, unplaced(lint.Texts(texts)))
	}
	own := gather(nil, c.Node, "title", "owner")
	for _, m := range c.MCP {
		own = gather(own, m.Node, "name", "title", "description", "version", "url", "card", "queries")
	}
	for _, n := range slices.Concat(c.Node.Get("catalogs").Elements(), c.Node.Get("plugins").Elements()) {
		own = gather(own, n, "id", "name", "description", "url", "queries")
	}
	sent := gather(nil, c.Node, "namespace", "publisher")
	found := append(judge(c.Rules, own), slices.DeleteFunc(judge(c.Rules, sent), func(d diag.Diagnostic) bool {
		return d.Rule != "secret-value" // the others are about prose
	})...)
	for i := range c.Agents {
		a := &c.Agents[i]
		faults := judge(a.Rules, gather(nil, a.Node, "id", "path", "host", "queries"))
		if len(c.Agents) > 1 {
			faults = faults.OfAgent(a.ID)
		}
		found = append(found, faults...)
	}
	return found
}

// unplaced returns findings about texts without their places in what was made to
// judge them.
func unplaced(found diag.List) diag.List {
	for i := range found {
		found[i].Pointer = ""
	}
	return found
}

// gather adds what some members hold to the texts that are judged.
func gather(texts, n *source.Node, keys ...string) *source.Node {
	if texts == nil {
		texts = &source.Node{Kind: source.Object}
	}
	for _, key := range keys {
		addText(texts, n.Get(key))
	}
	return texts
}

// addText adds what stands at a place to the texts that are judged.
func addText(texts, n *source.Node) {
	if n != nil {
		texts.Members = append(texts.Members, source.Member{Key: "description", KeySpan: n.Span, Value: n})
	}
}
