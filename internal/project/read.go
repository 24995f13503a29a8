package project

import (
	"errors"
	"io"
	"io/fs"
)

// Content is what a file holds.
type Content struct {
	Data []byte
	Info fs.FileInfo
}

// Read reads a file that the command line names, or a pipe, up to one byte more
// than a limit.
func (s *Workspace) Read(name string, limit int) (Content, error) {
	f, err := s.Checkout.Open(name)
	if err != nil {
		return Content{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	info, statErr := f.Stat()
	return Content{data, info}, errors.Join(err, statErr)
}
