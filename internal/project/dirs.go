package project

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/hosting"
)

// Dirs are the directories that a run writes to. They are opened before it
// begins, and stay what they were then.
type Dirs struct {
	Public  *files.Dir // nil where the configuration names none that may be used
	Private *files.Dir // nil without --private-out
	Servers *files.Dir // nil where there is no place for server configuration
}

// DirFlags are the directories that the command line names, each "" for none.
type DirFlags struct {
	Out, Private, ServerDir string
	Servers                 []string // that configuration is written for
}

// all are the directories that are there.
func (d *Dirs) all() []*files.Dir {
	return slices.DeleteFunc([]*files.Dir{d.Public, d.Private, d.Servers}, func(d *files.Dir) bool { return d == nil })
}

// openDirs opens the directories that the command line and the configuration name.
// The findings say why the configuration names none that may be used.
func openDirs(p *Project, c *config.Config, o DirFlags) (dirs Dirs, found diag.List, err error) {
	if o.Out == "" {
		dirs.Public, found = p.OpenOutput(c)
	} else if dirs.Public, err = p.Workspace.OutputDir("--out", o.Out); err != nil {
		return dirs, nil, err
	}
	if o.Private != "" {
		if dirs.Private, err = p.Workspace.OutputDir("--private-out", o.Private); err != nil {
			return dirs, nil, err
		}
	}
	if dirs.Public == nil {
		return dirs, found, nil
	}
	if dirs.Servers, err = o.openServers(p, c); err != nil {
		return dirs, nil, err
	}
	return dirs, found, dirs.separate()
}

// openServers opens the directory for server configuration: OUT.server unless a
// flag names another. Where the output directory has no name to make one of
// there is none, nor where none is needed and something else has the place.
func (o *DirFlags) openServers(p *Project, c *config.Config) (*files.Dir, error) {
	if o.ServerDir != "" {
		return p.Workspace.OutputDir("--server-dir", o.ServerDir)
	}
	out, by := path.Clean(c.Out), files.Committed
	if o.Out != "" {
		out, by = files.Slash(o.Out), files.Typed
	}
	at := filepath.FromSlash(out)
	if base := path.Base(out); base == "." || base == ".." || filepath.Dir(at) == at {
		return nil, nil
	}
	name := out + ".server"
	d, err := p.Workspace.Checkout.Output(name, by)
	switch {
	case err == nil:
		if by == files.Committed {
			d.Name = p.Workspace.show(p.Workspace.Checkout.Base)(name)
		}
		p.Workspace.keep(d.Close)
		return d, nil
	case len(o.Servers) == 0:
		return nil, nil
	}
	return nil, unwritable("the server directory "+name, err)
}

// separate refuses two trees in one directory, and one inside the other: each would
// take the files of the other for its own of an earlier run, and private cards
// would be served.
func (d *Dirs) separate() error {
	named := []struct {
		what string
		dir  *files.Dir
	}{{"the output directory", d.Public}, {"--private-out", d.Private}, {"the server directory", d.Servers}}
	for i, a := range named {
		for _, b := range named[:i] {
			if a.dir != nil && b.dir != nil && (a.dir.Contains(b.dir) || b.dir.Contains(a.dir)) {
				return diag.UsageError("give each its own directory, outside of the others", "%s %s and %s %s overlap", a.what,
					a.dir.Name, b.what, b.dir.Name)
			}
		}
	}
	return nil
}

// Check refuses what is meant as something else than directories and servers.
func (o *DirFlags) Check() error {
	if slices.Contains([]string{o.Out, o.Private, o.ServerDir}, "-") {
		return diag.UsageError("write to a directory: the card is then in DIR/.well-known/agent-card.json",
			"a directory cannot be stdout: a run writes a tree of files")
	}
	return o.checkServers()
}

// checkServers refuses servers that no configuration can be written for.
func (o *DirFlags) checkServers() error {
	for _, t := range o.Servers {
		if slices.Contains(hosting.Targets(), t) {
			continue
		}
		hint := diag.Hint(t, hosting.Targets(), "servers: "+strings.Join(hosting.Targets(), ", "))
		if strings.Contains(t, ",") {
			hint = diag.Repeat("--server", t)
		}
		return diag.UsageError(hint, "no configuration can be written for the server %s", diag.Quote(t))
	}
	return nil
}
