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
	"sync"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/sign"
	"cardwright/internal/site"
)

// signature checks that the card is signed by a key that the user trusts.
func (r *run) signature(_ context.Context, card *response) (v verdict) {
	if r.options.Trust == nil {
		return v
	}
	const hint = "sign the card with a key of the key set, and deploy it again"
	switch result, _, found := sign.Verify("", card.Body, *r.options.Trust); result {
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
	local := r.tree.local(card.URL)
	switch {
	case r.tree.FS == nil:
	case local == nil:
		v.fail("the local tree has no file for "+diag.Quote(card.URL.Path),
			"compare with the tree that was deployed to this URL")
	case bytes.Equal(local, card.Body):
		v.ok = "the same as the local file"
	default:
		v.fail(fmt.Sprintf("not the local file: %d bytes in the tree, %d served", len(local), len(card.Body)),
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
	list := r.tree.deployed(card.URL)
	ctx, cancel := context.WithTimeout(ctx, totalTime+time.Duration(len(list))*fileTime)
	defer cancel()
	list = union(list, r.host.lists)
	for _, l := range r.host.lists {
		_, named := r.host.list(l)
		list = union(list, named)
	}
	list = slices.DeleteFunc(list, func(u *url.URL) bool { // of others, and those that have been checked
		return !r.host.has(u) || u.Path == card.URL.Path || u.Path == beside(card.URL, path.Base(site.LegacyCardPath)).Path
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
	verdicts := make([]*verdict, len(list)) // nil if the time is up
	each(ctx, list, func(i int, u *url.URL) {
		if f := r.file(ctx, u); ctx.Err() == nil {
			verdicts[i] = &f
		}
	})
	var faults []fault
	alike := map[fault][]string{}
	for i, of := range verdicts {
		if of == nil {
			continue
		}
		if checked++; len(of.faults) > 0 {
			faults = append(faults, of.faults[0])
			alike[of.faults[0]] = append(alike[of.faults[0]], list[i].Path)
		}
	}
	for _, f := range faults {
		if paths := alike[f]; paths != nil {
			v.faults = append(v.faults, fault{f.severity, some(paths) + ": " + f.detail, f.hint})
			delete(alike, f)
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

// file asks for a file, and returns what is wrong with it. The first fault counts.
func (r *run) file(ctx context.Context, u *url.URL) (v verdict) {
	resp := r.host.client.again(ctx, &v, http.MethodGet, u)
	if resp == nil {
		return v
	}
	r.host.keep(u, resp)
	switch local := r.tree.local(u); {
	case resp.Status != http.StatusOK:
		v.fail(strconv.Itoa(resp.Status), "deploy it with the cards")
	case resp.encoded():
		v.fail("Content-Encoding "+orNone(resp.Header.Get("Content-Encoding"))+", which was not requested",
			"send the bytes of the file: a client would decode an archive")
	case local != nil && !bytes.Equal(local, resp.Body):
		v.fail("not the local file", "deploy again, and purge the CDN")
	case resp.Header.Get("ETag") == "":
		v.fail("no ETag", tagHint)
	}
	for _, want := range r.expected(u.Path) {
		judge := v.fail
		if want.Name == "X-Content-Type-Options" { // as for the card
			judge = v.warn
		}
		if got := join(resp.Header, want.Name); !fits(want, got) {
			judge(want.Name+" "+orNone(got), "send "+want.Name+": "+want.Value)
		}
	}
	return v
}

// fits reports whether the value of a header will do: any JSON type for JSON, and any value
// of the others that every file has.
func fits(want hosting.Header, got string) bool {
	switch want.Name {
	case "Content-Type":
		wanted, _, _ := strings.Cut(want.Value, ";")
		media, _, _ := strings.Cut(got, ";")
		return isType(got, wanted) || strings.HasSuffix(wanted, "json") && strings.HasSuffix(media, "json")
	case allowOrigin:
		return got == want.Value || got == origin
	case "X-Content-Type-Options", "Cache-Control":
		return got != ""
	}
	return true
}
