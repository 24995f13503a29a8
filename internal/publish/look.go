package publish

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"cardwright/internal/files"
)

// site is what stands at a place in the output directory.
type site uint8

const (
	absent      site = iota
	same             // a regular file with the expected bytes
	differs          // a regular file with other bytes
	directory        //
	link             // a symbolic link, whatever it leads to
	device           // a pipe, socket, device or mount point
	unreachable      // anything below what is not a directory
)

// siteOf tells what a file found by Lstat is; a regular one is taken to differ.
func siteOf(info fs.FileInfo) site {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return differs
	case mode.IsDir():
		return directory
	case mode&fs.ModeSymlink != 0:
		return link
	}
	return device
}

// String names the site for a message.
func (s site) String() string {
	return [...]string{"nothing", "a file", "a file", "a directory", "a symbolic link", "a device or pipe"}[s]
}

// lstat tells what stands at name in dir.
func lstat(dir *os.Root, name string) (site, int64, error) {
	info, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return absent, 0, nil
	}
	if err != nil {
		return absent, 0, err
	}
	return siteOf(info), info.Size(), nil
}

// anySize is the size of a file that may have any.
const anySize = -1

// compare tells what stands at name in dir. A file of the given size is opened,
// and equal reports whether it has the expected bytes.
func compare(dir *os.Root, name string, size int, equal func(io.Reader) (bool, error)) (site, error) {
	s, found, err := lstat(dir, name)
	if err != nil || s != differs || size != anySize && found != int64(size) {
		return s, err
	}
	f, err := files.OpenIn(dir, name)
	if err != nil {
		return s, err
	}
	defer f.Close()
	if ok, err := equal(f); err != nil || !ok {
		return differs, err
	}
	return same, nil
}

// read returns the file at name in dir, or as much of it as tells that it has more
// bytes than most.
func read(dir *os.Root, name string, most int64) ([]byte, error) {
	f, err := files.OpenIn(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

// holds returns a comparison of what a reader holds with data.
func holds(data []byte) func(io.Reader) (bool, error) {
	return func(r io.Reader) (bool, error) {
		found := make([]byte, min(len(data), 64<<10))
		for rest := data; len(rest) > 0; rest = rest[len(found):] {
			found = found[:min(len(found), len(rest))]
			if _, err := io.ReadFull(r, found); err != nil || !bytes.Equal(found, rest[:len(found)]) {
				return false, err
			}
		}
		return true, nil
	}
}

// descent is how far one gets on the way to a directory without following links.
type descent struct {
	in      *os.Root // the deepest directory reached
	reached string   // path of the element the way ends at, the directory itself if all goes well
	stands  site     // what stands there; directory if all goes well
}

// descend opens the directory dir below root one element at a time. The caller
// closes what it returns unless there is an error.
func descend(root *os.Root, dir string) (descent, error) {
	in, err := root.OpenRoot(".")
	d := descent{in: in, reached: ".", stands: directory}
	if err != nil || dir == "." {
		return d, err
	}
	for element := range strings.SplitSeq(dir, "/") {
		d.reached = path.Join(d.reached, element)
		if d.stands, _, err = lstat(d.in, element); err != nil {
			return d, errors.Join(err, d.in.Close())
		}
		if d.stands != directory {
			return d, nil
		}
		next, err := files.Enter(d.in, element)
		_ = d.in.Close()
		if err != nil {
			return d, err
		}
		d.in = next
	}
	return d, nil
}

func isEmpty(dir *os.Root) bool {
	f, err := files.OpenIn(dir, ".")
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.ReadDir(1)
	return errors.Is(err, io.EOF)
}
