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
	"cardwright/internal/publish"
	"cardwright/internal/sign"
	"cardwright/internal/sign/signtest"
	"cardwright/internal/site"
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
			result := run(t, c.workspace, c.options)
			files := result.Public
			switch {
			case c.private:
				files = result.Private
			case c.servers != nil:
				files = configure(t, *c.servers)
			}
			compare(t, c.tree, publish.Tree(files, c.options.Environment))
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

// run makes the files of a workspace, which must not have an error in it.
func run(t *testing.T, workspace string, o config.Options) generate.Result {
	t.Helper()
	result, _ := generated(t, os.DirFS(filepath.Join("..", "testdata", "workspaces", workspace)), o)
	return result
}

// generated makes the files of a project, and returns what was found as well.
func generated(t *testing.T, dir fs.FS, o config.Options) (generate.Result, diag.List) {
	t.Helper()
	data, err := fs.ReadFile(dir, "cardwright.yaml")
	if err != nil {
		t.Fatal(err)
	}
	o.File = "cardwright.yaml"
	cfg, found := config.Load(data, o)
	if found.Worst() == diag.Error {
		t.Fatal(found)
	}
	open := func(path string, _ diag.Span) (mapping.Tree, error) {
		return mapping.Tree{FS: dir, Root: path, Show: func(name string) string { return name }}, nil
	}
	result, more, err := generate.Run(context.Background(),
		generate.Request{Config: cfg, Open: open, Keys: keys(t, dir), Notes: true})
	if err != nil || more.Worst() == diag.Error {
		t.Fatal(err, more)
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

// configure makes the configuration of all servers.
func configure(t *testing.T, s hosting.Settings) []site.File {
	t.Helper()
	outputs, found := hosting.Render(hosting.Targets(), s)
	if len(found) > 0 {
		t.Fatal(found)
	}
	var files []site.File
	for _, o := range outputs {
		files = append(files, o.File())
	}
	return files
}

// compare holds a tree against the directory of its name, file by file, and
// reports files that are missing or too many.
func compare(t *testing.T, tree string, files []site.File) {
	t.Helper()
	want := map[string]string{}
	err := fs.WalkDir(os.DirFS("."), tree, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		want[name] = string(data)
		return err
	})
	if err != nil && !*update {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range files {
		got[tree+"/"+f.Path] = string(f.Data)
	}
	if *update {
		rewrite(t, tree, got)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[name]; !ok {
			t.Errorf("golden/%s is there, and was not made", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if diff := cmp.Diff(want[name], got[name]); diff != "" {
			t.Errorf("golden/%s differs (-want +got):\n%s", name, diff)
		}
	}
}

func rewrite(t *testing.T, tree string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(tree); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
