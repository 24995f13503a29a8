package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
)

// interruptible does what may wait for another process for ever: opening and
// reading standard input, a pipe or a socket. An interrupt ends the wait; what was
// begun is left behind, because the process ends.
func interruptible[T any](interrupted <-chan struct{}, do func() (T, error)) (T, error) {
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

// input is standard input.
type input struct {
	io.Reader
	interrupted <-chan struct{}
}

func (in input) Read(p []byte) (int, error) {
	own := make([]byte, len(p)) // a read that is left behind must not touch p
	n, err := interruptible(in.interrupted, func() (int, error) { return in.Reader.Read(own) })
	copy(p, own[:n])
	return n, err
}

// content is what a file holds.
type content struct {
	data []byte
	info fs.FileInfo
}

// read reads a file that the command line names, or a pipe, up to one byte more
// than a limit.
func (p *project) read(name string, limit int) (content, error) {
	return interruptible(p.interrupted, func() (content, error) {
		f, err := p.Open(name)
		if err != nil {
			return content{}, err //nolint:wrapcheck // explained by the caller
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
		info, statErr := f.Stat()
		return content{data, info}, errors.Join(err, statErr)
	})
}
