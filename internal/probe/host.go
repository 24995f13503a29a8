package probe

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/report"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// host is what a host publishes about its agents.
type host struct {
	client *client     // with connections that are reused
	asked  *url.URL    // after redirects
	cards  []*response // in the order in which clients look for them
	lists  []*url.URL  // catalogs, indexes and key sets

	mu     sync.Mutex
	bodies map[string][]byte // by URL; nil if the host has no such file
	kept   int               // bytes in bodies
}

// mostKept is how many bytes of a host are kept.
const mostKept = 64 << 20

// discover asks for the documents of a host: next to the card and at the origin.
func (h *host) discover(ctx context.Context, asked *url.URL) {
	h.asked = asked
	var candidates []*url.URL
	for _, name := range []string{
		site.CardPath, site.LegacyCardPath, site.CatalogPath, site.SkillsDir + "/" + site.SkillsIndexName, site.KeySetPath,
	} {
		candidates = union(candidates, []*url.URL{at(asked, path.Join(dirOf(asked), name)), at(asked, "/"+name)})
	}
	found := make([]*response, len(candidates))
	each(ctx, candidates, func(i int, u *url.URL) {
		if u.String() != asked.String() {
			found[i], _ = h.client.ask(ctx, http.MethodGet, u) // most hosts have few of them
		}
	})
	for i, resp := range found {
		if resp == nil || !resp.readable() {
			continue
		}
		h.keep(candidates[i], resp)
		if site.KindOf(resp.json()) == site.Card {
			h.cards = append(h.cards, resp)
		} else {
			h.lists = append(h.lists, candidates[i])
		}
	}
}

func isCard(u *url.URL) bool { return strings.HasSuffix(u.Path, "/"+site.CardPath) }

// keep keeps what the host sent for a URL.
func (h *host) keep(u *url.URL, resp *response) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case resp.Status == http.StatusNotFound:
		h.bodies[u.String()] = nil
	case resp.Status == http.StatusOK && !resp.TooLarge && h.kept+len(resp.Body) <= mostKept:
		h.kept += len(resp.Body)
		h.bodies[u.String()] = append([]byte{}, resp.Body...)
	}
}

// has reports whether a URL leads to the host that was asked.
func (h *host) has(u *url.URL) bool {
	return u.Scheme == h.asked.Scheme && authority(u) == authority(h.asked) && u.User == nil
}

// list reads the list at a URL, and returns what it names.
func (h *host) list(list *url.URL) (d site.Document, named []*url.URL) {
	d = site.Read(h.name(list), h.bodies[list.String()], func(reference string) ([]byte, error) {
		u, err := list.Parse(reference)
		if err != nil {
			return nil, nil //nolint:nilerr // a finding says so
		}
		u.Fragment = ""
		named = append(named, u)
		body, known := h.bodies[u.String()]
		if known && body == nil {
			return nil, fs.ErrNotExist
		}
		return body, nil
	})
	return d, named
}

// documents lints what the host publishes: the card, other cards, and lists.
func (h *host) documents(card *response) (checks []report.Check) {
	known := map[string]bool{}
	lintCard := func(u *url.URL, body []byte, always bool) {
		if known[string(body)] {
			return
		}
		known[string(body)] = true
		root, found := source.ParseJSON("", body)
		found = append(found, lint.Card(root, lint.Options{})...)
		if always || found.Worst() >= diag.Warning {
			counted := diag.Count(len(root.Get("skills").Elements()), "skill")
			checks = append(checks, h.document(diag.ProbeCard, u, counted, found))
		}
	}
	if card.TooLarge {
		checks = append(checks, h.document(diag.ProbeCard, card.URL, "", diag.List{diag.New(diag.ProbeCard, diag.Span{},
			"it has more than 4 MiB, where many clients stop")}))
	} else if card.readable() {
		h.keep(card.URL, card)
		lintCard(card.URL, card.Body, true)
	}
	for _, other := range h.cards {
		lintCard(other.URL, other.Body, true)
	}
	for _, u := range h.lists {
		d, named := h.list(u)
		if d.Kind == site.Unknown && d.Found.Worst() < diag.Error {
			d.Found = diag.List{diag.New(diag.ProbeList, diag.Span{},
				"the content is neither a catalog, an index nor a key set")}
		}
		noun := map[site.Kind]string{site.Catalog: "agent", site.SkillsIndex: "skill", site.KeySet: "key"}[d.Kind]
		checks = append(checks, h.document(diag.ProbeList, u, diag.Count(d.Entries, noun), d.Found))
		for _, file := range named { // good ones are counted in the line of the list
			if body := h.bodies[file.String()]; body != nil && isCard(file) {
				lintCard(file, body, false)
			}
		}
	}
	return checks
}

// name is the name of a document in the report: relative to the URL that was asked for.
func (h *host) name(u *url.URL) string {
	if name, ok := strings.CutPrefix(u.Path, path.Join(dirOf(h.asked), ".well-known")+"/"); ok {
		return name
	}
	return u.Path
}

// document says what is wrong with a document, in one line.
func (h *host) document(rule diag.RuleID, u *url.URL, counted string, found diag.List) report.Check {
	c := report.Check{Rule: rule, Name: h.name(u), Document: true, Required: true, Detail: "good"}
	if worst := found.Worst(); worst >= diag.Warning {
		first := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == worst })
		c.Severity, c.Required, c.Hint = worst, worst == diag.Error, "run cardwright lint to see all of them"
		c.Detail = fmt.Sprintf("%s, the first: %s", diag.Count(found.Count(worst), worst.String()), found[first].Message)
	}
	if counted != "" {
		c.Detail = counted + ", " + c.Detail
	}
	return c
}
