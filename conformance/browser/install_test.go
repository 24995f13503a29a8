package browser

import (
	"os/exec"
	"testing"

	"cardwright/internal/fixture"
)

// install installs the drivers, and returns where Chromium is.
func install(t *testing.T) (chromium string) {
	t.Helper()
	fixture.NPM(t, "js")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	fixture.Missing(t, "chromium")
	return ""
}
