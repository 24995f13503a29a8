package publish

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"cardwright/internal/safefile"
	"cardwright/internal/tree"
)

// disk makes every change to the file system that this package makes.
type disk struct {
	root  *os.Root
	modes modes
	fault fault
}

// modes are what files and directories get, whatever the umask.
type modes struct{ file, dir fs.FileMode }

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
// down to the disk, and returns its path. It leaves nothing when it fails.
func (d disk) stage(f tree.File) (temp string, err error) {
	temp = path.Join(path.Dir(f.Path), tempName())
	if err := d.fault.before("create", temp); err != nil {
		return "", err
	}
	w, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, d.modes.file)
	if err != nil {
		return "", err
	}
	if err := errors.Join(d.fill(w, temp, f.Data), w.Close(), d.fault.before("close", temp)); err != nil {
		return "", errors.Join(err, d.remove(temp))
	}
	return temp, nil
}

func (d disk) fill(w *os.File, temp string, data []byte) error {
	if err := d.fault.before("write", temp); err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := d.fault.before("chmod", temp); err != nil {
		return err
	}
	if err := w.Chmod(d.modes.file); err != nil {
		return err
	}
	if err := d.fault.before("sync", temp); err != nil {
		return err
	}
	return flush(w)
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
			return fmt.Errorf("%w: %w", safefile.ErrInUse, err)
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
	if err := d.root.Mkdir(dir, d.modes.dir); err != nil {
		return err
	}
	if err := d.fault.before("chmod", dir); err != nil {
		return err
	}
	return d.root.Chmod(dir, d.modes.dir)
}

// tempName returns a name that no other file has. It reaches no output.
func tempName() string { return tree.TempPrefix + rand.Text() + tree.TempSuffix }
