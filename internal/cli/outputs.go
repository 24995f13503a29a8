package cli

import (
	"path"
	"path/filepath"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/workspace"
)

// outputs are the directories that a run writes to. They are opened before it
// begins, and stay what they were then.
type outputs struct {
	public  *paths.Dir // nil where the configuration names none that may be used
	private *paths.Dir // nil without --private-out
	servers *paths.Dir // nil where there is no place for server configuration
	found   diag.List  // why public is nil
}

// openOutputs opens the directories that the flags and the configuration name.
func (o *generateOptions) openOutputs(p *workspace.Project, c *config.Config) (out outputs, err error) {
	if o.out == "" {
		out.public, out.found = p.OpenOutput(c)
	} else if out.public, err = p.OutputDir("--out", o.out); err != nil {
		return out, err
	}
	if o.privateOut != "" {
		if out.private, err = p.OutputDir("--private-out", o.privateOut); err != nil {
			return out, err
		}
	}
	if out.public == nil {
		return out, nil
	}
	if out.servers, err = o.openServers(p, c); err != nil {
		return out, err
	}
	return out, out.separate()
}

// openServers opens the directory for server configuration: OUT.server unless a
// flag names another. Where the output directory has no name to make one of
// there is none, nor where none is needed and something else has the place.
func (o *generateOptions) openServers(p *workspace.Project, c *config.Config) (*paths.Dir, error) {
	if o.serverDir != "" {
		return p.OutputDir("--server-dir", o.serverDir)
	}
	var d *paths.Dir
	var err error
	name := path.Clean(c.Out) + ".server"
	if o.out != "" {
		out := filepath.Clean(o.out)
		name = filepath.ToSlash(out) + ".server"
		if nameless(filepath.ToSlash(out)) || filepath.Dir(out) == out {
			return nil, nil
		}
		d, err = p.Output(out+".server", paths.Typed)
	} else {
		if nameless(path.Clean(c.Out)) {
			return nil, nil
		}
		if d, err = p.Output(name, paths.Committed); err == nil {
			d.Name = p.Show(p.Base)(name)
		}
	}
	switch {
	case err == nil:
		p.Keep(d)
		return d, nil
	case len(o.targets(c)) == 0:
		return nil, nil
	}
	return nil, workspace.Unwritable("the server directory "+name, err)
}

// nameless tells whether a path ends in no name of its own.
func nameless(name string) bool { return path.Base(name) == "." || path.Base(name) == ".." }

// separate refuses two trees in one directory, and one inside the other: each would
// take the files of the other for its own of an earlier run, and private cards
// would be served.
func (out *outputs) separate() error {
	named := []struct {
		what string
		dir  *paths.Dir
	}{{"the output directory", out.public}, {"--private-out", out.private}, {"the server directory", out.servers}}
	for i, a := range named {
		for _, b := range named[:i] {
			if a.dir != nil && b.dir != nil && (a.dir.Contains(b.dir) || b.dir.Contains(a.dir)) {
				return usageError("give each its own directory, outside of the others", "%s %s and %s %s overlap", a.what,
					a.dir.Name, b.what, b.dir.Name)
			}
		}
	}
	return nil
}
