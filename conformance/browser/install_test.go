package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// install puts the pinned packages into js/node_modules, once per lock file,
// and returns where Chromium is. The test is skipped where something is
// missing; CI has to have it.
func install(t *testing.T) (chromium string) {
	t.Helper()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing(t, tool)
		}
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			chromium = path
			break
		}
	}
	if chromium == "" {
		missing(t, "chromium")
	}
	lock, err := os.Stat(filepath.Join("js", "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	installed, err := os.Stat(filepath.Join("js", "node_modules", ".package-lock.json"))
	if err == nil && !installed.ModTime().Before(lock.ModTime()) {
		return chromium
	}
	cmd := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = "js"
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	return chromium
}

func missing(t *testing.T, tool string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is missing: CI has to open the pages", tool)
	}
	t.Skipf("%s is missing: no browser opens the pages in this run", tool)
}
