package probe

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/site"
)

// caching checks the cache policy, the ETag, and conditional requests with it.
func (r *run) caching(ctx context.Context, card *response) {
	r.policy(card)
	tag := card.Header.Get("ETag")
	if tag == "" {
		r.fail(diag.ProbeETag, "none", tagHint)
		return
	}
	opaque := strings.TrimPrefix(tag, "W/")
	wellFormed := len(opaque) > 1 && strings.HasPrefix(opaque, `"`) && strings.HasSuffix(opaque, `"`)
	r.require(diag.ProbeETag, wellFormed, diag.Quote(tag), "put the ETag in double quotes")
	if !wellFormed {
		return
	}
	// An ETag in the form that we write must be that of the bytes. Stores and platforms
	// have their own.
	ours := site.DigestOf(card.Body).ETag()
	own := len(opaque) != len(ours)
	r.require(diag.ProbeETagBytes, own || opaque == ours, compared(own, opaque == ours),
		"deploy the card and its .etag file together")
	if again := r.ask(ctx, diag.ProbeETagStable, "GET", card.URL); again != nil {
		ok := again.Header.Get("ETag") == tag && bytes.Equal(again.Body, card.Body)
		r.require(diag.ProbeETagStable, ok, stability(card, again),
			"every replica must have the same files and send the same ETag")
	}
	r.conditional(ctx, card, tag, opaque)
}

const (
	tagHint         = "let the server make an entity tag for static files"
	conditionalHint = "make the server compare If-None-Match with the ETag that it sends"
)

// policy checks the Cache-Control header.
func (r *run) policy(card *response) {
	configured := cmp.Or(r.Settings.CacheControl, hosting.DefaultCacheControl)
	policy := strings.Join(card.Header.Values("Cache-Control"), ", ")
	got, want := directives(policy), directives(configured)
	hint := "send Cache-Control: " + configured
	_, forbidden := got["no-store"]
	_, meant := want["no-store"]
	twice := strings.Count(strings.ToLower(policy), "max-age=") > 1
	r.require(diag.ProbeCacheControl, policy != "" && (!forbidden || meant) && !twice, orNone(policy), hint)
	if policy == "" || forbidden || twice {
		return
	}
	if !maps.Equal(got, want) {
		_, private := got["private"]
		_, forever := got["immutable"]
		lives := lifetime(got["max-age"]) || lifetime(got["s-maxage"])
		fault := ""
		switch {
		case !lives:
			fault = "without max-age, clients download the card every time"
		case private:
			fault = "with private, no CDN keeps the card"
		case forever || seconds(got["max-age"]) > longest:
			fault = "clients keep the card for so long that a correction does not reach them"
		}
		r.advise(diag.ProbeCacheLifetime, fault == "", diag.Quote(policy), hint+"; "+fault)
	}
	if r.Settings.CacheControl != "" {
		r.advise(diag.ProbeCacheConfigured, maps.Equal(got, want), diag.Quote(policy), hint)
	}
}

// directives are those of a cache policy, by their name in lower case.
func directives(policy string) map[string]string {
	all := map[string]string{}
	for part := range strings.SplitSeq(policy, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name != "" {
			all[strings.ToLower(name)] = strings.Trim(value, `"`)
		}
	}
	return all
}

// longest is for how many seconds a card may be kept: a month.
const longest = 31 * 24 * 3600

// lifetime reports whether a text is a number of seconds above zero.
func lifetime(text string) bool { return seconds(text) > 0 }

func seconds(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func compared(own, same bool) string {
	switch {
	case own:
		return "one of the server's own"
	case same:
		return "the SHA-256 of the bytes"
	}
	return "not the SHA-256 of the bytes"
}

func stability(first, second *response) string {
	switch {
	case !bytes.Equal(first.Body, second.Body):
		return "two requests returned different bytes"
	case first.Header.Get("ETag") != second.Header.Get("ETag"):
		return "two requests returned different ETags"
	}
	return "the same in two requests"
}

// conditional sends If-None-Match in every form that clients use.
func (r *run) conditional(ctx context.Context, card *response, tag, opaque string) {
	for _, c := range []struct {
		rule          diag.RuleID
		method, value string
		severity      diag.Severity
	}{
		{diag.ProbeNotModified, "GET", tag, diag.Error},
		{diag.ProbeNotModifiedHead, "HEAD", tag, diag.Warning},
		{diag.ProbeNotModifiedWeak, "GET", "W/" + opaque, diag.Warning},
		{diag.ProbeNotModifiedList, "GET", `"another", ` + tag, diag.Warning},
		{diag.ProbeNotModifiedAny, "GET", "*", diag.Warning},
	} {
		resp := r.ask(ctx, c.rule, c.method, card.URL, "If-None-Match", c.value)
		if resp == nil {
			continue
		}
		ok, detail := fresh(resp, card)
		if ok && listed(resp.Header, "Cache-Control", "no-store") && !listed(card.Header, "Cache-Control", "no-store") {
			ok, detail = false, "304 with no-store"
		}
		r.add(c.rule, c.severity, ok, detail, conditionalHint)
	}
	if resp := r.ask(ctx, diag.ProbeModified, "GET", card.URL, "If-None-Match", `"cardwright-probe"`); resp != nil {
		r.require(diag.ProbeModified, resp.Status == http.StatusOK, strconv.Itoa(resp.Status),
			"return the card for a different ETag, or clients keep an old card forever")
	}
	if resp := r.ask(ctx, diag.ProbeIfMatch, "GET", card.URL, "If-Match", tag); resp != nil && tag == opaque {
		r.advise(diag.ProbeIfMatch, resp.Status >= 200 && resp.Status <= 299, strconv.Itoa(resp.Status),
			"compare If-Match with the ETag that the server sends, or ignore it")
	}
}

// fresh reports whether an answer is a correct 304 for a file that was sent before.
func fresh(resp, file *response) (ok bool, detail string) {
	tag, length := resp.Header.Get("ETag"), resp.Header.Get("Content-Length")
	switch {
	case resp.Status != http.StatusNotModified:
		return false, strconv.Itoa(resp.Status)
	case tag == "":
		return false, "304 without ETag"
	case strings.TrimPrefix(tag, "W/") != strings.TrimPrefix(file.Header.Get("ETag"), "W/"):
		return false, "304 with another ETag"
	case length != "" && length != strconv.Itoa(len(file.Body)):
		return false, "304 with Content-Length " + diag.Quote(length) + ", which caches take for that of the card"
	}
	return true, strconv.Itoa(resp.Status)
}
