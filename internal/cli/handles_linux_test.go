package cli

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"
)

// A command closes what it opens, also when it fails: Windows removes and renames
// nothing that is open.
func TestCommandsCloseWhatTheyOpen(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which closes what is forgotten
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../testdata/workspaces/code-review")); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	card, key := in("dist/.well-known/agent-card.json"), in("k.pem")
	for _, args := range [][]string{
		{"generate", "-q"},
		{"generate", "--check"},
		{"generate", "--format", "json"},
		{"generate", "--report", "json=" + in("r.json")},
		{"generate", "--audit", in("a.log")},
		{"generate", "--server", "nginx"},
		{"generate", "--no-such"},
		{"generate", "--set", "version"},
		{"lint"},
		{"lint", card},
		{"lint", "--config", "none.yaml"},
		{"lint", in("none.json")},
		{"diff", card, card},
		{"convert", card},
		{"rules"},
		{"schema", "config"},
		{"key", "new", "-o", key},
		{"key", "public", key},
		{"verify", in("dist")},
		{"sign", "--key", "file:" + key, card},
		{"init"},
		{"completion", "bash"},
	} {
		before := openFiles(t)
		code := Run(append([]string{"-C", dir}, args...), Streams{In: os.Stdin, Out: io.Discard, Err: io.Discard}, "x")
		for number, name := range openFiles(t) {
			if before[number] != name {
				t.Errorf("%v ends with %d and leaves %s open", args, code, name)
			}
		}
	}
}

// What this process has open, by number. A test before this one may have left
// something that is closed meanwhile, so what is gone says nothing.
func openFiles(t *testing.T) map[int]string {
	t.Helper()
	const table = "/proc/self/fd"
	entries, err := os.ReadDir(table)
	if err != nil {
		t.Skip("nobody tells what is open")
	}
	open := map[int]string{}
	for _, entry := range entries {
		number, err := strconv.Atoi(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		// The directory that is being listed is closed by now, and has no name.
		if name, err := os.Readlink(filepath.Join(table, entry.Name())); err == nil {
			open[number] = name
		}
	}
	return open
}
