package cli

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// A command closes what it opens, also when it fails: Windows removes and renames
// nothing that is open.
func TestCommandsCloseWhatTheyOpen(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which closes what is forgotten
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("nobody tells what is open")
		}
		return len(entries)
	}
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
		{"generate", "--agent", "nobody"},
		{"generate", "--allow-env", "a b"},
		{"lint"},
		{"lint", card},
		{"lint", "--target", "nobody", card},
		{"lint", "--config", "none.yaml"},
		{"lint", in("none.json")},
		{"diff", card, card},
		{"diff", "--git", "HEAD"},
		{"convert", card},
		{"config"},
		{"rules"},
		{"schema", "config"},
		{"key", "new", "-o", key},
		{"key", "public", key},
		{"key", "jwks", key},
		{"key", "private", key},
		{"verify", in("dist")},
		{"sign", "--key", "file:" + key, card},
		{"catalog", card, "--out", in("site"), "--publisher", "acme.example"},
		{"init"},
		{"policy", "test"},
		{"completion", "bash"},
		{"export"},
		{"merge"},
	} {
		before := open()
		code := Run(append([]string{"-C", dir}, args...), Streams{In: os.Stdin, Out: io.Discard, Err: io.Discard}, "x")
		if after := open(); after != before {
			t.Errorf("%v ends with %d and leaves %d open", args, code, after-before)
		}
	}
}
