package probe

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// content checks the bytes of the card.
func (r *run) content(card *client.Response) {
	if r.Lint != nil {
		found := r.Lint(card.Body)
		worst, detail := found.Worst(), "no error"
		for _, d := range found {
			if d.Severity == worst && worst >= diag.Warning {
				if detail = d.Message; found.Count(worst) > 1 {
					detail = fmt.Sprintf("%d %ss, the first: %s", found.Count(worst), worst, d.Message)
				}
				break
			}
		}
		judge := r.require
		if worst < diag.Error {
			judge = r.advise
		}
		judge("card", worst < diag.Warning, detail, "run cardwright lint to see all of them")
	}
	if r.Verify != nil {
		reason := r.Verify(card.Body)
		detail := "good"
		if reason != "" {
			detail = reason
		}
		r.require("signature", reason == "", detail, "sign the card with a key of the key set, and deploy it again")
	}
	if r.Tree != nil {
		r.same("bytes", card, card.URL)
	}
}

// same compares a response with the file of the tree that belongs there.
func (r *run) same(name string, resp *client.Response, u *url.URL) {
	local := r.local(u)
	switch {
	case local == nil:
		r.fail(name, "the local tree has no file for "+diag.Quote(u.Path),
			"compare with the tree that was deployed to this URL")
	case bytes.Equal(local, resp.Body):
		r.pass(name, "the same as the local file")
	default:
		age := ""
		if a := resp.Header.Get("Age"); a != "" {
			age = ", from a cache, age " + diag.Quote(a)
		}
		r.fail(name, fmt.Sprintf("not the local file: %d bytes in the tree, %d served%s", len(local), len(resp.Body), age),
			"deploy again, and purge the CDN")
	}
}

// wantsLegacy reports whether agent.json is meant to be beside a card, as far as anybody
// says.
func (r *run) wantsLegacy(card *client.Response) bool {
	return !r.NoLegacy && (r.local(card.URL) == nil || r.local(beside(card.URL, "agent.json")) != nil)
}

// legacy checks agent.json, which clients before A2A 0.3 request. It is
// required only when the local tree has it.
func (r *run) legacy(ctx context.Context, card *client.Response) {
	if path.Base(card.URL.Path) != "agent-card.json" {
		return
	}
	u := beside(card.URL, "agent.json")
	if !r.wantsLegacy(card) {
		return
	}
	resp := r.ask(ctx, "legacy", "GET", u)
	if resp == nil {
		return
	}
	const both = "deploy both files together"
	switch local := r.local(u); {
	case resp.Status != http.StatusOK:
		judge := r.advise
		if local != nil {
			judge = r.require
		}
		judge("legacy", false, strconv.Itoa(resp.Status), "deploy agent.json too, for clients of A2A before 0.3")
		return
	case bytes.Equal(resp.Body, card.Body):
		r.pass("legacy", "the same bytes")
	case !pair(card.Body, resp.Body):
		r.fail("legacy", "different bytes than agent-card.json", both)
	case local != nil && !bytes.Equal(local, resp.Body):
		r.fail("legacy", "not the local file", both)
	default:
		r.pass("legacy", "the same agent for A2A 0.3")
	}
	if len(resp.Redirects) > 0 {
		r.advise("legacy-redirect", false, "to "+diag.Quote(resp.URL.Redacted()),
			"serve agent.json itself: some old clients do not follow redirects")
		return
	}
	for _, want := range r.expected(u.Path) {
		switch want.Name {
		case "Deprecation", "Sunset":
			got := resp.Header.Get(want.Name)
			r.advise("legacy-"+strings.ToLower(want.Name), got == want.Value, orNone(got), "send "+want.Name+": "+want.Value)
		case "Link":
			got := strings.Join(resp.Header.Values("Link"), ", ")
			r.advise("legacy-link", leads(got, card.URL), orNone(got), "send Link: "+want.Value)
		}
	}
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

// pair reports whether two cards are one agent for A2A 1.0 and for 0.3.
func pair(newer, older []byte) bool {
	a, _ := source.ParseJSON("", newer, source.Limits{Card: client.MaxBody})
	b, _ := source.ParseJSON("", older, source.Limits{Card: client.MaxBody})
	return schema.Pair(a, b)
}

// keys checks the key set if the local tree has one: beside the card, or at the
// root of the host.
func (r *run) keys(ctx context.Context, card *client.Response) {
	base, rest := r.place(card.URL)
	if rest == "" {
		return
	}
	prefix := strings.TrimSuffix(card.URL.Path, rest)
	for _, name := range []string{path.Join(path.Dir(rest), path.Base(tree.KeySetPath)), tree.KeySetPath} {
		if _, err := r.read(base+name, client.MaxBody); err != nil {
			continue
		}
		u := *card.URL
		u.Path, u.RawPath, u.RawQuery = prefix+name, "", ""
		resp := r.ask(ctx, "jwks", "GET", &u)
		if resp == nil {
			return
		}
		if resp.Status != http.StatusOK {
			r.fail("jwks", strconv.Itoa(resp.Status), "deploy "+u.Path+": signatures cannot be verified without it")
			return
		}
		r.same("jwks", resp, &u)
		media := resp.Media()
		r.advise("jwks-type", media == "application/jwk-set+json" || media == "application/json",
			orNone(resp.Header.Get("Content-Type")), "send Content-Type: application/jwk-set+json")
		return
	}
}

// local is the file of the tree that belongs at a URL, nil when there is none.
func (r *run) local(u *url.URL) []byte {
	base, rest := r.place(u)
	if rest == "" {
		return nil
	}
	data, _ := r.read(base+rest, client.MaxBody) // has been read before
	return data
}

// read reads a file of the tree.
func (r *run) read(name string, limit int) ([]byte, error) {
	if r.Tree == nil {
		return nil, fs.ErrNotExist
	}
	return files.ReadFile(r.Tree, name, limit)
}

// place finds the file for a URL in the tree. rest is its path below base, and
// the end of the path of the URL; base is "" or the directory of the host. What
// comes before rest in the URL is where the tree is deployed. Without such a
// file both are "".
func (r *run) place(u *url.URL) (base, rest string) {
	tail := strings.TrimPrefix(u.Path, "/")
	there := func(name string) bool {
		_, err := r.read(name, client.MaxBody)
		return err == nil
	}
	for _, host := range []string{u.Hostname(), strings.TrimSuffix(u.Hostname(), ".localhost")} {
		if base := host + "/"; there(base + tail) {
			return base, tail
		}
	}
	for more := true; more; _, tail, more = strings.Cut(tail, "/") {
		if there(tail) {
			return "", tail
		}
	}
	return "", ""
}

// beside is the URL of another file in the same directory.
func beside(u *url.URL, name string) *url.URL {
	c := *u
	c.Path = path.Join(path.Dir(u.Path), name)
	c.RawPath = ""
	return &c
}
