// Package golden_test owns the expected output trees beside it: each is what
// one of the workspaces in testdata makes, byte for byte.
package golden_test

import (
	"context"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/project"
	"cardwright/internal/publish"
	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
	"cardwright/mapping"
)

var update = flag.Bool("update", false, "rewrite the trees")

// treeCase is a tree and how it is made.
type treeCase struct {
	tree, workspace string
	options         config.Options
	private         bool
	servers         *hosting.Settings // the tree is what configures all servers, web root and elsewhere
}

// cases lists the trees: one for each workspace with a configuration, and others
// for some. Every directory beside this file must be one of them.
func cases(tb testing.TB) []treeCase {
	tb.Helper()
	configurations, err := filepath.Glob("../testdata/workspaces/*/cardwright.yaml")
	if err != nil || len(configurations) == 0 {
		tb.Fatal("no workspaces", err)
	}
	var list []treeCase
	for _, name := range configurations {
		workspace := filepath.Base(filepath.Dir(name))
		list = append(list, treeCase{tree: workspace, workspace: workspace})
	}
	return append(list,
		treeCase{tree: "code-review.servers", workspace: "code-review", servers: &hosting.Settings{}},
		treeCase{tree: "acme-agents.servers", workspace: "acme-agents", servers: &hosting.Settings{
			HTML: true, Base: "/cards", CacheControl: "public, max-age=300", Deprecation: "2026-01-01", Sunset: "2027-01-31",
		}},
		treeCase{tree: "agent-host.servers", workspace: "agent-host", servers: &hosting.Settings{NoCORS: true}},
		treeCase{tree: "acme-agents.private", workspace: "acme-agents", private: true},
		treeCase{tree: "acme-agents.staging", workspace: "acme-agents", options: config.Options{Environment: "staging"}},
		treeCase{tree: "capability-packs.private", workspace: "capability-packs", private: true},
		treeCase{tree: "forge-project.gateway", workspace: "forge-project", options: config.Options{Environment: "gateway"}},
	)
}

func TestGolden(t *testing.T) {
	known := map[string]bool{}
	for _, c := range cases(t) {
		known[c.tree] = true
		t.Run(c.tree, func(t *testing.T) {
			files := map[string]string{}
			if c.servers != nil {
				rendered, found := hosting.Render(hosting.Targets(), *c.servers)
				if found != nil {
					t.Fatal(found)
				}
				for _, f := range publish.Tree(rendered, "") {
					files[f.Path] = string(f.Data)
				}
			} else {
				files = published(t, c)
			}
			compare(t, c.tree, files)
		})
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !known[e.Name()] {
			t.Errorf("golden/%s belongs to no case", e.Name())
		}
	}
}

// published takes a copy of a workspace through every row of the list of stages, as
// generate does in a git work tree, and returns the public or the private tree on disk.
func published(t *testing.T, c treeCase) map[string]string {
	t.Helper()
	golden, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "p"), workspace(c.workspace)); err != nil {
		t.Fatal(err)
	}
	rewrite(t, dir, map[string]string{"p/.git/HEAD": "ref: refs/heads/main\n", "p/.gitignore": "/build/\n"})
	t.Chdir(filepath.Join(dir, "p"))
	w, err := project.Here(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p, err := w.OpenProject("", false)
	if err != nil {
		t.Fatal(err)
	}
	run, err := project.Open(p, project.Options{Environment: c.options.Environment, FailOn: diag.Error})
	if err != nil || run.Config == nil {
		t.Fatal(err, run.Found)
	}
	out := project.OutputOptions{DirFlags: project.DirFlags{
		Out: "../public", Private: "../private", ServerDir: "../servers", Servers: []string{"nginx"},
	}}
	if err := run.SetOutput(out); err != nil {
		t.Fatal(err)
	}
	run.Request.Published = w.OnDisk(run.Dirs.Public, run.Dirs.Private)
	run.Request.Base = run.Request.Published
	run.Request.Keys = project.RingOf(p, func(name string) (string, bool) {
		alg, known := strings.CutPrefix(name, "CARD_KEY_")
		return string(signtest.PEM(t, alg)), known
	}).Signing(false)
	if err := run.Make(t.Context()); err != nil || run.Failed() || run.Blocked != nil {
		t.Fatal(err, run.Found, run.Blocked)
	}
	if conf := treeOnDisk(t, filepath.Join(dir, "servers"))["nginx/a2a.conf"]; conf == "" {
		t.Error("the servers are not configured")
	}
	t.Chdir(golden)
	return treeOnDisk(t, filepath.Join(dir, map[bool]string{false: "public", true: "private"}[c.private]))
}

// treeOnDisk returns the files below a directory, by their paths.
func treeOnDisk(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil && !*update {
		t.Fatal(err)
	}
	return files
}

// workspace is a project in testdata.
func workspace(name string) fs.FS {
	return os.DirFS(filepath.Join("..", "testdata", "workspaces", name))
}

// generated makes the files of a project, which must not have an error in it, and returns
// what was found as well.
func generated(t *testing.T, dir fs.FS, o config.Options) (generate.Result, diag.List) {
	t.Helper()
	result, found := made(dir, o, keys(t, dir))
	if found.Worst() == diag.Error {
		t.Fatal(found)
	}
	return result, found
}

// made makes the files of a project that may have faults.
func made(dir fs.FS, o config.Options, keys *generate.KeyRing) (result generate.Result, found diag.List) {
	data, _ := fs.ReadFile(dir, "cardwright.yaml")
	o.File = "cardwright.yaml"
	cfg, found := config.Load(data, o)
	if cfg == nil || found.Worst() == diag.Error {
		return result, found
	}
	open := func(path string) (mapping.Tree, error) {
		return mapping.Tree{FS: dir, Root: path, Show: func(name string) string { return name }}, nil
	}
	result, more, err := generate.Run(context.Background(),
		generate.Request{Config: cfg, Open: open, Keys: keys, Notes: true})
	if err != nil {
		panic(err)
	}
	return result, append(found, more...)
}

// keys finds the keys of a workspace: private ones by the algorithm at the end of
// their name, public ones in its files.
func keys(t *testing.T, dir fs.FS) *generate.KeyRing {
	t.Helper()
	parse := func(data []byte) (sign.Key, diag.List, error) {
		k, err := sign.ParseKey(data)
		return k, nil, err
	}
	return &generate.KeyRing{
		Private: func(s config.Signing) (sign.Key, diag.List, error) {
			return parse(signtest.PEM(t, strings.TrimPrefix(s.Key, "env:CARD_KEY_")))
		},
		Public: func(_ config.Signing, name string) ([]sign.Key, diag.List, error) {
			data, err := fs.ReadFile(dir, strings.TrimPrefix(name, "file:"))
			if err != nil {
				return nil, nil, err
			}
			key, found, err := parse(data)
			return []sign.Key{key}, found, err
		},
	}
}

// compare holds a tree against the directory of its name, file by file, and
// reports files that are missing or too many.
func compare(t *testing.T, tree string, got map[string]string) {
	t.Helper()
	if *update {
		if err := os.RemoveAll(tree); err != nil {
			t.Fatal(err)
		}
		rewrite(t, tree, got)
		return
	}
	want := treeOnDisk(t, tree)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[name]; !ok {
			t.Errorf("golden/%s/%s is there, and was not made", tree, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if diff := cmp.Diff(want[name], got[name]); diff != "" {
			t.Errorf("golden/%s/%s differs (-want +got):\n%s", tree, name, diff)
		}
	}
}

// rewrite writes files below a directory.
func rewrite(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
