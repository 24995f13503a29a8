package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Replace puts data in the place of the file at name in root, by a temporary file and a
// rename. A new file gets mode less the umask, or exactly the kept permissions. The
// temporary file lies in root itself, where [IsTemp] knows what a killed run has left.
func Replace(root *os.Root, name string, data []byte, mode, kept fs.FileMode) error {
	temp := tempPrefix + rand.Text() + tempSuffix
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && kept != 0 {
		err = f.Chmod(kept)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return nil
}

// WriteFile makes the file name in dir hold data, whole or not at all. A file that is there
// keeps its permissions, and one that holds data is left alone. Missing directories are
// made. It is for a single file beside any output tree; package publish writes those.
func WriteFile(dir *Dir, name string, data []byte) error {
	if err := dir.Make(0o777); err != nil {
		return fmt.Errorf("creating %s: %w", dir.Name, Explain(err))
	}
	kept := fs.FileMode(0)
	info, err := dir.Root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case err == nil && !info.Mode().IsRegular():
		err = fmt.Errorf("%s is in the way; only files are replaced", FileKind(info.Mode()))
	case err == nil:
		kept = info.Mode().Perm()
		if Holds(dir.Root.FS(), name, data) {
			return nil
		}
	}
	if err == nil {
		err = Replace(dir.Root, name, data, 0o666, kept)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", Join(dir.Name, name), Explain(err))
	}
	return nil
}

// OpenLog opens the file name in dir to append to it, and creates it if it is
// missing. It opens regular files only: a write must not follow a link, or wait
// for the reader of a pipe.
func OpenLog(dir *Dir, name string) (*os.File, error) {
	f, err := openLog(dir, name)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", Join(dir.Name, name), Explain(err))
	}
	return f, nil
}

func openLog(dir *Dir, name string) (*os.File, error) {
	if len(dir.Rest) > 0 {
		return nil, syscall.ENOENT
	}
	if found, err := dir.Root.Lstat(name); err == nil && !found.Mode().IsRegular() {
		return nil, errors.New("a log must be a regular file")
	}
	return dir.Root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND|nonblock, 0o666)
}

// Create writes data to the new file name in dir, with that mode at most. No
// temporary file ever holds it. Where anything has that place already, the
// error is [os.ErrExist].
func Create(dir *Dir, name string, data []byte, mode fs.FileMode) error {
	if len(dir.Rest) > 0 {
		return syscall.ENOENT
	}
	f, err := dir.Root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, dir.Root.Remove(name))
	}
	return nil
}
