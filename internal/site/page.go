package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // style and script of the page
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cardwright/internal/tree"
	"cardwright/schema"
)

var (
	//go:embed page.html.tmpl
	pageText string
	//go:embed style.css
	style template.CSS
	//go:embed script.js
	script template.JS
)

// few is how many agents the page shows side by side with their whole descriptions.
// More are a list of one row each.
const few = 12

// page is what the template sees. It shows text with [line], [label] or [prose] only.
type page struct {
	Site
	Title, CSP       string
	Icon             template.URL
	Class            string // of the body
	Style            template.CSS
	Script           template.JS
	Agents           []agentView
	Skills           int // of all agents
	Tags             []*tagView
	AICatalog, ArdAt string // paths of the catalogs, "" where there is none
}

// agentView is an agent as the page shows it.
type agentView struct {
	Agent
	Name, Anchor string
	Tags         string   // numbers of its tags that the filter has
	Protocols    []string // versions of A2A, the newest first
	Interfaces   []interfaceView
	Link         link // to the card
	Open, Whole  bool // when the page is loaded: with all of it, and with the names of its skills
}

// interfaceView is one address of an agent, with all the versions it speaks.
type interfaceView struct {
	schema.Interface
	Versions []string
}

// Page returns the page for people: one HTML document that needs nothing else,
// the same bytes for the same site. What the cards say is text in it, whatever
// it looks like; a reader sees the characters that are meant to be overlooked.
func (s Site) Page() ([]byte, error) {
	t, err := template.New("").Funcs(template.FuncMap{
		"count": count, "label": label, "labels": labels, "line": line, "prose": prose, "link": newLink,
		"needs": needs, "offered": offered, "notes": notes, "sorted": sortedSkills, "capabilities": capabilities,
	}).Parse(pageText)
	if err != nil {
		return nil, fmt.Errorf("reading the template of the page: %w", err)
	}
	agents := inOrder(s.Agents)
	p := page{Site: s, Title: cmp.Or(label(s.Title), "Agents"), Style: style, Script: script, Class: "list"}
	if s.Accent != "" { // which the configuration has checked
		p.Style += template.CSS(":root { --own: " + s.Accent + "; }\n") //nolint:gosec // #rgb or #rrggbb
	}
	p.CSP, p.Icon = policy(p.Style), icon(cmp.Or(label(s.Host.Name), p.Title), cmp.Or(s.Accent, "#2b46c8"))
	switch {
	case len(agents) == 1:
		p.Class = "few single"
	case len(agents) <= few:
		p.Class = "few"
	}
	if s.Catalog {
		p.AICatalog = tree.CatalogPath
	}
	if s.HasARD {
		p.ArdAt = tree.ARDPath
		if s.Catalog { // for Lighthouse up to 13.5, which reads this link and wants more than an AI Catalog has
			p.AICatalog = tree.ARDPath
		}
	}
	p.Tags = filterTags(agents)
	for i, anchor := range anchorsOf(agents) {
		p.Agents = append(p.Agents, newAgentView(agents[i], anchor, p.Tags))
		p.Agents[i].Open, p.Agents[i].Whole = len(agents) == 1, 1 < len(agents) && len(agents) <= few
		p.Skills += len(agents[i].Card.Skills)
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "page", p); err != nil {
		return nil, fmt.Errorf("writing the page: %w", err)
	}
	return out.Bytes(), nil
}

