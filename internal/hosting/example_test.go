//go:build unix

package hosting_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/tree"
)

// The example with every discovery file of a host: each server sends each file with
// its type, tag and CORS fields, and probe agrees.
func TestExampleHost(t *testing.T) {
	t.Parallel()
	files := published(t, "../../golden/agent-host")
	for name, r := range servers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary, err := exec.LookPath(r.binary)
			if err != nil {
				t.Skipf("%s is not installed", r.binary)
			}
			s := newSite(t, "path", []string{"billing", "teams/review"})
			table := r.publish(t, s, files)
			r.start(t, binary, s)
			hostingtest.Response(t, hostingtest.Server(s.addr), table, files)
			hostingtest.Unserved(t, hostingtest.Server(s.addr), table, s.tree())
			s.probe(t, []string{"billing", "teams/review"})
		})
	}
}

// Each server takes the files of the golden trees that configure it.
func TestGoldenConfigurations(t *testing.T) {
	t.Parallel()
	for target, r := range map[string]real{"apache": apache(virtualHosts), "caddy": caddy(), "nginx": nginx()} {
		dirs, err := filepath.Glob("../../golden/*.servers/" + target)
		if err != nil || len(dirs) == 0 {
			t.Fatalf("no golden tree configures %s, %v", target, err)
		}
		binary, err := exec.LookPath(r.binary)
		if err != nil {
			continue // as TestExampleHost says
		}
		for _, dir := range dirs {
			s := newSite(t, "stored", []string{""})
			if s.conf, err = filepath.Abs(filepath.Dir(dir)); err != nil {
				t.Fatal(err)
			}
			file, env := r.configure(t, s)
			check := exec.CommandContext(t.Context(), binary, r.test(file)...)
			check.Env = env
			if out, err := check.CombinedOutput(); err != nil || strings.Contains(string(out), "could not build optimal") {
				t.Errorf("%v: %v\n%s", check.Args, err, out)
			}
		}
	}
}

// published are the files of an output tree that have sidecars.
func published(t *testing.T, dir string) []tree.File {
	t.Helper()
	root := os.DirFS(dir)
	var files []tree.File
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != tree.ETagSuffix {
			return err
		}
		name = name[:len(name)-len(tree.ETagSuffix)]
		data, err := fs.ReadFile(root, name)
		files = append(files, tree.File{Path: name, Data: data, Sidecars: true})
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files in %s, %v", len(files), dir, err)
	}
	return files
}
