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
	"strconv"
	"strings"
	"sync"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/sign"
	"cardwright/internal/site"
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

// The bounds of the requests for many files.
const (
	atOnce   = 8
	fileTime = 50 * time.Millisecond // for each file of the local tree, on top of totalTime
)

// files checks the other files of the host like a card: those in the manifest of the local
// tree, and those that the lists of the host name.
func (r *run) files(ctx context.Context, card *response) {
	list := r.deployed(card.URL)
	ctx, cancel := context.WithTimeout(ctx, totalTime+time.Duration(len(list))*fileTime)
	defer cancel()
	list = union(list, r.lists)
	for _, l := range r.lists {
		_, named := r.list(l)
		list = union(list, named)
	}
	list = slices.DeleteFunc(list, func(u *url.URL) bool { // of others, and those that have been checked
		return !r.onHost(u) || u.Path == card.URL.Path || u.Path == beside(card.URL, path.Base(site.LegacyCardPath)).Path
	})
	v, checked := r.checkAll(ctx, list)
	if v.ok = diag.Count(checked, "other file") + " checked"; checked < len(list) {
		v.warn(fmt.Sprintf("the time is up after %d files of %d", checked, len(list)), slowHint)
	}
	if len(list) > 0 {
		r.add(diag.ProbeFile, v)
	}
}

// checkAll checks files, groups those with the same fault, and returns how many were
// checked before the time was up.
func (r *run) checkAll(ctx context.Context, list []*url.URL) (v verdict, checked int) {
	faults := make([]*fault, len(list)) // nil if the time is up
	first := map[string]int{}           // of the files with a name: servers are configured by name
	for i, u := range slices.Backward(list) {
		first[path.Base(u.Path)] = i
	}
	each(ctx, list, func(i int, u *url.URL) {
		f := r.file(ctx, u, first[path.Base(u.Path)] == i)
		if ctx.Err() == nil {
			faults[i] = &f
		}
	})
	alike := map[fault][]string{}
	for i, f := range faults {
		if f != nil {
			checked++
			alike[*f] = append(alike[*f], list[i].Path)
		}
	}
	delete(alike, fault{})
	for _, f := range faults {
		if f != nil && alike[*f] != nil {
			v.fail(some(alike[*f])+": "+f.detail, f.hint)
			delete(alike, *f)
		}
	}
	return v, checked
}

// each calls do for every URL and its index, several at once, until the time is up.
func each(ctx context.Context, list []*url.URL, do func(i int, u *url.URL)) {
	var group sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i, u := range list {
		if slots <- struct{}{}; ctx.Err() != nil {
			break
		}
		group.Go(func() {
			do(i, u)
			<-slots
		})
	}
	group.Wait()
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
func (r *run) file(ctx context.Context, u *url.URL, conditional bool) fault {
	resp, err := r.many.ask(ctx, http.MethodGet, u)
	if err != nil {
		return silent(err)
	}
	r.keep(u, resp)
	wrong := func(detail, hint string) fault { return fault{diag.Error, detail, hint} }
	local, tag := r.local(u), resp.Header.Get("ETag")
	switch {
	case resp.Status != http.StatusOK:
		return wrong(strconv.Itoa(resp.Status), "deploy it with the cards")
	case resp.encoded():
		return wrong("Content-Encoding "+orNone(resp.Header.Get("Content-Encoding"))+", which was not requested",
			"send the bytes of the file: a client would decode an archive")
	case local != nil && !bytes.Equal(local, resp.Body):
		return wrong("not the local file", "deploy again, and purge the CDN")
	case tag == "":
		return wrong("no ETag", tagHint)
	}
	for _, want := range r.expected(u.Path) {
		if got := join(resp.Header, want.Name); !fits(want, got) {
			return wrong(want.Name+" "+orNone(got), "send "+want.Name+": "+want.Value)
		}
	}
	if !conditional {
		return fault{}
	}
	again, err := r.many.ask(ctx, http.MethodGet, u, "If-None-Match", tag)
	if err != nil {
		return silent(err)
	}
	if detail := staleness(again, resp); detail != "" {
		return wrong(detail+" for its ETag", conditionalHint)
	}
	return fault{}
}

// fits reports whether the value of a header will do. Any JSON type is right for JSON, any
// policy and any list of exposed headers for a file that is not the card.
func fits(want hosting.Header, got string) bool {
	switch want.Name {
	case "Content-Type":
		wanted, _, _ := strings.Cut(want.Value, ";")
		media, _, _ := strings.Cut(got, ";")
		return isType(got, wanted) || strings.HasSuffix(wanted, "json") && strings.HasSuffix(media, "json")
	case "X-Content-Type-Options":
		return strings.EqualFold(got, want.Value)
	case allowOrigin:
		return got == want.Value || got == origin
	case "Cache-Control":
		return got != ""
	}
	return true
}

// silent is the fault of a file for which there is no answer.
func silent(err error) fault {
	return fault{diag.Error, explain(err), "the host answered an earlier request: try again"}
}

// deployed returns the URLs of the files that the manifest of the local tree lists for the
// host of a card. If the tree does not have that card, it returns none.
func (r *run) deployed(card *url.URL) (list []*url.URL) {
	base, rest := r.place(card)
	for _, p := range site.ManifestIn(r.read).Files {
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
	data, _ := r.read(base+rest, maxBody)
	return data
}

// read reads a file of the tree.
func (r *run) read(name string, limit int) ([]byte, error) {
	if r.Tree == nil || name == "" {
		return nil, fs.ErrNotExist
	}
	return files.ReadFile(r.Tree, name, limit)
}

// place finds the file for a URL in the tree. rest is its path below base, and the end of
// the path of the URL; base is "" or the directory of the host. What comes before rest in
// the URL is where the tree is deployed. Without such a file both are "".
func (r *run) place(u *url.URL) (base, rest string) {
	there := func(name string) bool {
		_, err := r.read(name, maxBody)
		return err == nil
	}
	tail := strings.TrimPrefix(u.Path, "/")
	for _, host := range []string{u.Hostname(), strings.TrimSuffix(u.Hostname(), ".localhost")} {
		if there(host + "/" + tail) {
			return host + "/", tail
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
