package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/nearest"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// decode turns the merged tree into a Config. Values of the wrong kind have
// been reported by the schema and count as absent here.
func (l *loader) decode(root *source.Node, agents []*source.Node) *Config {
	c := &Config{
		Out:     cmp.Or(textOf(root.Get("out")), "dist"),
		Layout:  Layout(cmp.Or(textOf(root.Get("layout")), string(Auto))),
		BaseURL: strings.TrimRight(textOf(root.Get("baseUrl")), "/"),
		Limits:  l.limits(root.Get("limits")),
		Rules:   l.rules(root.Get("rules")),
		Hosting: hosting(root),
		Catalog: Catalog{
			Write:     isTrue(root.Get("catalog")),
			Publisher: strings.ToLower(textOf(root.Get("publisher"))),
			Namespace: textOf(root.Get("namespace")),
		},
		HTML: isTrue(root.Get("html")),
		Node: root,
	}
	for _, node := range agents {
		c.Agents = append(c.Agents, l.agent(node, c.BaseURL))
	}
	if c.Layout == Auto {
		c.Layout = Single
		if len(c.Agents) > 1 {
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
	for _, m := range membersOf(n) {
		severity, ok := diag.ParseSeverity(textOf(m.Value))
		if !ok {
			continue
		}
		out[m.Key] = severity
		if !contains(l.Rules, m.Key) {
			hint := "cardwright rules lists them"
			if near, ok := nearest.Nearest(m.Key, l.Rules); ok {
				hint = fmt.Sprintf("did you mean %s?", near)
			}
			l.report(diag.Diagnostic{Rule: "config-key-unknown", Message: fmt.Sprintf("no rule is named %q", m.Key), Hint: hint, Span: m.KeySpan})
		}
	}
	return out
}

func hosting(root *source.Node) Hosting {
	h := Hosting{
		Servers:          texts(root.Get("servers")),
		CacheControl:     textOf(root.Get("cacheControl")),
		NoCORS:           textOf(root.Get("cors")) == "false",
		DraftDeprecation: textOf(root.Get("deprecationStyle")) == "draft",
		Sunset:           textOf(root.Get("sunset")),
	}
	switch text := textOf(root.Get("deprecation")); text {
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
		ID:   textOf(n.Get("id")),
		Host: strings.ToLower(textOf(n.Get("host"))),
		Card: schema.Card{
			Name:             textOf(n.Get("name")),
			Description:      strings.TrimSpace(textOf(n.Get("description"))),
			Version:          textOf(n.Get("version")),
			DocumentationURL: textOf(n.Get("documentationUrl")),
			IconURL:          textOf(n.Get("iconUrl")),
			Capabilities:     capabilities(n.Get("capabilities")),
			InputModes:       texts(n.Get("defaultInputModes")),
			OutputModes:      texts(n.Get("defaultOutputModes")),
		},
		Skills:     skills(n.Get("skills")),
		LegacyPath: textOf(n.Get("legacyPath")) != "false",
		Compat:     texts(n.Get("compat")),
		Rules:      l.rules(n.Get("rules")),
		Signing:    signing(n.Get("signing")),
		Node:       n,
	}
	if p := n.Get("provider"); p.Is(source.Object) {
		a.Card.Provider = &schema.Provider{Organization: textOf(p.Get("organization")), URL: textOf(p.Get("url"))}
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
			l.report(diag.Diagnostic{Rule: "config-value", Message: fmt.Sprintf("auth.providers and securitySchemes both define %q", name), Span: m.KeySpan, Hint: "give the provider another name"})
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
	c := schema.Capabilities{
		Streaming:              boolOf(n.Get("streaming")),
		PushNotifications:      boolOf(n.Get("pushNotifications")),
		ExtendedAgentCard:      boolOf(n.Get("extendedAgentCard")),
		StateTransitionHistory: boolOf(n.Get("stateTransitionHistory")),
	}
	for _, e := range itemsOf(n.Get("extensions")) {
		c.Extensions = append(c.Extensions, schema.Extension{
			URI:         textOf(e.Get("uri")),
			Description: textOf(e.Get("description")),
			Required:    isTrue(e.Get("required")),
			Params:      e.Get("params"),
		})
	}
	return c
}

func schemes(n *source.Node) map[string]schema.SecurityScheme {
	if len(membersOf(n)) == 0 {
		return nil
	}
	out := map[string]schema.SecurityScheme{}
	for _, m := range n.Members {
		v := m.Value
		out[m.Key] = schema.SecurityScheme{
			Type:              schema.SchemeType(textOf(v.Get("type"))),
			Description:       textOf(v.Get("description")),
			In:                textOf(v.Get("in")),
			Name:              textOf(v.Get("name")),
			Scheme:            textOf(v.Get("scheme")),
			BearerFormat:      textOf(v.Get("bearerFormat")),
			Flows:             flows(v.Get("flows")),
			OAuth2MetadataURL: textOf(v.Get("oauth2MetadataUrl")),
			OpenIDConnectURL:  textOf(v.Get("openIdConnectUrl")),
		}
	}
	return out
}

func flows(n *source.Node) []schema.Flow {
	var out []schema.Flow
	for _, kind := range schema.FlowTypes() {
		f := n.Get(string(kind))
		if !f.Is(source.Object) {
			continue
		}
		scopes := map[string]string{}
		for _, m := range membersOf(f.Get("scopes")) {
			scopes[m.Key] = textOf(m.Value)
		}
		out = append(out, schema.Flow{
			Type:                   kind,
			AuthorizationURL:       textOf(f.Get("authorizationUrl")),
			DeviceAuthorizationURL: textOf(f.Get("deviceAuthorizationUrl")),
			TokenURL:               textOf(f.Get("tokenUrl")),
			RefreshURL:             textOf(f.Get("refreshUrl")),
			Scopes:                 scopes,
			PKCERequired:           isTrue(f.Get("pkceRequired")),
		})
	}
	return out
}

func requirements(n *source.Node) []schema.Requirement {
	var out []schema.Requirement
	for _, item := range itemsOf(n) {
		r := schema.Requirement{}
		for _, m := range membersOf(item) {
			r[m.Key] = texts(m.Value)
		}
		out = append(out, r)
	}
	return out
}

func signing(n *source.Node) []Signing {
	items := itemsOf(n)
	if n.Is(source.Object) {
		items = []*source.Node{n}
	}
	var out []Signing
	for _, s := range items {
		out = append(out, Signing{
			Key:     textOf(s.Get("key")),
			Alg:     textOf(s.Get("alg")),
			Kid:     textOf(s.Get("kid")),
			JKU:     textOf(s.Get("jku")),
			Publish: texts(s.Get("publish")),
			Span:    s.Span,
		})
	}
	return out
}
