package probe

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
)

// content checks the bytes of the card.
func (r *run) content(card *response) {
	r.cardDocument(card)
	if r.Trust != nil {
		reason := signatureFault(card.Body, *r.Trust)
		r.require(diag.ProbeSignature, reason == "", cmp.Or(reason, "good"),
			"sign the card with a key of the key set, and deploy it again")
	}
	if r.Tree != nil {
		r.same(diag.ProbeBytes, card, card.URL)
	}
}

// signatureFault returns why no signature of a card is good, "" when one is.
func signatureFault(card []byte, trust sign.Trust) string {
	switch verdict, _, found := sign.Verify("", card, trust); verdict {
	case sign.Verified:
		return ""
	case sign.Unsigned:
		return "the card has no signature"
	default:
		return found[0].Message
	}
}

// same compares a response with the file of the tree that belongs there.
func (r *run) same(rule diag.RuleID, resp *response, u *url.URL) {
	local := r.local(u)
	switch {
	case local == nil:
		r.fail(rule, "the local tree has no file for "+diag.Quote(u.Path),
			"compare with the tree that was deployed to this URL")
	case bytes.Equal(local, resp.Body):
		r.pass(rule, "the same as the local file")
	default:
		age := ""
		if a := resp.Header.Get("Age"); a != "" {
			age = ", from a cache, age " + diag.Quote(a)
		}
		r.fail(rule, fmt.Sprintf("not the local file: %d bytes in the tree, %d served%s", len(local), len(resp.Body), age),
			"deploy again, and purge the CDN")
	}
}

// wantsLegacy reports whether agent.json is meant to be beside a card, as far as anybody
// says.
func (r *run) wantsLegacy(card *response) bool {
	return !r.NoLegacy && (r.local(card.URL) == nil || r.local(beside(card.URL, "agent.json")) != nil)
}

// legacy checks agent.json, which clients before A2A 0.3 request. It is
// required only when the local tree has it.
func (r *run) legacy(ctx context.Context, card *response) {
	if path.Base(card.URL.Path) != "agent-card.json" {
		return
	}
	u := beside(card.URL, "agent.json")
	if !r.wantsLegacy(card) {
		return
	}
	resp := r.ask(ctx, diag.ProbeLegacy, "GET", u)
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
		judge(diag.ProbeLegacy, false, strconv.Itoa(resp.Status), "deploy agent.json too, for clients of A2A before 0.3")
		return
	case bytes.Equal(resp.Body, card.Body):
		r.pass(diag.ProbeLegacy, "the same bytes")
	case !pair(card.Body, resp.Body):
		r.fail(diag.ProbeLegacy, "different bytes than agent-card.json", both)
	case local != nil && !bytes.Equal(local, resp.Body):
		r.fail(diag.ProbeLegacy, "not the local file", both)
	default:
		r.pass(diag.ProbeLegacy, "the same agent for A2A 0.3")
	}
	if len(resp.Redirects) > 0 {
		r.advise(diag.ProbeLegacyRedirect, false, "to "+diag.Quote(resp.URL.Redacted()),
			"serve agent.json itself: some old clients do not follow redirects")
		return
	}
	for _, want := range r.expected(u.Path) {
		got := resp.Header.Get(want.Name)
		switch want.Name {
		case "Deprecation":
			r.advise(diag.ProbeLegacyDeprecation, got == want.Value, orNone(got), "send Deprecation: "+want.Value)
		case "Sunset":
			r.advise(diag.ProbeLegacySunset, got == want.Value, orNone(got), "send Sunset: "+want.Value)
		case "Link":
			got := strings.Join(resp.Header.Values("Link"), ", ")
			r.advise(diag.ProbeLegacyLink, leads(got, card.URL), orNone(got), "send Link: "+want.Value)
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
	a, _ := source.ParseJSON("", newer)
	b, _ := source.ParseJSON("", older)
	return schema.Pair(a, b)
}

// local is the file of the tree that belongs at a URL, nil when there is none.
func (r *run) local(u *url.URL) []byte {
	base, rest := r.place(u)
	if rest == "" {
		return nil
	}
	data, _ := r.read(base+rest, maxBody) // has been read before
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
		_, err := r.read(name, maxBody)
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

// at is the URL of another path of the same host.
func at(u *url.URL, name string) *url.URL {
	c := *u
	c.Path, c.RawPath, c.RawQuery = name, "", ""
	return &c
}

// beside is the URL of another file in the same directory.
func beside(u *url.URL, name string) *url.URL { return at(u, path.Join(path.Dir(u.Path), name)) }
