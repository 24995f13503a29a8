package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// decode turns the merged tree into a Config. Values of the wrong kind have
// been reported by the schema and count as absent here.
func (l *loader) decode(root *source.Node, agents []*source.Node) *Config {
	c := &Config{
		Rules: l.rules(root.Get("rules")),
		MCP:   l.servers(root.Get("mcp")),
		Nested: append(l.nested(root.Get("catalogs"), site.CatalogKind),
			l.nested(root.Get("plugins"), site.PluginKind)...),
		Files:   l.names,
		Shared:  l.names[:min(l.shared, len(l.names))],
		Partial: l.skipped > 0 || len(l.broken()) > 0,
		Outside: l.anyOutside(root.Without("agents").Without("defaults").Without("environments").Without("vars")),
	}
	fill(c, root)
	c.BaseURL, c.Catalog.Publisher = strings.TrimRight(c.BaseURL, "/"), strings.ToLower(c.Catalog.Publisher)
	if root.Get("catalog").ScalarText() == "inline" {
		c.Catalog.Write, c.Catalog.Inline = true, true
	}
	c.Limits = l.Limits.Or(c.Limits).WithDefaults()
	c.Hosting.NoCORS = root.Get("cors").ScalarText() == "false"
	for _, n := range root.Get("list").Elements() {
		c.List = append(c.List, Text{n.ScalarText(), n.Span})
	}
	if l.SkipLists {
		c.skipLists()
	}
	for i, node := range agents {
		before := len(l.found)
		a := l.agent(node, c.BaseURL, c.Rules)
		if i < len(l.wrote) && l.wrote[i] != nil {
			a.Team = l.wrote[i].file
		}
		if len(agents) > 1 {
			l.found[before:].OfAgent(a.ID)
		}
		a.Owner = cmp.Or(a.Owner, root.Get("owner").ScalarText())
		a.Policies = l.policies(root.Get("policies"), node.Get("policies"))
		c.Agents = append(c.Agents, a)
	}
	if c.Auto = c.Layout == Auto; c.Auto {
		c.Layout = Single
		if len(c.Agents) > 1 || c.Partial {
			c.Layout = Path
		}
	}
	l.checkLayout(c, root)
	l.leaveOut(c)
	return c
}

// anyOutside reports whether any text in a tree has a value of the environment.
func (l *loader) anyOutside(n *source.Node) bool {
	for v := range n.All() {
		if l.outside[v] {
			return true
		}
	}
	return false
}

// leaveOut removes the agents of teams whose files have errors.
func (l *loader) leaveOut(c *Config) {
	broken := l.broken()
	for _, name := range c.Files[len(c.Shared):] {
		c.Teams = append(c.Teams, Team{File: name, Owner: l.ownerOf(name), Broken: broken[name]})
		delete(broken, name)
	}
	for _, name := range slices.Sorted(maps.Keys(broken)) { // which could not even be read
		c.Teams = append(c.Teams, Team{File: name, Owner: l.ownerOf(name), Broken: true})
	}
	before := len(c.Agents)
	broken = l.broken()
	c.Reach = map[string][]string{}
	for name, t := range l.teams {
		c.Reach[name] = t.dirs
	}
	c.Agents = slices.DeleteFunc(c.Agents, func(a Agent) bool { return broken[a.Team] })
	c.Partial = c.Partial || len(c.Agents) < before
}

// Lists reports whether there are files that list all agents of a site, written by this
// run or not.
func (c *Config) Lists() bool {
	return c.Skipped || c.Catalog.Write || c.Catalog.ARD || c.Catalog.Link || c.HTML || len(c.MCP) > 0
}

// skipLists leaves out the files that list all agents of a site.
func (c *Config) skipLists() {
	c.Skipped = c.Lists()
	c.Catalog.Write, c.Catalog.ARD, c.Catalog.Link, c.HTML, c.MCP = false, false, false, false, nil
}

// KeepLists makes a run leave the files as they are that list all agents, or the
// skills of all, because it does not know all of them.
func (c *Config) KeepLists() {
	c.skipLists()
	c.Skipped = c.Skipped || len(c.Skills.Publish) > 0
	c.Skills.Publish, c.Partial = nil, true
}

// rules reads severities by rule id. An id that no rule has is an error: the
// switch would silently do nothing.
func (l *loader) rules(n *source.Node) map[string]diag.Severity {
	out := map[string]diag.Severity{}
	for _, m := range n.Fields() {
		severity, ok := diag.ParseSeverity(m.Value.ScalarText())
		if !ok {
			continue
		}
		out[m.Key] = severity
		if _, known := diag.FindRule(m.Key); !known {
			hint := l.ruleNames.Hint(m.Key, "run cardwright rules for a list")
			l.report(diag.New("config-key-unknown", m.KeySpan, "there is no rule %q", m.Key).WithHint(hint))
		}
	}
	return out
}

func (l *loader) agent(n *source.Node, base string, rules map[string]diag.Severity) Agent {
	a := Agent{Outside: l.anyOutside(n), Rules: maps.Clone(rules)}
	fill(&a, n)
	a.Host = strings.ToLower(a.Host)
	a.Skills.read(n.Get("skills"))
	if a.Signing == nil && n.Get("signing").Is(source.Object) {
		a.Signing = make([]Signing, 1)
		fill(&a.Signing[0], n.Get("signing"))
	}
	maps.Copy(a.Rules, l.rules(n.Get("rules")))
	a.Card = *schema.Configured(n)
	a.Card.Description = strings.TrimSpace(a.Card.Description)
	a.Card.Interfaces, a.InterfaceIndex = l.interfaces(n.Get("interfaces"), base, a.Skills.version())
	l.security(&a, n)
	return a
}

// security joins the schemes and requirements that auth.providers stand for
// with those that are spelled out.
func (l *loader) security(a *Agent, n *source.Node) {
	auth, found := mapping.AuthProviders(n.Get("auth").Get("providers"), diag.Error)
	for _, d := range found {
		d.Rule = "config-value"
		l.report(d)
	}
	for name, scheme := range auth.Schemes {
		if m := n.Get("securitySchemes").Member(name); m != nil {
			l.report(diag.New("config-value", m.KeySpan, "auth.providers and securitySchemes both define %q", name).
				WithHint("give the provider another name"))
			continue
		}
		if a.Card.SecuritySchemes == nil {
			a.Card.SecuritySchemes = map[string]schema.SecurityScheme{}
		}
		a.Card.SecuritySchemes[name] = scheme
	}
	a.Card.Security = slices.Concat(auth.Security, a.Card.Security)
}
