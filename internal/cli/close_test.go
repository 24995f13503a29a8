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
		"generate -q", "generate --check", "generate --report json=r.json", "generate --audit a.log", "generate --no-such",
		"lint", "lint " + card, "lint none.json", "diff . dist", "convert " + card, "key new -o k.pem", "key public k.pem",
		"verify dist", "sign --key file:k.pem " + card, "init",
	} {
		before := openFiles(t)
		_, _, code := w.run(strings.Fields(args)...)
		for number, name := range openFiles(t) {
			if before[number] != name && strings.Contains(name, t.Name()) { // the runtime opens files of its own
				t.Errorf("%v ends with %d and leaves %s open", args, code, name)
			}
		}
	}
}

// openFiles are the files that this process has open, by number.
func openFiles(t *testing.T) map[string]string {
	t.Helper()
	numbers, _ := filepath.Glob("/proc/self/fd/*")
	if len(numbers) == 0 {
		t.Skip("there is no list of what is open")
	}
	open := map[string]string{}
	for _, number := range numbers {
		if name, err := os.Readlink(number); err == nil { // what Glob read is closed by now
			open[number] = name
		}
	}
	return open
}
