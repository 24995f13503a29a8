package config

import (
	"maps"
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
	c := &Config{Files: l.included.names}
	fill(c, root)
	l.checkRules(root.Get("rules"))
	c.BaseURL, c.Publisher = strings.TrimRight(c.BaseURL, "/"), strings.ToLower(c.Publisher)
	l.checkBaseURL(c.BaseURL, root.Get("baseUrl"))
	for _, node := range agents {
		before := len(l.found)
		a := l.agent(node, c.BaseURL, c.Rules)
		if len(agents) > 1 {
			l.found[before:].OfAgent(a.ID)
		}
		c.Agents = append(c.Agents, a)
	}
	if c.Auto = c.Layout == Auto; c.Auto {
		c.Layout = Single
		if len(c.Agents) > 1 {
			c.Layout = Path
		}
	}
	l.checkLayout(c, root)
	return c
}

// checkBaseURL reports a base that is the URL of a file of the tree.
func (l *loader) checkBaseURL(base string, n *source.Node) {
	if before, file, is := strings.Cut(base, "/.well-known/"); is {
		l.report(diag.New(diag.ConfigValue, n.Span,
			"baseUrl is the URL of .well-known/%s, must be where the output directory is served", file).
			WithHint("write baseUrl: " + before))
	}
}

// checkRules reports an id that no rule has: the switch would silently do nothing.
func (l *loader) checkRules(n *source.Node) {
	for _, m := range n.Fields() {
		rule, _ := diag.ParseRuleID(m.Key)
		if _, known := rule.Rule(); !known {
			hint := l.ruleNames.Hint(m.Key, "run cardwright rules for a list")
			l.report(diag.New(diag.ConfigKeyUnknown, m.KeySpan, "there is no rule %q", m.Key).WithHint(hint))
		}
	}
}

func (l *loader) agent(n *source.Node, base string, rules map[diag.RuleID]diag.Severity) Agent {
	a := Agent{}
	fill(&a, n)
	l.checkRules(n.Get("rules"))
	own := a.Rules
	a.Rules = maps.Clone(rules)
	maps.Copy(a.Rules, own)
	a.Host = strings.ToLower(a.Host)
	a.Skills.read(n.Get("skills"))
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
		d.Rule = diag.ConfigValue
		l.report(d)
	}
	for name, scheme := range auth.Schemes {
		if m := n.Get("securitySchemes").Member(name); m != nil {
			l.report(diag.New(diag.ConfigValue, m.KeySpan, "auth.providers and securitySchemes both define %q", name).
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
