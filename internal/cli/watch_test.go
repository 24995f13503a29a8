package cli

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

// A first run with findings is repeated; one that does not get as far ends the session.
func TestFollow(t *testing.T) {
	failure := errors.New("no configuration")
	for _, c := range []struct{ first, want error }{{nil, nil}, {exitError(Findings), nil}, {failure, failure}} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		a := &app{console: console{Out: io.Discard, Err: io.Discard}}
		err := a.follow(ctx, "nothing is written", func(context.Context) error { return c.first })
		cancel()
		if !errors.Is(err, c.want) || !a.endless {
			t.Errorf("%v: got %v, want %v", c.first, err, c.want)
		}
	}
}
