package probe

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/sign"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/schema"
)

// signature checks that the card is signed by a key that the user trusts.
func (r *run) signature(_ context.Context, card *response) (v verdict) {
	if r.Trust == nil {
		return v
	}
	const hint = "sign the card with a key of the key set, and deploy it again"
	switch result, _, found := sign.Verify("", card.Body, *r.Trust); result {
	case sign.Verified:
		v.ok = "good"
	case sign.Unsigned:
		v.fail("the card has no signature", hint)
	default:
		v.fail(found[0].Message, hint)
	}
	return v
}

// bytes compares the card with the local tree.
func (r *run) bytes(_ context.Context, card *response) (v verdict) {
	local := r.local(card.URL)
	switch {
	case r.Tree == nil:
	case local == nil:
		v.fail("the local tree has no file for "+diag.Quote(card.URL.Path),
			"compare with the tree that was deployed to this URL")
	case bytes.Equal(local, card.Body):
		v.ok = "the same as the local file"
	default:
		age := ""
		if a := card.Header.Get("Age"); a != "" {
			age = ", from a cache, age " + diag.Quote(a)
		}
		v.fail(fmt.Sprintf("not the local file: %d bytes in the tree, %d served%s", len(local), len(card.Body), age),
			"deploy again, and purge the CDN")
	}
	return v
}

// pair reports whether two cards are one agent for A2A 1.0 and for 0.3.
func pair(newer, older []byte) bool {
	a, _ := source.ParseJSON("", newer)
	b, _ := source.ParseJSON("", older)
	return schema.Pair(a, b)
}

// The bounds of the requests for many files.
const (
	atOnce   = 8
	fileTime = 50 * time.Millisecond // for each file of the local tree, on top of totalTime
)

// files checks the other files of the host like a card: those in the manifest of the local
// tree, and those that the lists of the host name.
func (r *run) files(ctx context.Context, p *published, card *response) {
	list := r.deployed(card.URL)
	ctx, cancel := context.WithTimeout(ctx, totalTime+time.Duration(len(list))*fileTime)
	defer cancel()
	list = union(list, p.lists)
	for _, l := range p.lists {
		list = union(list, p.references(l))
	}
	list = slices.DeleteFunc(list, func(u *url.URL) bool {
		return u.Path == card.URL.Path || u.Path == beside(card.URL, path.Base(site.LegacyCardPath)).Path
	})
	v, checked := r.checkAll(ctx, p, list)
	v.ok = fmt.Sprintf("%d other files are right", checked)
	if checked < len(list) {
		v.warn(fmt.Sprintf("the time is up after %d files of %d", checked, len(list)), slowHint)
	}
	r.documents(p, card)
	if len(list) > 0 {
		r.add(diag.ProbeFile, v)
	}
}

// checkAll checks files, groups those with the same fault, and returns how many were
// checked before the time was up.
func (r *run) checkAll(ctx context.Context, p *published, list []*url.URL) (v verdict, checked int) {
	faults := make([]*fault, len(list)) // nil if the time is up
	first := map[string]int{}           // of the files with a name: servers are configured by name
	for i, u := range slices.Backward(list) {
		first[path.Base(u.Path)] = i
	}
	_ = files.Each(atOnce, slices.Values(list), func(i int, u *url.URL) error {
		f := r.file(ctx, p, u, first[path.Base(u.Path)] == i)
		if ctx.Err() == nil {
			faults[i] = &f
		}
		return ctx.Err()
	})
	alike := map[fault][]string{}
	var different []fault
	for i, f := range faults {
		if f == nil {
			continue
		}
		checked++
		if *f == (fault{}) {
			continue
		}
		if alike[*f] == nil {
			different = append(different, *f)
		}
		alike[*f] = append(alike[*f], list[i].Path)
	}
	for _, f := range different {
		v.fail(some(alike[f])+": "+f.detail, f.hint)
	}
	return v, checked
}

// some names the first few of many files.
func some(paths []string) string {
	const most = 3
	if len(paths) <= most {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(paths[:most], ", "), len(paths)-most)
}

