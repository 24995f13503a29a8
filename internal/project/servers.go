package project

import (
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/publish"
	"cardwright/internal/tree"
)

// addServers adds the server configuration to the trees: to the public one what
// belongs into the web root, and the rest as a tree of its own.
func (o *OutputOptions) addServers(run *Run, trees []Output) ([]Output, error) {
	public, dir := &trees[0], run.Dirs.Servers
	servers := Output{
		Dir: dir, Kind: Servers, servers: o.targets(run.Config),
		options: publish.Options{Environment: run.Environment, Force: o.Force, Ignored: run.ignoredIn(dir)},
	}
	if len(servers.servers) == 0 {
		if dir != nil && hasManifest(dir) { // of servers that nobody names any more
			trees = append(trees, servers)
		}
		return trees, nil
	}
	outputs, found := hosting.Render(servers.servers, Hosting(run.Config))
	run.Add(o.placed(run.Config, found))
	public.Files = slices.Clone(public.Files)
	for _, output := range outputs {
		if output.Root {
			public.Files = append(public.Files, output.File())
		} else {
			servers.Files = append(servers.Files, output.File())
		}
	}
	switch {
	case dir == nil && len(servers.Files) > 0:
		return nil, diag.UsageError("name a directory that is not served, such as --server-dir ../servers",
			"--server-dir is missing, but there is no default for the output directory %s", public.Dir.Name)
	case dir == nil:
		return trees, nil
	}
	return append(trees, servers), nil
}

// placed gives findings about server configuration the place of the key or the
// flag that they are about.
func (o *OutputOptions) placed(c *config.Config, found diag.List) diag.List {
	for i := range found {
		d := &found[i]
		node, ok := c.Node.Find(d.Pointer)
		switch {
		case d.Pointer == "/servers" && len(o.Servers) > 0 && !ok:
			d.Span = diag.Span{File: "--server"}
		case d.Pointer == "/out" && o.Out != "":
			d.Span = diag.Span{File: "--out"}
		case ok && d.Pointer != "":
			d.Span = node.Span
		}
	}
	return found
}

// hasManifest reports whether an earlier run has written to a directory.
func hasManifest(dir *files.Dir) bool {
	_, err := dir.ReadFile(tree.ManifestName, tree.MaxManifest)
	return err == nil
}
