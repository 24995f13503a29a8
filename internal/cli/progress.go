package cli

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cardwright/generate"
)

// When a run shows how far it is, and how often it says so again.
const (
	progressAfter = 2 * time.Second
	progressEvery = 200 * time.Millisecond
)

// progress is what a run has done so far.
type progress struct {
	generate.Progress
	written atomic.Int64 // files
}

// line says how far a run is.
func (p *progress) line() string {
	var parts []string
	for _, c := range []struct {
		n    int64
		noun string
		done string
	}{{p.Skills.Load(), "skill", "read"}, {p.Cards.Load(), "card", "made"}, {p.written.Load(), "file", "written"}} {
		if c.n > 0 {
			parts = append(parts, count(int(c.n), c.noun)+" "+c.done)
		}
	}
	if len(parts) == 0 {
		return "reading"
	}
	return strings.Join(parts, ", ")
}

// showProgress shows on a terminal how far a run is that takes longer than two
// seconds, until stop is called. In pipes and quiet runs it shows nothing.
func (a *app) showProgress(line func() string) (stop func()) {
	f, ok := a.Err.(*os.File)
	if !ok || a.quiet || os.Getenv("TERM") == "dumb" {
		return func() {}
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return func() {}
	}
	return ticker{write: func(s string) { fmt.Fprint(f, s) }, after: progressAfter, every: progressEvery}.start(line)
}

// ticker shows a line again and again in the same place.
type ticker struct {
	write        func(string)
	after, every time.Duration
}

// start shows the line until stop is called, which takes it away.
func (t ticker) start(line func() string) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		wait := time.NewTimer(t.after)
		defer wait.Stop()
		shown := false
		for {
			select {
			case <-quit:
				if shown {
					t.write("\r\x1b[K")
				}
				return
			case <-wait.C:
				shown = true
				t.write("\r\x1b[K" + line())
				wait.Reset(t.every)
			}
		}
	}()
	var once sync.Once
	return func() {
		once.Do(func() { close(quit) })
		<-ended
	}
}
