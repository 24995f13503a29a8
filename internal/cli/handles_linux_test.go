package cli

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// A command closes what it opens, also when it fails: Windows removes and renames
// nothing that is open.
func TestCommandsCloseWhatTheyOpen(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which closes what is forgotten
	w := copyOf(t, "testdata/workspaces/code-review")
	const card = "dist/.well-known/agent-card.json"
	for _, args := range []string{
		"generate -q", "generate --check", "generate --format json", "generate --report json=r.json",
		"generate --audit a.log", "generate --server nginx", "generate --no-such", "generate --set version",
		"lint", "lint " + card, "lint --config none.yaml", "lint none.json", "diff " + card + " " + card,
		"convert " + card, "rules", "schema config", "key new -o k.pem", "key public k.pem", "verify dist",
		"sign --key file:k.pem " + card, "init", "completion bash",
	} {
		before := openFiles(t)
		_, _, code := w.run(strings.Fields(args)...)
		for number, name := range openFiles(t) {
			if before[number] != name {
				t.Errorf("%v ends with %d and leaves %s open", args, code, name)
			}
		}
	}
}

// What this process has open, by number. A test before this one may have left
// something that is closed meanwhile, so what is gone says nothing.
func openFiles(t *testing.T) map[string]string {
	t.Helper()
	const table = "/proc/self/fd"
	entries, err := os.ReadDir(table)
	if err != nil {
		t.Skip("there is no list of what is open")
	}
	open := map[string]string{}
	for _, entry := range entries {
		// The directory that is being listed is closed by now, and has no name.
		if name, err := os.Readlink(filepath.Join(table, entry.Name())); err == nil {
			open[entry.Name()] = name
		}
	}
	return open
}
