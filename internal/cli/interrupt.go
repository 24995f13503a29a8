package cli

import (
	"io"

	"cardwright/internal/workspace"
)

// input is standard input.
type input struct {
	io.Reader
	interrupted <-chan struct{}
}

func (in input) Read(p []byte) (int, error) {
	own := make([]byte, len(p)) // a read that is left behind must not touch p
	n, err := workspace.Interruptible(in.interrupted, func() (int, error) { return in.Reader.Read(own) })
	copy(p, own[:n])
	return n, err
}
