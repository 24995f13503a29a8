package config

import (
	"cmp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// decode turns the merged tree into a Config. Values of the wrong kind have
// been reported by the schema and count as absent here.
func (l *loader) decode(root *source.Node, agents []*source.Node) *Config {
	c := &Config{
		Out:     cmp.Or(root.Get("out").ScalarText(), "dist"),
		Layout:  Layout(cmp.Or(root.Get("layout").ScalarText(), string(Auto))),
		BaseURL: strings.TrimRight(root.Get("baseUrl").ScalarText(), "/"),
		Limits:  l.limits(root.Get("limits")),
		Rules:   l.rules(root.Get("rules")),
		Hosting: hosting(root),
		Catalog: Catalog{
			Write:     isTrue(root.Get("catalog")),
			ARD:       isTrue(root.Get("ard")),
			Publisher: strings.ToLower(root.Get("publisher").ScalarText()),
			Namespace: root.Get("namespace").ScalarText(),
		},
		Skills:  agentSkills(root.Get("agentSkills")),
		MCP:     l.servers(root.Get("mcp")),
		Nested:  l.nested(root.Get("catalogs")),
		Targets: texts(root.Get("targets")),
		HTML:    isTrue(root.Get("html")),
		Title:   root.Get("title").ScalarText(),
		Accent:  root.Get("accentColor").ScalarText(),
		Node:    root,
		Files:   l.names,
		Shared:  l.names[:min(l.shared, len(l.names))],
		Partial: l.skipped > 0,
	}
	if l.SkipLists {
		c.Skipped = c.Catalog.Write || c.Catalog.ARD || c.HTML || len(c.MCP) > 0
		c.Catalog.Write, c.Catalog.ARD, c.HTML, c.MCP = false, false, false, nil
	}
	for _, node := range agents {
		before := len(l.found)
		a := l.agent(node, c.BaseURL)
		if len(agents) > 1 {
			l.found[before:].OfAgent(a.ID)
		}
		a.Owner = cmp.Or(node.Get("owner").ScalarText(), root.Get("owner").ScalarText())
		a.Policies = l.policies(root.Get("policies"), node.Get("policies"))
		c.Agents = append(c.Agents, a)
	}
	if c.Layout == Auto {
		c.Layout = Single
		if len(c.Agents) > 1 || c.Partial {
			c.Layout = Path
		}
	}
	l.checkLayout(c, root)
	return c
}

func (l *loader) limits(n *source.Node) source.Limits {
	return source.Limits{
		Frontmatter: cmp.Or(l.Limits.Frontmatter, intOf(n.Get("frontmatter"))),
		Source:      cmp.Or(l.Limits.Source, intOf(n.Get("source"))),
		Card:        cmp.Or(l.Limits.Card, intOf(n.Get("card"))),
		Nesting:     cmp.Or(l.Limits.Nesting, intOf(n.Get("nesting"))),
		Depth:       cmp.Or(l.Limits.Depth, intOf(n.Get("depth"))),
		Skills:      cmp.Or(l.Limits.Skills, intOf(n.Get("skills"))),
	}.WithDefaults()
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

func hosting(root *source.Node) Hosting {
	h := Hosting{
		Servers:          texts(root.Get("servers")),
		CacheControl:     root.Get("cacheControl").ScalarText(),
		NoCORS:           root.Get("cors").ScalarText() == "false",
		DraftDeprecation: root.Get("deprecationStyle").ScalarText() == "draft",
		Sunset:           root.Get("sunset").ScalarText(),
	}
	switch text := root.Get("deprecation").ScalarText(); text {
	case "false":
		h.NoDeprecation = true
	case "true":
	default:
		h.Deprecation = text
	}
	return h
}

func (l *loader) agent(n *source.Node, base string) Agent {
	a := Agent{
		ID:         n.Get("id").ScalarText(),
		Host:       strings.ToLower(n.Get("host").ScalarText()),
		Skills:     skills(n.Get("skills")),
		Path:       n.Get("path").ScalarText(),
		LegacyPath: legacy(n.Get("legacyPath")),
		Queries:    texts(n.Get("queries")),
		Compat:     texts(n.Get("compat")),
		Rules:      l.rules(n.Get("rules")),
		Signing:    signing(n.Get("signing")),
		Node:       n,
	}
	schema.Fill(schema.CardMessage, &a.Card, n)
	a.Card.Description = strings.TrimSpace(a.Card.Description)
	a.Card.Capabilities = capabilities(n.Get("capabilities"))
	if p := n.Get("provider"); p.Is(source.Object) {
		a.Card.Provider = &schema.Provider{}
		schema.Fill(schema.ProviderMessage, a.Card.Provider, p)
	}
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
	a.Card.SecuritySchemes = schemes(n.Get("securitySchemes"))
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
	a.Card.Security = slices.Concat(auth.Security, requirements(n.Get("security")))
}

func capabilities(n *source.Node) schema.Capabilities {
	var c schema.Capabilities
	schema.Fill(schema.CapabilitiesMessage, &c, n)
	for _, item := range n.Get("extensions").Elements() {
		e := schema.Extension{Params: item.Get("params")}
		schema.Fill(schema.ExtensionMessage, &e, item)
		c.Extensions = append(c.Extensions, e)
	}
	return c
}

func schemes(n *source.Node) map[string]schema.SecurityScheme {
	if len(n.Fields()) == 0 {
		return nil
	}
	out := map[string]schema.SecurityScheme{}
	for _, m := range n.Members {
		kind := schema.SchemeType(m.Value.Get("type").ScalarText())
		s := schema.SecurityScheme{Type: kind, Flows: flows(m.Value.Get("flows"))}
		schema.Fill(s.Type.Message(), &s, m.Value)
		out[m.Key] = s
	}
	return out
}

func flows(n *source.Node) []schema.Flow {
	var out []schema.Flow
	for _, kind := range schema.FlowTypes() {
		node := n.Get(string(kind))
		if !node.Is(source.Object) {
			continue
		}
		f := schema.Flow{Type: kind, Scopes: map[string]string{}}
		for _, m := range node.Get("scopes").Fields() {
			f.Scopes[m.Key] = m.Value.ScalarText()
		}
		schema.Fill(kind.Message(), &f, node)
		out = append(out, f)
	}
	return out
}

func requirements(n *source.Node) []schema.Requirement {
	var out []schema.Requirement
	for _, item := range n.Elements() {
		r := schema.Requirement{}
		for _, m := range item.Fields() {
			r[m.Key] = texts(m.Value)
		}
		out = append(out, r)
	}
	return out
}

func signing(n *source.Node) []Signing {
	items := n.Elements()
	if n.Is(source.Object) {
		items = []*source.Node{n}
	}
	var out []Signing
	for _, s := range items {
		out = append(out, Signing{
			Key:     s.Get("key").ScalarText(),
			Alg:     s.Get("alg").ScalarText(),
			Kid:     s.Get("kid").ScalarText(),
			JKU:     s.Get("jku").ScalarText(),
			Compat:  s.Get("compat").ScalarText(),
			Publish: texts(s.Get("publish")),
			Span:    s.Span,
		})
	}
	return out
}
