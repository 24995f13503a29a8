package probe

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/report"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// published is what a host publishes about its agents.
type published struct {
	host  *url.URL
	cards []*response // in the order in which clients look for them
	lists []*url.URL  // catalogs, indexes and key sets

	mu     sync.Mutex
	bodies map[string][]byte // by URL; nil if the host has no such file
	left   int               // how many more bytes may be kept
}

// mostKept is how many bytes of a host are kept.
const mostKept = 64 << 20

// linkTarget is the target of a link in a Link header (RFC 8288).
var linkTarget = regexp.MustCompile(`<([^<>]+\.json)>`)

// discover asks for the documents of a host: next to the card, at the origin, and where
// the links of the first response lead.
func (r *run) discover(ctx context.Context) *published {
	p := &published{host: r.asked.URL, bodies: map[string][]byte{}, left: mostKept}
	asked := r.asked.URL
	var candidates []*url.URL
	for _, name := range []string{
		site.CardPath, site.LegacyCardPath, site.CatalogPath, site.SkillsDir + "/" + site.SkillsIndexName, site.KeySetPath,
	} {
		candidates = union(candidates, []*url.URL{at(asked, path.Join(dirOf(asked), name)), at(asked, "/"+name)})
	}
	for _, link := range linkTarget.FindAllStringSubmatch(join(r.asked.Header, "Link"), -1) {
		if u := p.resolve(asked, link[1]); u != nil {
			candidates = union(candidates, []*url.URL{u})
		}
	}
	found := make([]*response, len(candidates))
	_ = files.Each(atOnce, slices.Values(candidates), func(i int, u *url.URL) error {
		if u.String() != asked.String() {
			found[i], _ = r.many.ask(ctx, http.MethodGet, u) // an absent answer is none to report
		}
		return ctx.Err()
	})
	for i, resp := range found {
		if resp == nil || !resp.readable() {
			continue
		}
		p.keep(candidates[i], resp)
		if kindOf(resp) == site.Card {
			p.cards = append(p.cards, resp)
		} else {
			p.lists = append(p.lists, candidates[i])
		}
	}
	return p
}

func kindOf(resp *response) site.Kind {
	root, _ := source.ParseJSON("", resp.Body)
	return site.KindOf(root)
}

// card returns the card to check: the response to the first request, or a card below the
// URL, or a card where clients would not find it. Without any, it returns that response.
func (r *run) card(ctx context.Context, p *published) *response {
	if r.asked.Status == http.StatusOK && !isPage(r.asked) {
		return r.asked
	}
	if r.site = r.below(ctx, p); r.site != nil {
		return r.site
	}
	if len(p.cards) > 0 {
		return p.cards[0]
	}
	return r.asked
}

// below returns the first card of a site that has agents, but no card at its own URL:
// the catalog or the local tree names it.
func (r *run) below(ctx context.Context, p *published) *response {
	dir := dirOf(r.asked.URL)
	var cards []*url.URL
	for _, list := range p.lists {
		if dirOf(list) == dir {
			cards = append(cards, p.references(list)...)
		}
	}
	for _, name := range r.manifest().Files {
		cards = append(cards, at(r.asked.URL, path.Join(dir, name)))
	}
	for _, u := range cards {
		if path.Base(u.Path) != path.Base(site.CardPath) || dirOf(u) == dir {
			continue
		}
		resp, err := r.client.ask(ctx, http.MethodGet, u)
		if err != nil || !resp.readable() {
			return nil
		}
		return resp
	}
	return nil
}

// keep keeps what the host sent for a URL.
func (p *published) keep(u *url.URL, resp *response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case resp.Status == http.StatusNotFound:
		p.bodies[u.String()] = nil
	case resp.Status == http.StatusOK && !resp.TooLarge && len(resp.Body) <= p.left:
		p.left -= len(resp.Body)
		p.bodies[u.String()] = append([]byte{}, resp.Body...)
	}
}

// resolve returns the URL of a reference in the document at a URL, nil if it is not on the
// host.
func (p *published) resolve(document *url.URL, reference string) *url.URL {
	u, err := document.Parse(reference)
	if err != nil || u.Scheme != p.host.Scheme || authority(u) != authority(p.host) || u.User != nil {
		return nil
	}
	u.Fragment = ""
	return u
}

// references returns the files of the host that a list names.
func (p *published) references(list *url.URL) (found []*url.URL) {
	site.Read(list.Path, p.bodies[list.String()], func(reference string) ([]byte, error) {
		if u := p.resolve(list, reference); u != nil {
			found = append(found, u)
		}
		return nil, nil
	})
	return found
}

// files returns the files that the list at a URL names, if they are known.
func (p *published) files(list *url.URL) site.Files {
	return func(reference string) ([]byte, error) {
		u := p.resolve(list, reference)
		if u == nil {
			return nil, nil
		}
		body, known := p.bodies[u.String()]
		if known && body == nil {
			return nil, fs.ErrNotExist
		}
		return body, nil
	}
}

