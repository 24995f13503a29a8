package probe

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"regexp"
	"slices"
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
	again := r.client.again(ctx, &v, http.MethodGet, card.URL, "Origin", "", "Accept", "*/*", "A2A-Version", "1.0")
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
	for _, c := range []struct{ name, method, value string }{
		{"the ETag", http.MethodGet, tag},
		{"HEAD", http.MethodHead, tag},
		{"the weak form of the ETag", http.MethodGet, "W/" + opaque(tag)},
		{"a list of ETags", http.MethodGet, `"another", ` + tag},
		{"*", http.MethodGet, "*"},
	} {
		resp := r.client.again(ctx, &v, c.method, card.URL, "If-None-Match", c.value)
		if resp == nil {
			return v
		}
		if fault := staleness(resp, card); fault != "" {
			v.fail(fault+" for "+c.name, conditionalHint)
			if c.value != tag || c.method == http.MethodHead { // the other forms are rare
				v.faults[0].severity = diag.Warning
			}
			return v
		}
	}
	other := r.client.again(ctx, &v, http.MethodGet, card.URL, "If-None-Match", `"cardwright-probe"`)
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
	}
	return ""
}

// cacheControl checks the cache policy.
func (r *run) cacheControl(_ context.Context, card *response) (v verdict) {
	configured := cmp.Or(r.options.Settings.CacheControl, hosting.DefaultCacheControl)
	policy, hint := join(card.Header, "Cache-Control"), "send Cache-Control: "+configured
	got, want := directives(policy), directives(configured)
	lasts := func(directive string) bool { return lifetime.MatchString(directive) }
	v.ok = orNone(policy)
	switch {
	case policy == "", slices.Contains(got, "no-store") && !slices.Contains(want, "no-store"):
		v.fail(v.ok, hint)
	case slices.Equal(got, want):
	case r.options.Settings.CacheControl != "":
		v.warn(v.ok+", which is not what the configuration says", hint)
	case !slices.ContainsFunc(got, lasts):
		v.warn(v.ok, hint+"; without max-age, clients download the card every time")
	}
	return v
}

var lifetime = regexp.MustCompile(`^(?:max-age|s-maxage)="?[1-9]`)

// directives returns the directives of a cache policy in lower case, sorted.
func directives(policy string) []string {
	all := strings.FieldsFunc(strings.ToLower(policy), func(r rune) bool { return r == ',' || r == ' ' })
	return slices.Sorted(slices.Values(all))
}
