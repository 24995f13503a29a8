package output

import (
	"errors"
	"io/fs"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/paths"
	"cardwright/internal/project"
	"cardwright/internal/publish"
	"cardwright/internal/safefile"
	"cardwright/internal/tree"
)

// addServers adds the server configuration to the trees: to the public one what
// belongs into the web root, and the rest as a tree of its own. Where no server
// is asked for, that tree is empty, so that what an earlier run wrote is
// removed: its tags would not be those of the cards any more.
func (o *Options) addServers(run *project.Run, trees []Tree) ([]Tree, error) {
	public := &trees[0]
	dir := run.Dirs.Servers
	servers := Tree{
		Dir: dir, Kind: Servers, servers: o.Targets(run.Config),
		options: publish.Options{Force: o.Force},
	}
	others, outdated, found := o.others(run, *public)
	if len(servers.servers) == 0 {
		outdated = outdated || dir != nil && hasManifest(dir)
		switch {
		case outdated && len(run.Agents) > 0:
			run.Add(diag.List{diag.New("hosting-outdated", diag.Span{},
				"the server configuration of an earlier run is kept, with the old tags of the cards").
				WithHint("put servers: into the configuration, or repeat --server")})
		case outdated:
			trees = append(trees, servers)
		}
		return trees, nil
	}
	run.Add(found)
	table, found := hosting.NewTable(append(others, public.Files...), project.Hosting(run.Config, public.Dir.Name))
	outputs, more := hosting.Render(servers.servers, table)
	run.Add(o.placed(run.Config, append(found, more...)))
	public.Files = slices.Clone(public.Files)
	for _, output := range outputs {
		switch {
		case yields(output, public.Dir):
		case output.Root:
			public.Files = append(public.Files, output.File())
		default:
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

// others are the files of agents that this run leaves alone, and of the tree as
// a whole, that clients find beside those of the run. It also tells whether
// server configuration is among what is left alone.
func (o *Options) others(run *project.Run, public Tree) (files []tree.File, servers bool, found diag.List) {
	options := public.options
	switch {
	case len(run.Agents) == 0, (o.Check || run.Series.Partial()) && len(o.Targets(run.Config)) == 0:
		return nil, false, nil
	case len(o.Targets(run.Config)) == 0: // but is there configuration of an earlier run?
		options.Keep = func(agent, file string) bool { return agent == "" && public.options.Keep(agent, file) }
	}
	kept, found := publish.Kept(public.Dir, options)
	generated := public.ByPath()
	ours := tree.File{Marker: hosting.Marker}
	for _, f := range kept {
		switch {
		case f.Agent == "" && ours.MayReplace(f.Data):
			servers = true
		case generated[f.Path] == nil:
			files = append(files, f)
		}
	}
	return files, servers, found
}

// placed gives findings about server configuration the place of the key or the
// flag that they are about.
func (o *Options) placed(c *config.Config, found diag.List) diag.List {
	for i := range found {
		d := &found[i]
		node, ok := c.Node.Find(d.Pointer)
		switch {
		case d.Pointer == "/servers" && len(o.Servers) > 0:
			d.Span = diag.Span{File: "--server"}
		case d.Pointer == "/out" && o.Out != "":
			d.Span = diag.Span{File: "--out"}
		case ok && d.Pointer != "":
			d.Span = node.Span
		}
	}
	return found
}

// yields tells whether a file steps back for one of the user's own.
func yields(o hosting.Output, dir *paths.Dir) bool {
	if !o.Default || dir == nil || len(dir.Rest) > 0 {
		return false
	}
	root, err := safefile.RootOf(dir.Root)
	if err != nil {
		return false // publishing tells
	}
	defer root.Close()
	data, err := safefile.ReadFile(root, o.Path, maxDefault)
	return err == nil && !o.File().MayReplace(data) || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// maxDefault bounds what is read of a file that a default one yields to, in bytes.
const maxDefault = 1 << 20

// hasManifest tells whether an earlier run has written to a directory.
func hasManifest(dir *paths.Dir) bool {
	if len(dir.Rest) > 0 {
		return false
	}
	info, err := dir.Root.Lstat(tree.ManifestName)
	return err == nil && info.Mode().IsRegular()
}
