package publish

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"cardwright/internal/files"
	"cardwright/internal/tree"
)

// disk makes every change to the file system that this package makes.
type disk struct {
	root    *os.Root
	private bool // files and directories are their owner's only
	fault   fault
}

// fault is the seam for tests: called before each operation, it may make it fail,
// or do what somebody else does at that moment. A file is closed first, whatever
// comes of it.
type fault func(op, path string) error

func (f fault) before(op, path string) error {
	if f == nil {
		return nil
	}
	return f(op, path)
}

// stage writes the bytes of f to a new temporary file in the directory of f,
// down to the disk, and returns its path. It leaves nothing when it fails. The file
// gets the permissions of what it replaces; a sidecar, those of the file that it
// belongs to; any other, what the umask leaves.
func (d disk) stage(f tree.File) (temp string, err error) {
	temp = path.Join(path.Dir(f.Path), tempName())
	if err := d.fault.before("create", temp); err != nil {
		return "", err
	}
	mode := fs.FileMode(0o666)
	if d.private {
		mode = 0o600
	}
	w, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	if err := errors.Join(d.fill(w, temp, f), w.Close(), d.fault.before("close", temp)); err != nil {
		return "", errors.Join(err, d.remove(temp))
	}
	return temp, nil
}

func (d disk) fill(w *os.File, temp string, f tree.File) error {
	if err := d.fault.before("write", temp); err != nil {
		return err
	}
	if _, err := w.Write(f.Data); err != nil {
		return err
	}
	if err := d.permit(w, temp, f.Path); err != nil {
		return err
	}
	if err := d.fault.before("sync", temp); err != nil {
		return err
	}
	return flush(w)
}

// permit gives a new file the permissions of the one at name.
func (d disk) permit(w *os.File, temp, name string) error {
	old, err := files.OpenIn(d.root, name)
	if main, suffix := sidecarOf(name); err != nil && suffix != "" {
		old, err = files.OpenIn(d.root, main)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer old.Close()
	info, err := old.Stat()
	if err != nil {
		return err
	}
	mode := info.Mode().Perm()
	if d.private {
		mode &= 0o700
	}
	if err := d.fault.before("chmod", temp); err != nil {
		return err
	}
	return w.Chmod(mode)
}

func (d disk) rename(temp, name string) error {
	if err := d.fault.before("rename", name); err != nil {
		return err
	}
	return d.patient(name, func() error { return d.root.Rename(temp, name) })
}

const (
	usePatience = 2 * time.Second
	useInterval = 20 * time.Millisecond
)

// patient tries again for a while where another program has the file at name open,
// on a system where that is an obstacle.
func (d disk) patient(name string, change func() error) error {
	err := change()
	for waited := time.Duration(0); inUse(err); waited += useInterval {
		if waited >= usePatience {
			return fmt.Errorf("%w: %w", files.ErrInUse, err)
		}
		unprotect(d.root, name)
		time.Sleep(useInterval)
		err = change()
	}
	return err
}

// remove removes a file or an empty directory, if it is there.
func (d disk) remove(name string) error {
	if err := d.fault.before("remove", name); err != nil {
		return err
	}
	err := d.patient(name, func() error { return d.root.Remove(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (d disk) mkdir(dir string) error {
	if err := d.fault.before("mkdir", dir); err != nil {
		return err
	}
	return d.root.Mkdir(dir, Options{Private: d.private}.dirMode())
}

// tempName returns a name that no other file has. It reaches no output.
func tempName() string { return tree.TempPrefix + rand.Text() + tree.TempSuffix }

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