// file asks for a file, and returns its first fault. It asks for a 304 if conditional.
func (r *run) file(ctx context.Context, p *published, u *url.URL, conditional bool) fault {
	resp, err := r.many.ask(ctx, http.MethodGet, u)
	if err != nil {
		return silent(err)
	}
	p.keep(u, resp)
	h, local, want := resp.Header, r.local(u), r.wantedType(u)
	media, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	wrong := func(detail, hint string) fault { return fault{diag.Error, detail, hint} }
	switch {
	case resp.Status != http.StatusOK:
		return wrong(fmt.Sprint(resp.Status), "deploy it with the cards")
	case resp.encoded():
		return wrong("Content-Encoding "+orNone(h.Get("Content-Encoding"))+", which was not requested",
			"send the bytes of the file: a client would decode an archive")
	case want != "" && !isType(h.Get("Content-Type"), want) &&
		(path.Ext(u.Path) != ".json" || !strings.HasSuffix(media, "json")):
		return wrong("Content-Type "+orNone(h.Get("Content-Type")), "send Content-Type: "+want)
	case local != nil && !bytes.Equal(local, resp.Body):
		return wrong("not the local file", "deploy again, and purge the CDN")
	case h.Get("Cache-Control") == "":
		return wrong("no cache policy", "send Cache-Control: "+hosting.DefaultCacheControl)
	case !r.Settings.NoCORS && path.Ext(u.Path) == ".json" && !allowed(resp):
		return wrong(allowedOrigin(resp), "send Access-Control-Allow-Origin: *")
	case h.Get("X-Content-Type-Options") != "nosniff":
		return wrong("X-Content-Type-Options "+orNone(h.Get("X-Content-Type-Options")), "send X-Content-Type-Options: nosniff")
	case h.Get("ETag") == "":
		return wrong("no ETag", tagHint)
	case !conditional:
		return fault{}
	}
	again, err := r.many.ask(ctx, http.MethodGet, u, "If-None-Match", h.Get("ETag"))
	if err != nil {
		return silent(err)
	}
	if detail := staleness(again, resp); detail != "" {
		return wrong(detail+" for its ETag", conditionalHint)
	}
	return fault{}
}

// silent is the fault of a file for which there is no answer.
func silent(err error) fault {
	return fault{diag.Error, explain(err), "the host answered an earlier request: try again"}
}

// wantedType is the media type of a file, without parameters; "" if any will do.
func (r *run) wantedType(u *url.URL) string {
	for _, h := range r.expected(u.Path) {
		if h.Name == "Content-Type" {
			want, _, _ := strings.Cut(h.Value, ";")
			return want
		}
	}
	return ""
}

func (r *run) manifest() site.Manifest { return site.ManifestIn(r.read) }

// deployed returns the URLs of the files that the manifest of the local tree lists for the
// host of a card. If the tree does not have that card, it returns none.
func (r *run) deployed(card *url.URL) (list []*url.URL) {
	base, rest := r.place(card)
	for _, p := range r.manifest().Files {
		name, here := strings.CutPrefix(p, base)
		if rest != "" && here && !hosting.InRoot(name) && !site.IsSidecar(name) {
			list = append(list, at(card, strings.TrimSuffix(card.Path, rest)+name))
		}
	}
	return list
}

// local is the file of the tree that belongs at a URL, nil if there is none.
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

// place finds the file for a URL in the tree. rest is its path below base, and the end of
// the path of the URL; base is "" or the directory of the host. What comes before rest in
// the URL is where the tree is deployed. Without such a file both are "".
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

// at is the URL of another path of the same host.
func at(u *url.URL, name string) *url.URL {
	c := *u
	c.Path, c.RawPath, c.RawQuery = name, "", ""
	return &c
}

// beside is the URL of another file in the same directory.
func beside(u *url.URL, name string) *url.URL { return at(u, path.Join(path.Dir(u.Path), name)) }

// dirOf is the path of the site or agent that has a document below /.well-known.
func dirOf(u *url.URL) string {
	dir, _, _ := strings.Cut(u.Path, "/.well-known/")
	if dir == u.Path {
		dir = path.Dir(dir)
	}
	return path.Join("/", dir)
}
