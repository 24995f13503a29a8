package cli

import (
	"io"
	"sync"
	"time"
)

// When a run shows how far it is, and how often it says so again.
const (
	eraseLine     = "\r\x1b[K"
	progressAfter = 2 * time.Second
	progressEvery = 200 * time.Millisecond
)

// progress shows on a terminal how far a run is that takes longer than two
// seconds, until stop is called. Elsewhere it shows nothing.
func (s stream) progress(line func() string) (stop func()) {
	w, ok := s.To.(io.Writer)
	if !ok || !s.isTerminal() {
		return func() {}
	}
	write := func(text string) { _, _ = io.WriteString(w, text) }
	return ticker{write: write, after: progressAfter, every: progressEvery}.start(line)
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
					t.write(eraseLine)
				}
				return
			case <-wait.C:
				shown = true
				t.write(eraseLine + line())
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
