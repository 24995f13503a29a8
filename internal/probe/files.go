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

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/site"
)

// files checks the other files of the host like a card, such as the catalog,
// the key set and the page, and what is in the lists. The manifest of the local tree
// lists the files, or else the lists of the host do.
func (r *run) files(ctx context.Context, card *response) {
	p := newPublished(card.URL)
	lists := r.lists(ctx, p, card)
	list, found := r.manifest(card.URL)
	if !found {
		list = lists
	}
	for _, l := range lists {
		list = union(list, p.references(l))
	}
	checked := r.checkAll(ctx, p, list)
	r.documents(p, lists)
	if len(list) == 0 {
		return
	}
	detail := fmt.Sprintf("%d other files are checked", checked)
	if checked < len(list) {
		detail += fmt.Sprintf("; %d are not", len(list)-checked)
	}
	r.advise(diag.ProbeFiles, checked == len(list), detail, "the time is up: "+slowHint)
}

// atOnce is how many files are asked for at a time.
const atOnce = 8

// checkAll checks files, groups those with the same fault, and returns how many were
// checked in the time that there is.
func (r *run) checkAll(ctx context.Context, p *published, list []*url.URL) (checked int) {
	verdicts := make([]*verdict, len(list)) // nil where the time is up
	_ = files.Each(atOnce, slices.Values(list), func(i int, u *url.URL) error {
		v := r.file(ctx, p, u)
		if ctx.Err() == nil {
			verdicts[i] = &v
		}
		return ctx.Err()
	})
	alike := map[verdict][]string{}
	var faults []verdict
	for i, v := range verdicts {
		if v == nil {
			continue
		}
		checked++
		if *v == (verdict{}) {
			continue
		}
		if alike[*v] == nil {
			faults = append(faults, *v)
		}
		alike[*v] = append(alike[*v], list[i].Path)
	}
	for _, v := range faults {
		r.fail(diag.ProbeFile, some(alike[v])+": "+v.fault, v.hint)
	}
	return checked
}

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

// union adds the URLs of more that are not in list.
func union(list, more []*url.URL) []*url.URL {
	known := make(map[string]bool, len(list))
	for _, u := range list {
		known[u.String()] = true
	}
	for _, u := range more {
		if !known[u.String()] {
			known[u.String()] = true
			list = append(list, u)
		}
	}
	return list
}

// manifest returns the files that the manifest of the local tree lists for the
// host of a card, without that card. Of a tree whose files are not below one URL it
// returns none.
func (r *run) manifest(card *url.URL) (list []*url.URL, found bool) {
	base, rest := r.place(card)
	manifest := site.ManifestIn(r.read)
	for _, p := range manifest.Files {
		name, here := strings.CutPrefix(p, base)
		if rest == "" || !here || hosting.InRoot(name) || site.IsSidecar(name) {
			continue
		}
		u := at(card, strings.TrimSuffix(card.Path, rest)+name)
		if u.Path != card.Path && u.Path != beside(card, path.Base(site.LegacyCardPath)).Path {
			list = append(list, u)
		}
	}
	return list, manifest.Files != nil
}

// file asks for a file, and returns its first fault.
func (r *run) file(ctx context.Context, p *published, u *url.URL) verdict {
	resp, err := r.many.ask(ctx, http.MethodGet, u)
	if err != nil {
		return silent(err)
	}
	p.keep(u, resp)
	headers, local, want := resp.Header, r.local(u), r.wantedType(u)
	media, _, _ := strings.Cut(headers.Get("Content-Type"), ";")
	switch {
	case resp.Status != http.StatusOK:
		return verdict{strconv.Itoa(resp.Status), "deploy it with the cards"}
	case headers.Get("Content-Encoding") != "" && headers.Get("Content-Encoding") != "identity":
		return verdict{
			"Content-Encoding " + orNone(headers.Get("Content-Encoding")) + ", which was not requested",
			"send the bytes of the file: a client would decode an archive",
		}
	case want != "" && !isType(headers.Get("Content-Type"), want) &&
		(path.Ext(u.Path) != ".json" || !strings.HasSuffix(media, "json")):
		return verdict{"Content-Type " + orNone(headers.Get("Content-Type")), "send Content-Type: " + want}
	case local != nil && !bytes.Equal(local, resp.Body):
		return verdict{"not the local file", "deploy again, and purge the CDN"}
	case headers.Get("Cache-Control") == "":
		return verdict{"no cache policy", "send Cache-Control: " + hosting.DefaultCacheControl}
	case !r.Settings.NoCORS && path.Ext(u.Path) == ".json" && !allowed(resp):
		return verdict{allowOrigin(resp), "send Access-Control-Allow-Origin: *"}
	case headers.Get("X-Content-Type-Options") != "nosniff":
		return verdict{
			"X-Content-Type-Options " + orNone(headers.Get("X-Content-Type-Options")),
			"send X-Content-Type-Options: nosniff",
		}
	case headers.Get("ETag") == "":
		return verdict{"no ETag", tagHint}
	}
	again, err := r.many.ask(ctx, http.MethodGet, u, "If-None-Match", headers.Get("ETag"))
	if err != nil {
		return silent(err)
	}
	if ok, detail := fresh(again, resp); !ok {
		return verdict{detail + " for its ETag", conditionalHint}
	}
	return verdict{}
}

// silent is the fault of a file for which there is no answer.
func silent(err error) verdict {
	return verdict{explain(err), "the host answered an earlier request: try again"}
}

// wantedType is the media type of a file, without parameters; "" where any will do.
func (r *run) wantedType(u *url.URL) string {
	for _, h := range r.expected(u.Path) {
		if h.Name == "Content-Type" {
			want, _, _ := strings.Cut(h.Value, ";")
			return want
		}
	}
	return ""
}
