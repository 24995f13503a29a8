package cli

import (
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/nearest"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/internal/workspace"
)

// hostSettings is what a configuration says about hosting the output in a
// directory.
func hostSettings(c *config.Config, out string) hosting.Settings {
	return hosting.Settings{
		CacheControl:     c.Hosting.CacheControl,
		NoCORS:           c.Hosting.NoCORS,
		Deprecation:      c.Hosting.Deprecation,
		NoDeprecation:    c.Hosting.NoDeprecation,
		DraftDeprecation: c.Hosting.DraftDeprecation,
		Sunset:           c.Hosting.Sunset,
		HostLayout:       c.Layout == config.Host,
		Out:              filepath.ToSlash(out),
		Base:             basePath(c),
	}
}

// basePath is the path of baseUrl, below which the tree is found.
func basePath(c *config.Config) string {
	u, err := url.Parse(c.BaseURL)
	if err != nil || c.Layout == config.Host {
		return "" // the URL has been judged
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// hosted is what commands need to know of the project around a tree that is
// there already: as much as a configuration says, the defaults without one. Its
// faults are generate's to report.
func (a *app) hosted(environment string, allowEnv []string) (*workspace.Project, *config.Config,
	hosting.Settings, error,
) {
	c := &config.Config{Out: "dist"}
	p, err := a.openProject()
	if err != nil {
		return nil, nil, hosting.Settings{}, err
	}
	if p.Config != "" {
		loaded, _, err := a.loadConfig(p, &projectOptions{environment: environment, allowEnv: allowEnv}, source.Limits{})
		if err != nil {
			return nil, nil, hosting.Settings{}, err
		}
		if loaded != nil {
			c = loaded
		}
	}
	return p, c, hostSettings(c, p.OutDir(c)), nil
}

// knownServers refuses targets that no configuration can be written for.
func knownServers(targets []string) error {
	for _, t := range targets {
		if slices.Contains(hosting.Targets(), t) {
			continue
		}
		hint := nearest.Hint(t, hosting.Targets(), "servers: "+strings.Join(hosting.Targets(), ", "))
		return usageError(hint, "no configuration can be written for the server %s", diag.Quote(t))
	}
	return nil
}

// targets are the servers that configuration is written for.
func (o *generateOptions) targets(c *config.Config) []string {
	if len(o.servers) > 0 {
		return o.servers
	}
	return c.Hosting.Servers
}

// addServers adds the server configuration to the trees: to the public one what
// belongs into the web root, and the rest as a tree of its own. Where no server
// is asked for, that tree is empty, so that what an earlier run wrote is
// removed: its tags would not be those of the cards any more.
func (o *generateOptions) addServers(run *built, trees []outTree) ([]outTree, error) {
	public := &trees[0]
	dir := run.outputs.servers
	servers := outTree{
		dir: dir, kind: serverTree, servers: o.targets(run.config),
		options: publish.Options{Force: o.force},
	}
	others, outdated, found := o.others(run, *public)
	if len(servers.servers) == 0 {
		outdated = outdated || dir != nil && hasManifest(dir)
		switch {
		case outdated && len(run.agents) > 0:
			run.add(diag.List{diag.New("hosting-outdated", diag.Span{},
				"the server configuration of an earlier run is kept, with the old tags of the cards").
				WithHint("put servers: into the configuration, or repeat --server")})
		case outdated:
			trees = append(trees, servers)
		}
		return trees, nil
	}
	run.add(found)
	table, found := hosting.NewTable(append(others, public.files...), hostSettings(run.config, public.dir.Name))
	outputs, more := hosting.Render(servers.servers, table)
	run.add(o.placed(run.config, append(found, more...)))
	public.files = slices.Clone(public.files)
	for _, output := range outputs {
		switch {
		case yields(output, public.dir):
		case output.Root:
			public.files = append(public.files, output.File())
		default:
			servers.files = append(servers.files, output.File())
		}
	}
	switch {
	case dir == nil && len(servers.files) > 0:
		return nil, usageError("name a directory that is not served, such as --server-dir ../servers",
			"--server-dir is missing, and there is no default for the output directory %s", public.dir.Name)
	case dir == nil:
		return trees, nil
	}
	return append(trees, servers), nil
}

// others are the files of agents that this run leaves alone, and of the tree as
// a whole, that clients find beside those of the run. It also tells whether
// server configuration is among what is left alone.
func (o *generateOptions) others(run *built, public outTree) (files []tree.File, servers bool, found diag.List) {
	options := public.options
	switch {
	case len(run.agents) == 0, (o.check || o.again != nil) && len(o.targets(run.config)) == 0:
		return nil, false, nil
	case len(o.targets(run.config)) == 0: // but is there configuration of an earlier run?
		options.Keep = func(agent, file string) bool { return agent == "" && public.options.Keep(agent, file) }
	}
	kept, found := publish.Kept(public.dir, options)
	generated := public.byPath()
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
func (o *generateOptions) placed(c *config.Config, found diag.List) diag.List {
	for i := range found {
		d := &found[i]
		node, ok := c.Node.Find(d.Pointer)
		switch {
		case d.Pointer == "/servers" && len(o.servers) > 0:
			d.Span = diag.Span{File: "--server"}
		case d.Pointer == "/out" && o.out != "":
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
