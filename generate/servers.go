package generate

import (
	"context"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/lint"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// servers are the MCP servers of the configuration, with the names of their tools.
func (r *run) servers() ([]discovery.Server, diag.List, error) {
	c := r.Config
	var all []discovery.Server
	found := r.checkTexts()
	for _, m := range c.MCP {
		if !c.Catalog.Write && !c.Catalog.ARD && !m.Write {
			found = append(found, diag.New("config-unmatched", m.Node.Span,
				"the MCP server %s is not listed anywhere", diag.Quote(m.Name)).
				WithHint("set catalog: true or ard: true, or write: true on the server"))
		}
		tools, faults, err := r.tools(m)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, faults...)
		all = append(all, discovery.Server{
			Name: m.Name, Title: m.Title, Description: m.Description, Version: m.Version, URL: m.URL, Transport: m.Transport,
			Versions: m.Versions, Card: m.Card, Written: m.Write, Tools: tools, Queries: m.Queries, Span: m.Node.Span,
		})
	}
	return all, found, nil
}

// tools are the names of the tools in the saved answer of a server.
func (r *run) tools(m config.MCP) ([]string, diag.List, error) {
	if m.Tools.Value == "" || r.Open == nil {
		return nil, nil, nil
	}
	tree, err := r.Open(m.Tools.Value)
	if err != nil {
		return nil, diag.List{diag.New("config-value", m.Tools.Span, "the tools %s cannot be read: %s",
			diag.Quote(m.Tools.Value), safefile.Reason(err))}, nil
	}
	reader := mapping.Reader{Limits: r.Config.Limits}
	g, err := reader.Read(context.Background(), tree, mapping.Source{Type: "mcp", Path: m.Tools.Value, Span: m.Tools.Span})
	if err != nil || g.Found.Worst() == diag.Error {
		return nil, g.Found, err
	}
	var names []string
	texts := &source.Node{Kind: source.Object}
	for _, s := range g.Skills {
		names = append(names, s.ID)
		name := source.NewText(s.ID)
		name.Span = s.Origin
		addText(texts, name)
	}
	return names, r.judge(texts), nil
}

// checkTexts judges the texts that go into the catalogs and into no card, by the
// rules about what a text holds.
func (r *run) checkTexts() diag.List {
	texts := &source.Node{Kind: source.Object}
	add := func(n *source.Node) { addText(texts, n) }
	for _, key := range []string{"title", "owner"} {
		add(r.Config.Node.Get(key))
	}
	for i := range r.Config.Agents {
		for _, key := range []string{"queries", "owner"} {
			add(r.Config.Agents[i].Node.Get(key))
		}
	}
	for _, m := range r.Config.MCP {
		for _, key := range []string{"title", "description", "version", "url", "card", "queries"} {
			add(m.Node.Get(key))
		}
	}
	for _, n := range r.Config.Nested {
		for _, key := range []string{"name", "description", "url", "queries"} {
			add(n.Node.Get(key))
		}
	}
	return r.judge(texts)
}

// addText adds what stands at a place to the texts that are judged.
func addText(texts, n *source.Node) {
	if n != nil {
		texts.Members = append(texts.Members, source.Member{Key: "description", KeySpan: n.Span, Value: n})
	}
}

// judge judges texts that go into no card.
func (r *run) judge(texts *source.Node) diag.List {
	var found diag.List
	for _, d := range lint.Texts(texts) {
		if d.Severity > diag.Info || r.Notes {
			d.Pointer = ""
			found = append(found, d)
		}
	}
	return found
}