func newAgentView(a Agent, anchor string, filter []*tagView) agentView {
	v := agentView{Agent: a, Name: a.name(), Anchor: anchor, Link: newLink(a.URL, a.URL)}
	if a.URL == "" && a.Path != "" {
		v.Link = relative(a.Path)
	}
	own := tagsOf(a.Card)
	for i, t := range filter {
		if _, has := own[strings.ToLower(t.Name)]; has {
			v.Tags += strconv.Itoa(i) + " "
		}
	}
	known := map[schema.Interface]int{}
	for _, i := range a.Card.Interfaces {
		address := i
		address.Version = ""
		at, seen := known[address]
		if !seen {
			at = len(v.Interfaces)
			v.Interfaces = append(v.Interfaces, interfaceView{Interface: address})
			known[address] = at
		}
		if _, seen = known[i]; !seen {
			known[i] = at
			v.Interfaces[at].Versions = append(v.Interfaces[at].Versions, label(i.Version))
			v.Protocols = append(v.Protocols, label(i.Version))
		}
	}
	slices.Sort(v.Protocols)
	v.Protocols = slices.Compact(v.Protocols)
	slices.Reverse(v.Protocols)
	return v
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

func sortedSkills(skills []schema.Skill) []schema.Skill {
	sorted := slices.Clone(skills)
	slices.SortStableFunc(sorted, func(a, b schema.Skill) int { return natural(a.ID, b.ID) })
	return sorted
}

// name is what the page calls the agent.
func (a Agent) name() string { return cmp.Or(label(a.Card.Name), label(a.ID)) }

func capabilities(c schema.Capabilities) []string {
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

// anchorsOf are the ids of agents within the page, in the order of the agents: the
// same on every run.
func anchorsOf(agents []Agent) []string {
	taken := map[string]bool{}
	ids := make([]string, 0, len(agents))
	for _, a := range agents {
		base := "agent-" + strings.Map(func(r rune) rune {
			if unicode.In(r, unicode.L, unicode.M, unicode.N) || strings.ContainsRune("-_.", r) {
				return r
			}
			return '-'
		}, a.ID)
		anchor := base
		for n := 2; taken[anchor]; n++ {
			anchor = fmt.Sprintf("%s-%d", base, n)
		}
		taken[anchor] = true
		ids = append(ids, anchor)
	}
	return ids
}

// tagView is one tag in the filter.
type tagView struct {
	Name   string
	Agents int // that have a skill with the tag
}

// mostTags is how many tags the filter has. The search finds the others.
const mostTags = 12

// filterTags are the tags that some agents share and others lack, those of most agents.
// Tags that differ by case are one, and show as the one that sorts first.
func filterTags(agents []Agent) []*tagView {
	all := map[string]*tagView{}
	for _, a := range agents {
		for key, name := range tagsOf(a.Card) {
			if all[key] == nil {
				all[key] = &tagView{Name: name}
			}
			all[key].Name = min(all[key].Name, name)
			all[key].Agents++
		}
	}
	maps.DeleteFunc(all, func(_ string, t *tagView) bool { return t.Agents == 1 || t.Agents == len(agents) })
	byName := func(a, b *tagView) int { return natural(a.Name, b.Name) }
	tags := slices.SortedFunc(maps.Values(all), func(a, b *tagView) int {
		return cmp.Or(cmp.Compare(b.Agents, a.Agents), byName(a, b))
	})
	tags = tags[:min(len(tags), mostTags)]
	slices.SortFunc(tags, byName)
	return tags
}

// tagsOf returns the tags of a card by their name in lower case.
func tagsOf(c *schema.Card) map[string]string {
	found := map[string]string{}
	for _, s := range c.Skills {
		for _, name := range labels(s.Tags) {
			key := strings.ToLower(name)
			if before, ok := found[key]; !ok || name < before {
				found[key] = name
			}
		}
	}
	delete(found, "")
	return found
}

// icon is an image of the first letter of a name on a color, which is darkened until
// the letter can be read as the style of the page does it.
func icon(name, color string) template.URL {
	letter := name[strings.IndexFunc(name+"a", func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):]
	for i := range letter {
		if i > 0 {
			letter = letter[:i]
			break
		}
	}
	return template.URL("data:image/svg+xml," + url.PathEscape(fmt.Sprintf( //nolint:gosec // escaped, and one letter
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">`+
			`<rect width="32" height="32" rx="7" style="fill:%s;fill:oklch(from %[1]s min(l,.5) c h)"/>`+
			`<text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="18" font-weight="700" `+
			`text-anchor="middle" fill="#fff">%s</text></svg>`, color, strings.ToUpper(letter))))
}

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
