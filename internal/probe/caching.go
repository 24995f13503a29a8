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
	tag := card.Header.Get("ETag")
	value := opaque(tag)
	if tag == "" {
		v.fail("none", tagHint)
		return v
	}
	if len(value) < 2 || !strings.HasPrefix(value, `"`) || !strings.HasSuffix(value, `"`) {
		v.fail(diag.Quote(tag), "put the ETag in double quotes")
		return v
	}
	// A tag in the form of the sidecars must be the digest of the bytes. Servers have others
	// of their own.
	v.ok = "one of the server's own"
	if ours := site.DigestOf(card.Body).ETag(); value == ours {
		v.ok = "the SHA-256 of the bytes"
	} else if len(value) == len(ours) {
		v.fail("not the SHA-256 of the bytes", "deploy the card and its .etag file together")
	}
	// In the way of programs, which name no origin and accept anything.
	again, err := r.program.ask(ctx, http.MethodGet, card.URL, "Accept", "*/*", "A2A-Version", "1.0")
	switch {
	case err != nil:
		v.fail(explain(err), "the host answered an earlier request: try again")
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
	resp := r.ask(ctx, &v, http.MethodGet, card.URL, "If-None-Match", tag)
	if resp == nil {
		return v
	}
	v.ok = "for the ETag in every form"
	if fault := staleness(resp, card); fault != "" {
		v.fail(fault, conditionalHint)
		return v
	}
	for _, c := range []struct{ name, method, value string }{
		{"HEAD", http.MethodHead, tag},
		{"the weak form of the ETag", http.MethodGet, "W/" + opaque(tag)},
		{"a list of ETags", http.MethodGet, `"another", ` + tag},
		{"*", http.MethodGet, "*"},
	} {
		if resp := r.ask(ctx, &v, c.method, card.URL, "If-None-Match", c.value); resp != nil {
			if fault := staleness(resp, card); fault != "" {
				v.warn("for "+c.name+": "+fault, conditionalHint)
			}
		}
	}
	if resp := r.ask(ctx, &v, http.MethodGet, card.URL, "If-None-Match", `"cardwright-probe"`); resp != nil &&
		resp.Status != http.StatusOK {
		v.fail("for another ETag: "+strconv.Itoa(resp.Status),
			"return the card for a different ETag, or clients keep an old card forever")
	}
	if tag != opaque(tag) { // If-Match compares strongly
		return v
	}
	if resp := r.ask(ctx, &v, http.MethodGet, card.URL, "If-Match", tag); resp != nil && resp.Status/100 != 2 {
		v.warn("If-Match: "+strconv.Itoa(resp.Status), "compare If-Match with the ETag that the server sends, or ignore it")
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
		return "304 with Content-Length " + diag.Quote(length) + ", which caches take for that of the card"
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
	hint := "send Cache-Control: " + configured
	_, forbidden := got["no-store"]
	_, meant := want["no-store"]
	_, private := got["private"]
	_, forever := got["immutable"]
	v.ok = orNone(policy)
	switch {
	case policy == "", forbidden && !meant, strings.Count(strings.ToLower(policy), "max-age=") > 1:
		v.fail(orNone(policy), hint)
	case maps.Equal(got, want):
	case max(seconds(got["max-age"]), seconds(got["s-maxage"])) == 0:
		v.warn(orNone(policy), hint+"; without max-age, clients download the card every time")
	case private:
		v.warn(orNone(policy), hint+"; with private, no CDN keeps the card")
	case forever || seconds(got["max-age"]) > longest:
		v.warn(orNone(policy), hint+"; clients keep the card for so long that a correction does not reach them")
	case r.Settings.CacheControl != "":
		v.warn(orNone(policy)+", which is not what the configuration says", hint)
	}
	return v
}

// directives returns the directives of a cache policy by their name in lower case.
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

func seconds(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
