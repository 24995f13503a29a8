package project

import (
	"testing"

	"cardwright/internal/source"
)

func TestParseLimits(t *testing.T) {
	got, err := ParseLimits([]string{"card=10", "nesting=3", "card=20"})
	if want := (source.Limits{Card: 20, Nesting: 3}); got != want || err != nil {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	for _, s := range []string{"card", "card=", "card=0", "card=x", "crad=1"} {
		if got, err := ParseLimits([]string{s}); err == nil {
			t.Errorf("%s: %+v", s, got)
		}
	}
}