// documents lints what a host publishes: the card, other cards, and lists.
func (r *run) documents(p *published, card *response) {
	p.keep(card.URL, card)
	known := map[string]bool{}
	lintCard := func(u *url.URL, body []byte, always bool) {
		if known[string(body)] {
			return
		}
		known[string(body)] = true
		root, found := source.ParseJSON("", body)
		found = append(found, lint.Card(root, lint.Options{})...)
		if always || found.Worst() >= diag.Warning {
			r.document(diag.ProbeCard, r.name(u), diag.Count(len(root.Get("skills").Elements()), "skill"), found)
		}
	}
	if card.TooLarge {
		found := diag.List{diag.New(diag.ProbeCard, diag.Span{}, "it has more than 4 MiB, where many clients stop")}
		r.document(diag.ProbeCard, r.name(card.URL), "", found)
	} else if card.readable() {
		lintCard(card.URL, card.Body, true)
	}
	for _, other := range p.cards {
		lintCard(other.URL, other.Body, true)
	}
	for _, u := range p.lists {
		d := site.Read(r.name(u), p.bodies[u.String()], p.files(u))
		if d.Kind == site.Unknown && d.Found.Worst() < diag.Error {
			d.Found = diag.List{diag.New(diag.ProbeList, diag.Span{},
				"the content is neither a catalog, an index nor a key set")}
		}
		r.document(diag.ProbeList, r.name(u), counted(d), d.Found)
		for _, file := range p.references(u) { // the line of the list is about those that are good
			body := p.bodies[file.String()]
			if body != nil && path.Base(file.Path) == path.Base(site.CardPath) {
				lintCard(file, body, false)
			}
		}
	}
}

// name is the name of a document in the report: relative to the URL that was asked for.
func (r *run) name(u *url.URL) string {
	if name, ok := strings.CutPrefix(u.Path, path.Join(dirOf(r.asked.URL), ".well-known")+"/"); ok {
		return name
	}
	return u.Path
}

// counted says how much is in a list.
func counted(d site.Document) string {
	switch d.Kind {
	case site.Catalog:
		return diag.Count(d.Entries, "agent")
	case site.SkillsIndex:
		return diag.Count(d.Entries, "skill")
	case site.KeySet:
		return diag.Count(d.Entries, "key")
	}
	return ""
}

// document adds what is wrong with a document, in one line.
func (r *run) document(rule diag.RuleID, name, counted string, found diag.List) {
	worst, verdict := found.Worst(), "good"
	if worst >= diag.Warning {
		first := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == worst })
		verdict = fmt.Sprintf("%s, the first: %s", diag.Count(found.Count(worst), worst.String()), found[first].Message)
	}
	if counted != "" {
		verdict = counted + ", " + verdict
	}
	c := report.Check{Rule: rule, Name: name, Document: true, Required: true, Detail: verdict}
	if worst >= diag.Warning {
		c.Severity, c.Required, c.Hint = worst, worst == diag.Error, "run cardwright lint to see all of them"
	}
	r.checks = append(r.checks, c)
}

// legacy checks agent.json, which clients before A2A 0.3 request. It is required only if
// the local tree has it.
func (r *run) legacy(ctx context.Context, card *response) (v verdict) {
	u := beside(card.URL, path.Base(site.LegacyCardPath))
	local := r.local(u)
	if path.Base(card.URL.Path) != path.Base(site.CardPath) || r.NoLegacy || r.local(card.URL) != nil && local == nil {
		return v
	}
	resp := r.ask(ctx, &v, http.MethodGet, u)
	if resp == nil {
		return v
	}
	const both = "deploy both files together"
	switch {
	case resp.Status != http.StatusOK && local != nil:
		v.fail(fmt.Sprint(resp.Status), "deploy agent.json too, for clients of A2A before 0.3")
		return v
	case resp.Status != http.StatusOK:
		v.warn(fmt.Sprint(resp.Status), "deploy agent.json too, for clients of A2A before 0.3")
		return v
	case bytes.Equal(resp.Body, card.Body):
		v.ok = "the same bytes"
	case !pair(card.Body, resp.Body):
		v.fail("different bytes than agent-card.json", both)
	case local != nil && !bytes.Equal(local, resp.Body):
		v.fail("not the local file", both)
	default:
		v.ok = "the same agent for A2A 0.3"
	}
	if len(resp.Redirects) > 0 {
		v.warn("a redirect to "+diag.Quote(resp.URL.Redacted()),
			"serve agent.json itself: some old clients do not follow redirects")
		return v
	}
	for _, want := range r.expected(u.Path) {
		got := join(resp.Header, want.Name)
		switch want.Name {
		case "Deprecation", "Sunset":
			if got == want.Value {
				continue
			}
		case "Link":
			if leads(got, card.URL) {
				continue
			}
		default:
			continue
		}
		v.warn(want.Name+": "+orNone(got), "send "+want.Name+": "+want.Value)
	}
	return v
}

// leads reports whether a Link names a card as the successor.
func leads(link string, card *url.URL) bool {
	for part := range strings.SplitSeq(link, ",") {
		target, parameters, ok := strings.Cut(strings.TrimSpace(part), ">")
		u, err := card.Parse(strings.TrimPrefix(target, "<"))
		if ok && err == nil && card.Path == u.Path && u.Host == card.Host &&
			strings.Contains(strings.ReplaceAll(parameters, `"`, ""), "rel=successor-version") {
			return true
		}
	}
	return false
}
