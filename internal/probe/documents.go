package probe

import (
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
	"cardwright/internal/lint"
	"cardwright/internal/report"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// published is what a host publishes about its agents.
type published struct {
	cards []*response // in the order in which clients look for them
	lists []*url.URL  // catalogs, indexes and key sets

	mu     sync.Mutex
	bodies map[string][]byte // by URL; nil if the host has no such file
	kept   int               // bytes in bodies
}

// mostKept is how many bytes of a host are kept.
const mostKept = 64 << 20

// linkTarget is the target of a link in a Link header (RFC 8288).
var linkTarget = regexp.MustCompile(`<([^<>]+\.json)>`)

// discover asks for the documents of a host: next to the card, at the origin, and where
// the links of the first response lead.
func (r *run) discover(ctx context.Context) {
	asked := r.asked.URL
	var candidates []*url.URL
	for _, name := range []string{
		site.CardPath, site.LegacyCardPath, site.CatalogPath, site.SkillsDir + "/" + site.SkillsIndexName, site.KeySetPath,
	} {
		candidates = union(candidates, []*url.URL{at(asked, path.Join(dirOf(asked), name)), at(asked, "/"+name)})
	}
	for _, link := range linkTarget.FindAllStringSubmatch(join(r.asked.Header, "Link"), -1) {
		if u, err := asked.Parse(link[1]); err == nil && r.onHost(u) {
			candidates = union(candidates, []*url.URL{u})
		}
	}
	found := make([]*response, len(candidates))
	each(ctx, candidates, func(i int, u *url.URL) {
		if u.String() != asked.String() {
			found[i], _ = r.many.ask(ctx, http.MethodGet, u) // most hosts have few of them
		}
	})
	for i, resp := range found {
		if resp == nil || !resp.readable() {
			continue
		}
		r.keep(candidates[i], resp)
		if root, _ := source.ParseJSON("", resp.Body); site.KindOf(root) == site.Card {
			r.cards = append(r.cards, resp)
		} else {
			r.lists = append(r.lists, candidates[i])
		}
	}
}

// card returns the card to check: the response to the first request, or a card below the
// URL, or a card where clients would not find it. Without any, it returns that response.
func (r *run) card(ctx context.Context) *response {
	if r.asked.Status == http.StatusOK && !isPage(r.asked) {
		return r.asked
	}
	if r.site = r.below(ctx); r.site != nil {
		return r.site
	}
	if len(r.cards) > 0 {
		return r.cards[0]
	}
	return r.asked
}

// below returns the first card of a site that has agents, but no card at its own URL. The
// catalog of a preview or a new server names the host that it is for.
func (r *run) below(ctx context.Context) *response {
	for _, list := range r.lists {
		_, named := r.list(list)
		i := slices.IndexFunc(named, isCard)
		if i < 0 || dirOf(list) != dirOf(r.asked.URL) {
			continue
		}
		if resp, err := r.client.ask(ctx, http.MethodGet, at(list, named[i].Path)); err == nil && resp.readable() {
			return resp
		}
	}
	return nil
}

func isCard(u *url.URL) bool { return strings.HasSuffix(u.Path, "/"+site.CardPath) }

// keep keeps what the host sent for a URL.
func (p *published) keep(u *url.URL, resp *response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case resp.Status == http.StatusNotFound:
		p.bodies[u.String()] = nil
	case resp.Status == http.StatusOK && !resp.TooLarge && p.kept+len(resp.Body) <= mostKept:
		p.kept += len(resp.Body)
		p.bodies[u.String()] = append([]byte{}, resp.Body...)
	}
}

// onHost reports whether a URL leads to the host that was asked.
func (r *run) onHost(u *url.URL) bool {
	return u.Scheme == r.asked.URL.Scheme && authority(u) == authority(r.asked.URL) && u.User == nil
}

// list reads the list at a URL, and returns what it names.
func (r *run) list(list *url.URL) (d site.Document, named []*url.URL) {
	d = site.Read(r.name(list), r.bodies[list.String()], func(reference string) ([]byte, error) {
		u, err := list.Parse(reference)
		if err != nil {
			return nil, nil //nolint:nilerr // a finding says so
		}
		u.Fragment = ""
		named = append(named, u)
		body, known := r.bodies[u.String()]
		if known && body == nil {
			return nil, fs.ErrNotExist
		}
		return body, nil
	})
	return d, named
}

// documents lints what the host publishes: the card, other cards, and lists.
func (r *run) documents(card *response) {
	known := map[string]bool{}
	lintCard := func(u *url.URL, body []byte, always bool) {
		if known[string(body)] {
			return
		}
		known[string(body)] = true
		root, found := source.ParseJSON("", body)
		found = append(found, lint.Card(root, lint.Options{})...)
		if always || found.Worst() >= diag.Warning {
			r.document(diag.ProbeCard, u, diag.Count(len(root.Get("skills").Elements()), "skill"), found)
		}
	}
	if card.TooLarge {
		r.document(diag.ProbeCard, card.URL, "", diag.List{diag.New(diag.ProbeCard, diag.Span{},
			"it has more than 4 MiB, where many clients stop")})
	} else if card.readable() {
		r.keep(card.URL, card)
		lintCard(card.URL, card.Body, true)
	}
	for _, other := range r.cards {
		lintCard(other.URL, other.Body, true)
	}
	for _, u := range r.lists {
		d, named := r.list(u)
		if d.Kind == site.Unknown && d.Found.Worst() < diag.Error {
			d.Found = diag.List{diag.New(diag.ProbeList, diag.Span{},
				"the content is neither a catalog, an index nor a key set")}
		}
		noun := map[site.Kind]string{site.Catalog: "agent", site.SkillsIndex: "skill", site.KeySet: "key"}[d.Kind]
		r.document(diag.ProbeList, u, diag.Count(d.Entries, noun), d.Found)
		for _, file := range named { // good ones are counted in the line of the list
			if body := r.bodies[file.String()]; body != nil && isCard(file) {
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

// document adds what is wrong with a document, in one line.
func (r *run) document(rule diag.RuleID, u *url.URL, counted string, found diag.List) {
	worst, verdict := found.Worst(), "good"
	if worst >= diag.Warning {
		first := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == worst })
		verdict = fmt.Sprintf("%s, the first: %s", diag.Count(found.Count(worst), worst.String()), found[first].Message)
	}
	c := report.Check{Rule: rule, Name: r.name(u), Document: true, Required: true, Detail: verdict}
	if counted != "" {
		c.Detail = counted + ", " + verdict
	}
	if worst >= diag.Warning {
		c.Severity, c.Required, c.Hint = worst, worst == diag.Error, "run cardwright lint to see all of them"
	}
	r.checks = append(r.checks, c)
}
