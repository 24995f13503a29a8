package probe

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/client"
	"cardwright/internal/hosting"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// catalogPath is where the AI Catalog of a host is.
const catalogPath = "/.well-known/ai-catalog.json"

// files checks the other files of the host like a card, such as the catalog,
// the key set and the page. The manifest of the local tree lists them, or else
// the catalog of the host.
func (r *run) files(ctx context.Context, card *client.Response) {
	list, found := r.manifest(card.URL)
	if !found {
		list = r.catalog(ctx, card.URL)
	}
	n := len(list)
	if r.Sample > 0 && r.Sample < n {
		some := make([]*url.URL, r.Sample)
		for i := range some {
			some[i] = list[i*n/r.Sample] // from everywhere
		}
		list = some
	}
	verdicts := make([]*verdict, len(list)) // nil where the time is up
	_ = parallel.Each(atOnce, slices.Values(list), func(i int, u *url.URL) error {
		v := r.file(ctx, u)
		if ctx.Err() == nil {
			verdicts[i] = &v
		}
		return ctx.Err()
	})
	checked, good := 0, 0
	alike := map[verdict][]string{} // the files with a fault
	var faults []verdict
	for i, v := range verdicts {
		if v == nil {
			continue
		}
		checked++
		if *v == (verdict{}) {
			good++
			continue
		}
		if alike[*v] == nil {
			faults = append(faults, *v)
		}
		alike[*v] = append(alike[*v], list[i].Path)
	}
	for _, v := range faults {
		judge := r.require
		judge("file", false, some(alike[v])+": "+v.fault, v.hint)
	}
	if n == 0 {
		return
	}
	detail := fmt.Sprintf("%d of %d other files are right", good, checked)
	if checked < n {
		detail += fmt.Sprintf("; %d are not checked", n-checked)
	}
	r.advise("files", checked == len(list), detail, "the time is up: check some of them with --sample "+
		strconv.Itoa(max(1, checked/2)))
}

// atOnce is how many files are asked for at a time.
const atOnce = 8

// verdict is what is wrong with a file, if anything is.
type verdict struct{ fault, hint string }

// some names the first few of many files.
func some(paths []string) string {
	const most = 3
	if len(paths) <= most {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(paths[:most], ", "), len(paths)-most)
}

// manifest returns the files that the manifest of the local tree lists for the
// host of a card, without that card. Of a tree whose files are not below one URL it
// returns none.
func (r *run) manifest(card *url.URL) (list []*url.URL, found bool) {
	base, rest := r.place(card)
	manifest := tree.ManifestIn(r.read)
	for _, p := range manifest.Files {
		name, here := strings.CutPrefix(p, base)
		if rest == "" || !here || hosting.InRoot(name) || tree.IsSidecar(name) {
			continue
		}
		u := *card
		u.Path, u.RawPath, u.RawQuery = strings.TrimSuffix(card.Path, rest)+name, "", ""
		if u.Path != card.Path && u.Path != beside(card, path.Base(tree.LegacyCardPath)).Path {
			list = append(list, &u)
		}
	}
	return list, manifest.Files != nil
}

// catalog returns the AI Catalog at the root of a host, if there is one, and
// the files of that host that it lists, without cards.
func (r *run) catalog(ctx context.Context, card *url.URL) []*url.URL {
	u := *card
	u.Path, u.RawPath, u.RawQuery = catalogPath, "", ""
	resp, err := r.client.Ask(ctx, "GET", &u)
	if err != nil || resp.Status != http.StatusOK {
		return nil // no card lists it
	}
	list := []*url.URL{&u}
	root, _ := source.ParseJSON("", resp.Body, source.Limits{})
	entries := root.Get("entries")
	if !entries.Is(source.Array) {
		return list
	}
	for _, entry := range entries.Items {
		at, err := client.HostURL(entry.Get("url").Word())
		if err != nil || client.Authority(at) != client.Authority(card) || at.Scheme != card.Scheme ||
			strings.HasSuffix(at.Path, "/agent-card.json") {
			continue
		}
		if !slices.ContainsFunc(list, func(known *url.URL) bool { return known.String() == at.String() }) {
			list = append(list, at)
		}
	}
	return list
}

// file asks for a file, and returns its first fault.
func (r *run) file(ctx context.Context, u *url.URL) verdict {
	resp, err := r.many.Ask(ctx, "GET", u)
	if err != nil {
		return silent(err)
	}
	contentType, want := resp.Header.Get("Content-Type"), wantedType(u)
	local := r.local(u)
	switch {
	case resp.Status != http.StatusOK:
		return verdict{strconv.Itoa(resp.Status), "deploy it with the cards"}
	case resp.Header.Get("Content-Encoding") != "" && resp.Header.Get("Content-Encoding") != "identity":
		return verdict{
			"Content-Encoding " + orNone(resp.Header.Get("Content-Encoding")) + ", which was not requested",
			"send the bytes of the file: a client would decode an archive",
		}
	case !isType(contentType, want) && (path.Ext(u.Path) != ".json" || !isType(contentType, "application/json")):
		return verdict{"Content-Type " + orNone(contentType), "send Content-Type: " + want}
	case local != nil && !bytes.Equal(local, resp.Body):
		return verdict{"not the local file", "deploy again, and purge the CDN"}
	case resp.Header.Get("Cache-Control") == "":
		return verdict{"no cache policy", "send Cache-Control: " + hosting.DefaultCacheControl}
	case !r.Settings.NoCORS && path.Ext(u.Path) == ".json" && !r.allowed(resp):
		return verdict{allowOrigin(resp), "send Access-Control-Allow-Origin: *"}
	case resp.Header.Get("X-Content-Type-Options") != "nosniff":
		return verdict{
			"X-Content-Type-Options " + orNone(resp.Header.Get("X-Content-Type-Options")),
			"send X-Content-Type-Options: nosniff",
		}
	case resp.Header.Get("ETag") == "":
		return verdict{"no ETag", "send the SHA-256 of the file as ETag, in double quotes"}
	}
	if v := r.again(ctx, u, resp.Header.Get("ETag"), ""); v != (verdict{}) {
		return v
	}
	return verdict{}
}

// again asks for a file with its tag.
func (r *run) again(ctx context.Context, u *url.URL, tag, with string, header ...string) verdict {
	resp, err := r.many.Ask(ctx, "GET", u, append(header, "If-None-Match", tag)...)
	if err != nil {
		return silent(err)
	}
	if ok, detail := fresh(resp, tag); !ok {
		return verdict{detail + " for its ETag" + with, "make the server compare If-None-Match with the ETag that it sends"}
	}
	return verdict{}
}

// silent is the fault of a file for which there is no answer.
func silent(err error) verdict {
	return verdict{client.Explain(err), "the host answered an earlier request: try again"}
}

// wantedType is the media type of a file, without parameters.
func wantedType(u *url.URL) string {
	name := u.Path
	if strings.HasSuffix(name, "/") {
		name += tree.PagePath
	}
	want, _, _ := strings.Cut(tree.ContentType(name), ";")
	return want
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
