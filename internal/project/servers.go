package project

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/safefile"
	"cardwright/internal/tree"
)

// addServers adds the server configuration to the trees: to the public one what
// belongs into the web root, and the rest as a tree of its own.
func (o *OutputOptions) addServers(run *Run, trees []Tree) ([]Tree, error) {
	public := &trees[0]
	dir := run.Dirs.Servers
	servers := Tree{
		Dir: dir, Kind: Servers, servers: o.targets(run, *public),
		options: publish.Options{Environment: run.Environment, Force: o.Force},
	}
	if len(servers.servers) == 0 {
		if dir != nil && hasManifest(dir) { // which servers does not name any more
			trees = append(trees, servers)
		}
		return trees, nil
	}
	others, found := o.others(run, *public)
	run.Add(found)
	settings := Hosting(run.Config, public.Dir.Name)
	table, found := hosting.NewTable(append(others, public.Files...), settings)
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
	if root, ok := settings.WebRoot(); ok && strings.HasPrefix(filepath.ToSlash(dir.Name)+"/", root+"/") {
		run.Add(diag.List{diag.New("hosting-base", diag.Span{},
			"the server configuration in %s is inside the web root %s, which serves it to everybody", dir.Name, root).
			WithHint("name a directory outside of it, such as --server-dir servers")})
	}
	return append(trees, servers), nil
}

// targets are the servers that configuration is written for: those of the command
// line and of the configuration and, where that does not say which ones there are,
// those of earlier runs. So a flag that is missing removes nothing.
func (o *OutputOptions) targets(run *Run, public Tree) []string {
	named := slices.Concat(o.Servers, run.Config.Hosting.Servers)
	if !run.Config.Node.HasAny("servers") {
		named = append(named, standing(run.Dirs.Servers, run.Dirs.Servers)...)
		named = append(named, standing(public.Dir, run.Dirs.Servers)...)
	}
	return slices.DeleteFunc(hosting.Targets(), func(t string) bool { return !slices.Contains(named, t) })
}

// standing are the servers whose configuration an earlier run wrote to a directory, as
// the files say that its manifest lists.
func standing(dir, servers *paths.Dir) []string {
	if dir == nil || servers == nil || len(dir.Rest) > 0 {
		return nil
	}
	root, err := safefile.RootOf(dir.Root)
	if err != nil {
		return nil // publishing tells
	}
	defer root.Close()
	data, err := safefile.ReadFile(root, tree.ManifestName, tree.MaxManifest)
	if err != nil {
		return nil
	}
	manifest, _ := tree.ParseManifest(tree.ManifestName, data)
	var found []string
	for _, e := range manifest.Files {
		target, _, _ := strings.Cut(e.Path, "/")
		if dir != servers {
			if e.Agent != "" || !hosting.InRoot(e.Path) {
				continue
			}
			text, _ := safefile.ReadFile(root, e.Path, maxDefault)
			target = hosting.WrittenFor(text)
		}
		found = append(found, target)
	}
	return found
}

// others are the files of agents that this run leaves alone, and of the tree as
// a whole, that clients find beside those of the run.
func (o *OutputOptions) others(run *Run, public Tree) (files []tree.File, found diag.List) {
	if len(run.Agents) == 0 {
		return nil, nil
	}
	kept, found := publish.Kept(public.Dir, public.options)
	generated := public.ByPath()
	ours := tree.File{Marker: hosting.Marker}
	for _, f := range kept {
		if generated[f.Path] == nil && (f.Agent != "" || !ours.MayReplace(f.Data)) {
			files = append(files, f)
		}
	}
	return files, found
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
