package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"cardwright/internal/safefile"
)

// Interruptible does what may wait for another process for ever: opening and
// reading standard input, a pipe or a socket. An interrupt ends the wait; what was
// begun is left behind, because the process ends.
func Interruptible[T any](interrupted <-chan struct{}, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-interrupted:
		var none T
		return none, context.Canceled
	}
}

// Content is what a file holds.
type Content struct {
	Data []byte
	Info fs.FileInfo
}

// Read reads a file that the command line names, or a pipe, up to one byte more
// than a limit.
func (s *Space) Read(name string, limit int) (Content, error) {
	return Interruptible(s.Interrupted, func() (Content, error) {
		f, err := s.Open(name)
		if err != nil {
			return Content{}, err //nolint:wrapcheck // explained by the caller
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
		info, statErr := f.Stat()
		return Content{data, info}, errors.Join(err, statErr)
	})
}

// ReadAll reads a file that the command line names, which may not be longer than a
// limit.
func (s *Space) ReadAll(name string, limit int) ([]byte, error) {
	tree, err := s.Given(name)
	if err != nil {
		return nil, err
	}
	return safefile.ReadFile(tree.FS, tree.Root, limit)
}

// Input is standard input, whose reading an interrupt ends.
type Input struct {
	io.Reader
	Interrupted <-chan struct{}
}

// Read implements [io.Reader].
func (in Input) Read(p []byte) (int, error) {
	own := make([]byte, len(p)) // a read that is left behind must not touch p
	n, err := Interruptible(in.Interrupted, func() (int, error) { return in.Reader.Read(own) })
	copy(p, own[:n])
	return n, err
}
