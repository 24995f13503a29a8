//go:build !js

package cli

import (
	"context"
	"errors"
	"net"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/project"
	"cardwright/internal/publish"
)

func serveCommand(a *app) *ucli.Command {
	addr := "127.0.0.1:0"
	return page("serve", []ucli.Flag{
		textFlag(&addr, "addr", "listen on `HOST:PORT`, 0 for any port"),
		environmentFlag(&a.settings),
		baseURLFlag(&a.settings),
	}, func(ctx context.Context, args []string) error {
		switch len(args) {
		case 0:
			return serveProject(ctx, a, addr)
		case 1:
			return serveDir(ctx, a, addr, args[0])
		}
		return usageError("cardwright serve dist", "serve takes one directory, not %d", len(args))
	})
}

// serveDir serves a tree that is on disk, and reads it again for every request.
func serveDir(ctx context.Context, a *app, addr, dir string) error {
	p, _, settings, err := a.hosted()
	if err != nil {
		return err
	}
	root, err := p.Workspace.FolderFS(dir)
	if err != nil {
		return usageError("run cardwright generate to create one", "cannot serve %s: %s", diag.Quote(dir),
			files.Reason(err))
	}
	settings.HostLayout = hosting.HostLayout(root)
	l, err := hosting.Listen(ctx, addr)
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
	return hosting.Serve(ctx, l, hosting.Handler(root, settings, addr))
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
// makes it again on every change. The last good run counts.
func serveProject(ctx context.Context, a *app, addr string) error {
	l, err := hosting.Listen(ctx, addr)
	if err != nil {
		return err
	}
	var live hosting.Live
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		defer stop()
		ended <- hosting.Serve(ctx, l, &live)
	}()
	var announced []string
	err = a.follow(ctx, "the preview stays as it was", func(ctx context.Context) error {
		out, err := a.build(ctx, func(run *project.Run) error {
			run.Request.Keys = project.RingOf(run.Project, a.options.Getenv).Signing(true)
			return nil
		})
		if err != nil {
			return err
		}
		if err := out.end(); err != nil {
			return err
		}
		served := hosting.Memory(publish.Tree(out.run.Result.Public, out.run.Options.Environment))
		settings := project.Hosting(out.run.Config)
		urls, err := hosting.URLs(served, settings, l.Addr())
		if err != nil {
			return err
		}
		live.Show(hosting.Handler(served, settings, addr))
		if !slices.Equal(announced, urls) {
			announced = urls
			announce(a, "the project", l.Addr(), urls)
		}
		a.say(project.Output{}.Content(out.run))
		return nil
	})
	stop()
	return errors.Join(err, <-ended)
}
