package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // the template of the page
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"cardwright/internal/lint"
	"cardwright/schema"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// clampAt is the number of characters from which a description is folded.
const clampAt = 280

// page is what the template reads.
type page struct {
	Title, Catalog string
	Policy         string // Content-Security-Policy
	Style          template.CSS
	Script         template.JS
	Mark           template.HTML
	Agents         []agentView
	Skills         int // of all agents
	Install        []Skill
	URL            string
}

// agentView is an agent as the page shows it.
type agentView struct {
	*schema.Card
	Alone        bool // on the page
	Anchor, Link string
	Protocols    []string
	Ways         []string // what a client needs, any one of them
	Abilities    []string
	Shared       []string // tags that every skill has
}

// Page returns the page for people: one HTML document that needs no other file. What cards
// say is text in it; characters that no one would see stand there by their number.
func (s Site) Page() ([]byte, error) {
	t, err := template.New("page").Funcs(template.FuncMap{
		"text": visible, "long": long, "web": web, "without": without,
	}).Parse(pageText)
	if err != nil {
		return nil, fmt.Errorf("reading the template of the page: %w", err)
	}
	p := page{
		Style: template.CSS(pageStyle), Script: template.JS(pageScript), Policy: policy(), //nolint:gosec // both are ours
		Title: "Agents", Mark: PageMark, Install: s.Skills, URL: s.URL,
	}
	if name := s.organization(); name != "" {
		p.Title += " of " + name
	}
	if s.Catalog {
		p.Catalog = CatalogPath
	}
	for _, a := range s.sortedAgents() {
		p.Agents = append(p.Agents, newAgentView(a))
		p.Skills += len(a.Card.Skills)
	}
	if len(p.Agents) == 1 {
		p.Title, p.Agents[0].Alone = p.Agents[0].Name, true
	}
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return nil, fmt.Errorf("writing the page: %w", err)
	}
	return out.Bytes(), nil
}

func newAgentView(a Agent) agentView {
	v := agentView{
		Card: a.Card, Anchor: "agent-" + a.ID, Link: cmp.Or(a.URL, a.Path), Ways: ways(a.Card),
		Abilities: abilities(a.Card.Capabilities), Shared: shared(a.Card.Skills),
	}
	for _, i := range a.Card.Interfaces {
		v.Protocols = append(v.Protocols, i.Version)
	}
	slices.Sort(v.Protocols)
	v.Protocols = slices.Compact(v.Protocols)
	return v
}

func abilities(c schema.Capabilities) []string {
	var words []string
	for _, flag := range []struct {
		set  *bool
		word string
	}{
		{c.Streaming, "streaming"},
		{c.PushNotifications, "push notifications"},
		{c.StateTransitionHistory, "state transition history"},
		{c.ExtendedAgentCard, "an extended card for authenticated clients"},
	} {
		if flag.set != nil && *flag.set {
			words = append(words, flag.word)
		}
	}
	return words
}

// without returns the tags that are not among others.
func without(tags, others []string) []string {
	return slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return slices.Contains(others, tag) })
}

// shared returns the tags that all of several skills have.
func shared(skills []schema.Skill) []string {
	if len(skills) < 2 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(skills[0].Tags), func(tag string) bool {
		return slices.ContainsFunc(skills, func(s schema.Skill) bool { return !slices.Contains(s.Tags, tag) })
	})
}

// ways returns what a client needs to call the agent: any one of the texts is enough.
func ways(c *schema.Card) []string {
	var all []string
	for _, r := range c.Security {
		var together []string
		for _, name := range slices.Sorted(maps.Keys(r)) {
			words := schemeWords(c.SecuritySchemes[name], name)
			if len(r[name]) > 0 {
				words += " with " + strings.Join(r[name], ", ")
			}
			together = append(together, words)
		}
		all = append(all, strings.Join(together, " and "))
		if len(r) == 0 {
			all[len(all)-1] = "no authentication"
		}
	}
	return all
}

// schemeWords says how a scheme identifies clients, and what the card says about it.
func schemeWords(s schema.SecurityScheme, name string) string {
	switch s.Type {
	case schema.APIKey:
		name = "API key in " + s.In + " " + s.Name
	case schema.HTTPAuth:
		name = strings.TrimSpace("HTTP " + s.Scheme + " " + s.BearerFormat)
	case schema.OAuth2:
		var flows []string
		for _, f := range s.Flows {
			flows = append(flows, string(f.Type))
		}
		name = "OAuth 2.0 " + strings.Join(flows, " or ")
	case schema.OpenIDConnect:
		name = "OpenID Connect at " + s.OpenIDConnectURL
	case schema.MutualTLS:
		name = "client certificate"
	}
	if s.Description != "" {
		name += " (" + s.Description + ")"
	}
	return name
}

// visible returns text with the characters that no one would see by their number.
func visible(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	return lint.Reveal(text, func(r rune) string { return fmt.Sprintf("⟨U+%04X⟩", r) })
}

// long reports whether a text is folded.
func long(text string) bool { return utf8.RuneCountInString(visible(text)) > clampAt }

// policy allows the style and the script of the page, and nothing of another origin: tools
// that measure the page ask its own for robots.txt.
func policy() string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; style-src " + hash(pageStyle) + "; script-src " + hash(pageScript) +
		"; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
}

// web returns an address that a link may lead to, "" for any other: a user name before the
// host, or a character that no one sees, is there to mislead.
func web(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		visible(address) != address {
		return ""
	}
	return address
}
