package discovery

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // style and script of the page
	"encoding/base64"
	"fmt"
	"html/template"
)

// PagePath is where the page goes, below the root of its site.
const PagePath = "index.html"

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
	Style     template.CSS
	Script    template.JS
	Agents    []agentView
	Skills    int // of all agents
	Tags      []tagView
	MoreTags  []tagView
	Catalogue string // path of the AI Catalog, "" when there is none
	ARD       string // path of ard.json, likewise
}

// Page returns the page for people: one HTML document that needs nothing else,
// the same bytes for the same site. What the cards say is text in it, whatever
// it looks like; a reader sees the characters that are meant to be overlooked.
func (s Site) Page() ([]byte, error) {
	t, err := template.New("").Funcs(template.FuncMap{"count": count}).Parse(pageText)
	if err != nil {
		return nil, fmt.Errorf("reading the template of the page: %w", err)
	}
	p := page{
		Title:  label(s.Title),
		CSP:    s.policy(),
		Style:  style,
		Script: script,
	}
	if p.Title == "" {
		p.Title = "Agents"
	}
	if s.Catalog {
		p.Catalogue = Path
	}
	if s.HasARD {
		p.ARD = ARDPath
	}
	tags := collectTags(s.Agents)
	p.Tags, p.MoreTags = tags.views()
	used := anchors{}
	for _, a := range s.Agents {
		p.Agents = append(p.Agents, newAgentView(a, used.of(a.ID), tags))
		p.Skills += len(a.Card.Skills)
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "page", p); err != nil {
		return nil, fmt.Errorf("writing the page: %w", err)
	}
	return out.Bytes(), nil
}

// policy is the Content-Security-Policy of the page: its own style and script,
// its empty icon, and nothing else. Lighthouse fetches ard.json as the page would,
// so that one with an ard.json may connect to its own host.
func (s Site) policy() string {
	connect := ""
	if s.HasARD {
		connect = "; connect-src 'self'"
	}
	return "default-src 'none'; style-src " + hash(string(style)) + "; script-src " + hash(string(script)) + connect +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

// hash is how a Content-Security-Policy names an inline element by its text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
