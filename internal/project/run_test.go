package project

import "testing"

// The line of a run that takes long says what it has done so far.
func TestProgressLine(t *testing.T) {
	var p Progress
	if got := p.Line(); got != "reading" {
		t.Errorf("before anything is read: %q", got)
	}
	p.Made.Skills.Store(1200)
	p.Made.Cards.Store(1)
	if got, want := p.Line(), "1200 skills read, 1 card made"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
