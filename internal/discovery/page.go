package discovery

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // style and script of the page
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"cardwright/internal/tree"
)

var (
	//go:embed page.html.tmpl
	pageText string
	//go:embed style.css
	style template.CSS
	//go:embed script.js
	script template.JS
)

// page is what the template sees. All text in it has gone through [shown].
type page struct {
	Title     string
	CSP       string
	Accent    string // "" for the default
	Icon      icon
	Class     string // of the body
	Style     template.CSS
	Script    template.JS
	Agents    []agentView
	Several   bool // an overview and a search are worth their place
	Owners    bool // an agent has one
	Skills    int  // of all agents
	Tags      []tagView
	MoreTags  []tagView
	Catalog   string // path of the AI Catalog, "" when there is none
	ARD       string // path of ard.json, likewise
	Published []publishedView
}

// denseFrom is from how many agents on a row of the overview is as low as a
// finger allows.
const denseFrom = 21

// Page returns the page for people: one HTML document that needs nothing else,
// the same bytes for the same site. What the cards say is text in it, whatever
// it looks like; a reader sees the characters that are meant to be overlooked.
func (s Site) Page() ([]byte, error) {
	t, err := template.New("").Funcs(template.FuncMap{"count": count}).Parse(pageText)
	if err != nil {
		return nil, fmt.Errorf("reading the template of the page: %w", err)
	}
	own := style
	if s.Accent != "" {
		own += accentStyle(s.Accent)
	}
	p := page{
		Title:   cmp.Or(label(s.Title), "Agents"),
		CSP:     policy(own),
		Accent:  s.Accent,
		Style:   own,
		Script:  script,
		Several: len(s.Agents) > 1,
	}
	p.Icon = newIcon(cmp.Or(label(s.Host.Name), p.Title), cmp.Or(s.Accent, defaultAccent))
	if s.Catalog {
		p.Catalog = tree.CatalogPath
	}
	if s.HasARD {
		p.ARD = tree.ARDPath
	}
	p.Published = s.publishedViews()
	agents := inOrder(s.Agents)
	tags := collectTags(agents)
	p.Tags, p.MoreTags = tags.views(len(agents))
	for i, anchor := range anchorsOf(agents) {
		v := newAgentView(agents[i], anchor, tags)
		v.Open = !p.Several
		p.Agents = append(p.Agents, v)
		p.Skills += len(agents[i].Card.Skills)
		p.Owners = p.Owners || v.Owner != ""
	}
	p.Class = class(p)
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "page", p); err != nil {
		return nil, fmt.Errorf("writing the page: %w", err)
	}
	return out.Bytes(), nil
}

// class says what the style has to know about the page.
func class(p page) string {
	var names []string
	if !p.Several {
		names = append(names, "single")
	}
	if len(p.Agents) >= denseFrom {
		names = append(names, "dense")
	}
	if p.Owners {
		names = append(names, "owners")
	}
	return strings.Join(names, " ")
}

// inOrder returns the agents as people look for them: by name, numbers by their
// value.
func inOrder(agents []Agent) []Agent {
	sorted := slices.Clone(agents)
	slices.SortStableFunc(sorted, func(a, b Agent) int {
		return cmp.Or(natural(a.name(), b.name()), natural(a.ID, b.ID))
	})
	return sorted
}

// name is what the page calls the agent.
func (a Agent) name() string { return cmp.Or(label(a.Card.Name), label(a.ID)) }

// policy is the Content-Security-Policy of the page: its own style and script,
// its icon, and nothing else. Audits in the browser fetch files of the same host
// (robots.txt, the catalog), which connect-src allows; the page itself does not.
func policy(style template.CSS) string {
	return "default-src 'none'; style-src " + hash(string(style)) + "; script-src " + hash(string(script)) +
		"; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
}

// hash is how a Content-Security-Policy names an inline element by its text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
