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
	"cardwright/internal/lint"
	"cardwright/internal/report"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// published holds what a host sent for its files, for the lists that name them.
type published struct {
	card *url.URL

	mu     sync.Mutex
	bodies map[string][]byte // by URL; nil where the host has no such file
	left   int               // how many bytes more are kept
}

// mostKept is how many bytes of a host are kept.
const mostKept = 64 << 20

func newPublished(card *url.URL) *published {
	return &published{card: card, bodies: map[string][]byte{}, left: mostKept}
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

// resolve returns the URL of a reference in the list at a URL, nil where another host
// or nobody has it.
func (p *published) resolve(list *url.URL, reference string) *url.URL {
	u, err := list.Parse(reference)
	if err != nil || u.Scheme != p.card.Scheme || authority(u) != authority(p.card) || u.User != nil {
		return nil
	}
	u.Fragment = ""
	return u
}

// references are the files of the host that a list names.
func (p *published) references(list *url.URL) (found []*url.URL) {
	site.Read(list.Path, p.bodies[list.String()], func(reference string) ([]byte, error) {
		if u := p.resolve(list, reference); u != nil {
			found = append(found, u)
		}
		return nil, nil
	})
	return found
}

// files returns the files that the list at a URL names, as far as they are known.
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

// linkTarget is the target of a link in a Link header (RFC 8288).
var linkTarget = regexp.MustCompile(`<([^<>]+\.json)>`)

// lists are the URLs of the lists and key sets of a host: beside the card, at the root,
// and where the links of the card lead.
func (r *run) lists(ctx context.Context, p *published, card *response) (found []*url.URL) {
	var candidates []*url.URL
	dir := strings.TrimSuffix(path.Dir(card.URL.Path), "/.well-known")
	for _, name := range []string{site.CatalogPath, site.SkillsDir + "/" + site.SkillsIndexName, site.KeySetPath} {
		candidates = union(candidates, []*url.URL{at(card.URL, path.Join("/", dir, name)), at(card.URL, "/"+name)})
	}
	for _, link := range linkTarget.FindAllStringSubmatch(strings.Join(card.Header.Values("Link"), ","), -1) {
		if u := p.resolve(card.URL, link[1]); u != nil {
			candidates = union(candidates, []*url.URL{u})
		}
	}
	for _, u := range candidates {
		resp, err := r.many.ask(ctx, http.MethodGet, u)
		if err != nil || resp.Status != http.StatusOK || isPage(resp) {
			continue
		}
		p.keep(u, resp)
		if root, _ := source.ParseJSON("", resp.Body); site.KindOf(root) != site.Card {
			found = append(found, u)
		}
	}
	return found
}

// isPage reports whether a response is HTML, whatever its type is. Some hosts answer
// every path with the same page.
func isPage(resp *response) bool { return bytes.HasPrefix(bytes.TrimSpace(resp.Body), []byte("<")) }

// documents checks the lists and key sets of a host by what is in them.
func (r *run) documents(p *published, lists []*url.URL) {
	for _, u := range lists {
		name := strings.TrimPrefix(u.Path, path.Dir(p.card.Path)+"/")
		d := site.Read(name, p.bodies[u.String()], p.files(u))
		if d.Kind == site.Unknown && d.Found.Worst() < diag.Error {
			d.Found = diag.List{diag.New(diag.ProbeList, diag.Span{},
				"the content is neither a catalog, an index nor a key set")}
		}
		r.document(diag.ProbeList, name, counted(d), d.Found)
	}
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

// cardDocument checks the card by the rules of lint.
func (r *run) cardDocument(card *response) {
	root, found := source.ParseJSON("", card.Body)
	found = append(found, lint.Card(root, lint.Options{})...)
	r.document(diag.ProbeCard, path.Base(card.URL.Path), diag.Count(len(root.Get("skills").Elements()), "skill"), found)
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
