package cli

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The line is shown after a while, in one place, and taken away in the end.
func TestTicker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var written []string
		stop := ticker{
			write: func(s string) { written = append(written, s) }, after: progressAfter, every: progressEvery,
		}.start(func() string { return "1200 skills read" })
		time.Sleep(progressAfter + progressEvery + time.Millisecond)
		stop()
		stop()
		const line, gone = "\r\x1b[K1200 skills read", "\r\x1b[K"
		if want := []string{line, line, gone}; !slices.Equal(written, want) {
			t.Errorf("got %q, want %q", written, want)
		}
	})
}

// A short run shows nothing, nor does one whose messages go to a file or a pipe.
func TestProgressIsForTerminals(t *testing.T) {
	var out strings.Builder
	ticker{
		write: func(s string) { out.WriteString(s) }, after: time.Hour,
		every: time.Hour,
	}.start(func() string { return "x" })()
	if out.Len() > 0 {
		t.Errorf("a short run shows %q", out.String())
	}
	f, err := os.Create(t.TempDir() + "/err")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, to := range []any{f, &bytes.Buffer{}} {
		called := false
		stop := stream{to, os.LookupEnv}.progress(func() string { called = true; return "x" })
		stop()
		if info, err := f.Stat(); err != nil || info.Size() > 0 || called {
			t.Error("progress is shown in a file")
		}
	}
}

// Color is for terminals, unless it is asked for or refused.
func TestColored(t *testing.T) {
	env := func(set map[string]string) func(string) (string, bool) {
		return func(name string) (string, bool) { value, ok := set[name]; return value, ok }
	}
	for _, mode := range colorModes() {
		s := stream{To: &bytes.Buffer{}, Getenv: env(map[string]string{"NO_COLOR": "1"})}
		if got, want := s.colored(mode), mode == "always"; got != want {
			t.Errorf("%s: %v, want %v", mode, got, want)
		}
	}
}
