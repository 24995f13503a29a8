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

const (
	tagHint         = "let the server make an entity tag for static files"
	conditionalHint = "make the server compare If-None-Match with the ETag that it sends"
)

// opaque is an entity tag without its mark of weakness.
func opaque(tag string) string { return strings.TrimPrefix(tag, "W/") }

// etag checks that the entity tag is well formed and belongs to the bytes.
func (r *run) etag(ctx context.Context, card *response) (v verdict) {
	tag, ours := card.Header.Get("ETag"), site.DigestOf(card.Body).ETag()
	value := opaque(tag)
	v.ok = "one of the server's own"
	switch {
	case tag == "":
		v.fail("none", tagHint)
		return v
	case len(value) < 2 || !strings.HasPrefix(value, `"`) || !strings.HasSuffix(value, `"`):
		v.fail(diag.Quote(tag), "put the ETag in double quotes")
		return v
	case value == ours:
		v.ok = "the SHA-256 of the bytes"
	case len(value) == len(ours): // it comes from a sidecar
		v.fail("not the SHA-256 of the bytes", "deploy the card and its .etag file together")
	}
	// Programs name no origin and accept anything.
	again := r.ask(ctx, &v, http.MethodGet, card.URL, "Origin", "", "Accept", "*/*", "A2A-Version", "1.0")
	switch {
	case again == nil:
	case !bytes.Equal(card.Body, again.Body):
		v.fail("two requests returned different bytes",
			"give every replica the same files, and every client the same card, whatever it accepts")
	case tag != again.Header.Get("ETag"):
		v.fail("two requests returned different ETags", "make every replica send the same ETag: nginx and Apache "+
			"derive it from the time of the file, which rsync -t keeps")
	}
	return v
}

// notModified sends If-None-Match in every form that clients use.
func (r *run) notModified(ctx context.Context, card *response) (v verdict) {
	tag := card.Header.Get("ETag")
	if tag == "" {
		return v
	}
	v.ok = "for the ETag in every form"
	for _, c := range []struct {
		name, method, value string
		judge               func(*verdict, string, string)
	}{
		{"the ETag", http.MethodGet, tag, (*verdict).fail},
		{"HEAD", http.MethodHead, tag, (*verdict).warn},
		{"the weak form of the ETag", http.MethodGet, "W/" + opaque(tag), (*verdict).warn},
		{"a list of ETags", http.MethodGet, `"another", ` + tag, (*verdict).warn},
		{"*", http.MethodGet, "*", (*verdict).warn},
	} {
		resp := r.ask(ctx, &v, c.method, card.URL, "If-None-Match", c.value)
		if resp == nil {
			return v
		}
		if fault := staleness(resp, card); fault != "" {
			c.judge(&v, fault+" for "+c.name, conditionalHint)
			return v
		}
	}
	other := r.ask(ctx, &v, http.MethodGet, card.URL, "If-None-Match", `"cardwright-probe"`)
	if other != nil && other.Status != http.StatusOK {
		v.fail(strconv.Itoa(other.Status)+" for another ETag",
			"return the card for a different ETag, or clients keep an old card forever")
	}
	return v
}

// staleness returns why an answer is not a correct 304 for a file that was sent before.
func staleness(resp, file *response) string {
	tag, length := resp.Header.Get("ETag"), resp.Header.Get("Content-Length")
	switch {
	case resp.Status != http.StatusNotModified:
		return strconv.Itoa(resp.Status)
	case tag == "":
		return "304 without ETag"
	case opaque(tag) != opaque(file.Header.Get("ETag")):
		return "304 with another ETag"
	case length != "" && length != strconv.Itoa(len(file.Body)):
		return "304 with Content-Length " + diag.Quote(length) + ", which caches take for the length of the card"
	case listed(resp.Header, "Cache-Control", "no-store") && !listed(file.Header, "Cache-Control", "no-store"):
		return "304 with no-store"
	}
	return ""
}

// cacheControl checks the cache policy.
func (r *run) cacheControl(_ context.Context, card *response) (v verdict) {
	configured := cmp.Or(r.Settings.CacheControl, hosting.DefaultCacheControl)
	policy := join(card.Header, "Cache-Control")
	got, want := directives(policy), directives(configured)
	forbids := func(d map[string]string) bool { _, ok := d["no-store"]; return ok }
	_, private := got["private"]
	_, forever := got["immutable"]
	age, _ := strconv.Atoi(got["max-age"])
	shared, _ := strconv.Atoi(got["s-maxage"])
	v.ok = orNone(policy)
	hint := "send Cache-Control: " + configured
	switch {
	case policy == "", forbids(got) && !forbids(want), strings.Count(strings.ToLower(policy), "max-age=") > 1:
		v.fail(v.ok, hint)
	case maps.Equal(got, want):
	case max(age, shared) == 0:
		v.warn(v.ok, hint+"; without max-age, clients download the card every time")
	case private:
		v.warn(v.ok, hint+"; with private, no CDN keeps the card")
	case forever || age > longest:
		v.warn(v.ok, hint+"; clients keep the card for so long that a correction does not reach them")
	case r.Settings.CacheControl != "":
		v.warn(v.ok+", which is not what the configuration says", hint)
	}
	return v
}

// longest is for how many seconds a card may be kept: a month.
const longest = 31 * 24 * 3600

// directives returns the directives of a cache policy by their name in lower case.
func directives(policy string) map[string]string {
	all := map[string]string{}
	for part := range strings.SplitSeq(policy, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		all[strings.ToLower(name)] = strings.Trim(value, `"`)
	}
	return all
}
