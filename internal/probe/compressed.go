package probe

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/report"
)

// compressed sends Accept-Encoding, as most clients do: gzip, and br as browsers. What
// compresses the card must say so in Vary, and must recognize the ETag that it sends.
func (r *run) compressed(ctx context.Context, card *client.Response) {
	r.compressedWith(ctx, card, "gzip")
	r.compressedWith(ctx, card, "br")
}

func (r *run) compressedWith(ctx context.Context, card *client.Response, with string) {
	const accept = "Accept-Encoding"
	resp := r.ask(ctx, "compressed", "GET", card.URL, accept, with)
	if resp == nil {
		return
	}
	encoding := resp.Header.Get("Content-Encoding")
	if with == "br" && encoding != with {
		return // gzip has been looked at
	}
	body, ok := decoded(resp.Body, encoding)
	if encoding == "br" {
		body, ok = card.Body, len(resp.Body) > 0 // bytes that are not looked at
	}
	same := ok && bytes.Equal(body, card.Body)
	detail := "the same bytes, uncompressed"
	switch {
	case resp.Status != http.StatusOK:
		same, detail = false, strconv.Itoa(resp.Status)
	case !ok:
		detail = diag.Quote(encoding) + " that cannot be decoded"
	case !same:
		detail = "different bytes than without Accept-Encoding"
	case encoding != "":
		detail = "the same bytes, as " + diag.Quote(encoding)
	}
	r.require("compressed", same, detail, "do not compress the card in a proxy, or compress it correctly")
	if !same {
		return
	}
	plain, tag := card.Header.Get("ETag"), resp.Header.Get("ETag")
	if encoding != "" {
		vary := resp.Header.Values("Vary")
		r.advise("compressed-vary", listed(resp.Header, "Vary", "accept-encoding"),
			"Vary: "+orNone(join(vary)),
			"send Vary: Accept-Encoding, or caches return compressed bytes to clients that cannot read them")
		strong := tag != "" && tag[0] == '"'
		r.advise("compressed-etag", !strong || tag != plain, orNone(tag),
			"send a weak or a different ETag with compressed bytes: a strong one means identical bytes")
	}
	reported := func(c report.Check) bool {
		return c.Severity != 0 && (c.Name == "etag" || c.Name == "not-modified" && encoding == "" && tag == plain)
	}
	if slices.ContainsFunc(r.checks, reported) {
		return
	}
	again := r.ask(ctx, "compressed-not-modified", "GET", card.URL, accept, with, "If-None-Match", tag)
	if tag == "" || again == nil {
		r.require("compressed-not-modified", again != nil && tag != "", "no ETag with Accept-Encoding: "+with,
			"send the ETag with compressed answers too")
		return
	}
	ok, detail = fresh(again, tag)
	r.require("compressed-not-modified", ok, detail,
		"make the server compare If-None-Match with the ETag that it sends with Accept-Encoding: "+with)
}

// decoded returns a body without its content encoding, which must be one that
// was requested.
func decoded(body []byte, encoding string) ([]byte, bool) {
	switch encoding {
	case "", "identity":
		return body, true
	case "gzip":
	default:
		return nil, false
	}
	unzip, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, false
	}
	plain, err := io.ReadAll(io.LimitReader(unzip, client.MaxBody+1))
	return plain, err == nil && len(plain) <= client.MaxBody
}

// fresh reports whether an answer is a correct 304.
func fresh(resp *client.Response, tag string) (ok bool, detail string) {
	switch {
	case resp.Status != http.StatusNotModified:
		return false, strconv.Itoa(resp.Status)
	case len(resp.Body) > 0:
		return false, "304 with a body"
	case resp.Header.Get("ETag") == "":
		return false, "304 without ETag"
	case tag != "" && strings.TrimPrefix(resp.Header.Get("ETag"), "W/") != strings.TrimPrefix(tag, "W/"):
		return false, "304 with another ETag"
	}
	return true, strconv.Itoa(resp.Status)
}
