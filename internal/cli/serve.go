package cli

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"path/filepath"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/preview"
	"cardwright/internal/project"
	"cardwright/internal/safefile"
	"cardwright/internal/workspace"
)

func (a *app) serveCommand() *ucli.Command {
	o := serveOptions{addr: "127.0.0.1:0"}
	return page("serve", []ucli.Flag{
		boolFlag(&o.watch, "watch",
			"serve the cards of the project instead of a directory, and update them on every change"),
		textFlag(&o.addr, "addr", "listen on `HOST:PORT`; port 0 picks a free port (default: 127.0.0.1:0)"),
		environmentFlag(&o.Environment),
		allowEnvFlag(&o.AllowEnv),
	}, func(ctx context.Context, args []string) error { return a.serve(ctx, &o, args) })
}

// serveOptions are the flags of serve.
type serveOptions struct {
	project.Options
	addr  string
	watch bool
}

func (a *app) serve(ctx context.Context, o *serveOptions, dirs []string) error {
	if len(dirs) > 1 {
		return usageError("cardwright serve dist", "serve takes one directory, not %d", len(dirs))
	}
	if o.watch {
		if len(dirs) > 0 {
			return usageError("leave out --watch: a directory is read again for every request",
				"--watch serves the cards of the project, not the directory %s", diag.Quote(dirs[0]))
		}
		return a.serveProject(ctx, o)
	}
	p, c, settings, err := a.hosted(o.Options)
	if err != nil {
		return err
	}
	defer p.Close()
	dir, root, err := served(p, c, dirs)
	if err != nil {
		return usageError("run cardwright generate to create one", "cannot serve %s: %s", diag.Quote(dir),
			safefile.Reason(err))
	}
	settings.HostLayout = preview.HostLayout(root)
	l, err := listen(ctx, o.addr)
	if err != nil {
		return err
	}
	urls, err := preview.URLs(root, settings, l.Addr())
	if err != nil {
		return err
	}
	a.announce(dir, l.Addr(), urls)
	if len(urls) == 0 && !a.quiet {
		a.talk("there is no card in it yet; run cardwright generate")
	}
	return preview.Serve(ctx, l, preview.Handler(root, settings, o.names()...))
}

// names are those of this machine that --addr gives.
func (o *serveOptions) names() []string {
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil || host == "" || net.ParseIP(host) != nil {
		return nil
	}
	return []string{host}
}

// served is the directory that was named, or else that of the configuration, and
// what is in it.
func served(p *workspace.Project, c *config.Config, names []string) (shown string, root fs.FS, err error) {
	name, by := c.Out, paths.Committed
	shown = filepath.ToSlash(p.OutDir(c))
	if len(names) == 1 {
		name, by = names[0], paths.Typed
		shown = paths.Slash(name)
	}
	d, err := p.Input(name, by)
	if err != nil {
		return shown, nil, err
	}
	p.Keep(d)
	if len(d.Rest) > 0 {
		return shown, nil, fs.ErrNotExist
	}
	root, err = safefile.RootOf(d.Root)
	return shown, root, err
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", addr)
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err // without "listen tcp"
	}
	if err != nil {
		return nil, usageError("use an address of this machine and a free port, such as 127.0.0.1:0",
			"cannot listen on %s: %s", diag.Quote(addr), safefile.Reason(err))
	}
	return l, nil
}

// announce prints the URLs for programs, and what they are for people.
func (a *app) announce(what string, addr net.Addr, urls []string) {
	for _, u := range urls {
		a.print(u)
	}
	if a.quiet {
		return
	}
	a.talk("serving " + what + " on " + addr.String() + ": a preview, not a production server; press Ctrl-C to stop")
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		a.talk("everyone who can reach this machine can read it")
	}
}
