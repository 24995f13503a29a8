package cli

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// written are texts as they were written.
type written []string

func (w *written) Write(p []byte) (int, error) {
	*w = append(*w, string(p))
	return len(p), nil
}

// The line is shown after a while, in one place, and taken away in the end.
func TestShowAgain(t *testing.T) {
	for after, want := range map[time.Duration]written{
		time.Second: {""},
		progressAfter + progressEvery + time.Millisecond: {
			"\r\x1b[K1200 skills read", "\r\x1b[K1200 skills read", "\r\x1b[K",
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			var w written
			stop := showAgain(&w, func() string { return "1200 skills read" })
			time.Sleep(after)
			stop()
			if !slices.Equal(w, want) {
				t.Errorf("got %q, want %q", w, want)
			}
		})
	}
}

// Neither a file nor a pipe is a terminal, and color is for terminals, unless it is asked for.
func TestTerminal(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/err")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if isTerminal(f) || isTerminal(&bytes.Buffer{}) {
		t.Error("a file is a terminal")
	}
	for _, mode := range colorModes() {
		c := console{Color: mode}
		if got, want := c.colored(f), mode == "always"; got != want {
			t.Errorf("%s: %v, want %v", mode, got, want)
		}
	}
}
