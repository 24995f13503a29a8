package cli

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync/atomic"

	"cardwright/internal/diag"
	"cardwright/internal/output"
	"cardwright/internal/preview"
	"cardwright/internal/project"
	"cardwright/internal/publish"
)

// serveProject serves what the project makes, which is written nowhere, and
// makes it again on every change.
func (a *app) serveProject(ctx context.Context, o *serveOptions) error {
	l, err := listen(ctx, o.addr)
	if err != nil {
		return err
	}
	p := &projectPreview{
		app: a, addr: l.Addr(), names: o.names(),
		options: projectOptions{Options: o.Options},
	}
	p.options.format, p.options.failOn = "text", diag.Error.String()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		defer stop()
		ended <- preview.Serve(ctx, l, p)
	}()
	err = a.follow(ctx, "the preview stays as it was", p.renew, nil)
	stop()
	return errors.Join(err, <-ended)
}

// projectPreview answers with what the last good run made.
type projectPreview struct {
	app     *app
	addr    net.Addr
	names   []string // of this machine
	options projectOptions
	current atomic.Pointer[http.Handler]

	urls []string  // that have been announced
	last diag.List // findings of the last good run
}

// ServeHTTP implements [http.Handler].
func (p *projectPreview) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := p.current.Load()
	if h == nil {
		http.Error(w, "the project has no card yet", http.StatusServiceUnavailable)
		return
	}
	(*h).ServeHTTP(w, r)
}

// renew makes the project and serves it from now on.
func (p *projectPreview) renew(ctx context.Context) error {
	a := p.app
	run, err := a.build(ctx, &p.options, func(run *project.Run) error {
		run.Request.Keys = keysOf(run.Project).Signing(true)
		return nil
	})
	if err != nil {
		return err
	}
	defer run.Close()
	if run.Failed() {
		return a.endFindings(p.options.outcome(run))
	}
	if !p.last.Equal(run.Found) {
		if err := a.printFindings(p.options.outcome(run)); err != nil {
			return err
		}
	}
	p.last = run.Found

	tree := preview.Memory(publish.Tree(run.Result.Public))
	settings := project.Hosting(run.Config, run.OutDir(run.Config))
	urls, err := preview.URLs(tree, settings, p.addr)
	if err != nil {
		return err
	}
	handler := preview.Handler(tree, settings, p.names...)
	p.current.Store(&handler)
	if !slices.Equal(p.urls, urls) {
		p.urls = urls
		a.announce("the project", p.addr, urls)
	}
	if !a.quiet {
		a.talk(output.Tree{}.Content(run))
	}
	return nil
}
