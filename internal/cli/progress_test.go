package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

// The line is shown after a while, in one place, and taken away in the end.
func TestTicker(t *testing.T) {
	written := make(chan string, 100)
	var p progress
	p.Skills.Store(1200)
	p.Cards.Store(1)
	stop := ticker{write: func(s string) { written <- s }, after: time.Millisecond, every: time.Millisecond}.start(p.line)
	first, second := <-written, <-written
	stop()
	stop()
	close(written)
	last := second
	for s := range written {
		last = s
	}
	if want := "\r\x1b[K1200 skills read, 1 card made"; first != want || second != want {
		t.Errorf("got %q and %q, want %q", first, second, want)
	}
	if last != "\r\x1b[K" {
		t.Errorf("the line stays: %q", last)
	}
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
	for _, a := range []*app{{Streams: Streams{Err: f}}, {Streams: Streams{Err: &bytes.Buffer{}}}} {
		called := false
		stop := a.showProgress(func() string { called = true; return "x" })
		stop()
		if info, err := f.Stat(); err != nil || info.Size() > 0 || called {
			t.Error("progress is shown in a file")
		}
	}
}
