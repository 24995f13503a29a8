//go:build !js

package cli

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/project"
	"cardwright/internal/publish"
)

func serveCommand(a *app) *ucli.Command {
	o := serveOptions{addr: "127.0.0.1:0"}
	return page("serve", []ucli.Flag{
		textFlag(&o.addr, "addr", "listen on `HOST:PORT`, 0 for any port"),
		environmentFlag(&o.run.Environment),
		baseURLFlag(&o.run.BaseURL),
	}, func(ctx context.Context, args []string) error { return runServe(ctx, a, &o, args) })
}

// serveOptions are the flags of serve.
type serveOptions struct {
	run  project.Options
	addr string
}

func runServe(ctx context.Context, a *app, o *serveOptions, dirs []string) error {
	switch len(dirs) {
	case 0:
		return serveProject(ctx, a, o)
	case 1:
		return serveDir(ctx, a, o, dirs[0])
	}
	return usageError("cardwright serve dist", "serve takes one directory, not %d", len(dirs))
}

// serveDir serves a tree that is on disk, and reads it again for every request.
func serveDir(ctx context.Context, a *app, o *serveOptions, dir string) error {
	p, _, settings, err := a.hosted(o.run)
	if err != nil {
		return err
	}
	defer p.Workspace.Close()
	root, err := p.Workspace.FolderFS(dir)
	if err != nil {
		return usageError("run cardwright generate to create one", "cannot serve %s: %s", diag.Quote(dir),
			files.Reason(err))
	}
	settings.HostLayout = hosting.HostLayout(root)
	l, err := hosting.Listen(ctx, o.addr)
	if err != nil {
		return err
	}
	urls, err := hosting.URLs(root, settings, l.Addr())
	if err != nil {
		return err
	}
	a.endless = true
	announce(a, dir, l.Addr(), urls)
	if len(urls) == 0 {
		a.say("there is no card in it yet; run cardwright generate")
	}
	return hosting.Serve(ctx, l, hosting.Handler(root, settings, o.addr))
}

// announce prints the URLs for programs, and what they are for people.
func announce(a *app, what string, addr net.Addr, urls []string) {
	for _, u := range urls {
		a.Print(u)
	}
	a.say("serving " + what + " on " + addr.String() + ": a preview, not a production server; press Ctrl-C to stop")
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		a.say("everyone who can reach this machine can read it")
	}
}

// serveProject serves what the project makes, which is written nowhere, and
// makes it again on every change.
func serveProject(ctx context.Context, a *app, o *serveOptions) error {
	l, err := hosting.Listen(ctx, o.addr)
	if err != nil {
		return err
	}
	p := &projectPreview{
		app: a, addr: l.Addr(), asked: o.addr, options: defaults(),
	}
	p.options.run = o.run
	p.options.run.FailOn = diag.Error
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		defer stop()
		ended <- hosting.Serve(ctx, l, &p.live)
	}()
	err = a.follow(ctx, "the preview stays as it was", p.renew)
	stop()
	return errors.Join(err, <-ended)
}

// projectPreview answers with what the last good run made.
type projectPreview struct {
	app     *app
	addr    net.Addr
	asked   string // the address, as --addr says
	options options
	live    hosting.Live

	urls []string // that have been announced
}

// renew makes the project and serves it from now on.
func (p *projectPreview) renew(ctx context.Context) error {
	a := p.app
	out, err := a.build(ctx, &p.options, func(run *project.Run) error {
		run.Request.Keys = project.RingOf(run.Project, os.LookupEnv).Signing(true)
		return nil
	})
	if err != nil {
		return err
	}
	defer out.run.Workspace.Close()
	if out.run.Failed() {
		return out.end()
	}
	if err := out.report(); err != nil {
		return err
	}
	served := hosting.Memory(publish.Tree(out.run.Result.Public, out.run.Options.Environment))
	settings := project.Hosting(out.run.Config)
	urls, err := hosting.URLs(served, settings, p.addr)
	if err != nil {
		return err
	}
	p.live.Show(hosting.Handler(served, settings, p.asked))
	if !slices.Equal(p.urls, urls) {
		p.urls = urls
		announce(a, "the project", p.addr, urls)
	}
	a.say(project.Output{}.Content(out.run))
	return nil
}
