package publish

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
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
	if err := w.Chmod(mode); err != nil || d.private {
		return err
	}
	copyAttributes(w, old)
	return nil
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
