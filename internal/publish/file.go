package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"cardwright/internal/files"
	"cardwright/internal/site"
)

// WriteFile makes the file name in dir hold data, whole or not at all, whether one is
// there or not. Sidecars are kept right where they stand. Files that hold the right bytes are left alone, and the
// others keep the permissions that they have. Missing directories are made. It
// returns false when nothing was to be done.
//
// It is for a single file beside any output tree; [Write] takes care of those.
func WriteFile(dir *files.Dir, name string, data []byte) (changed bool, err error) {
	if err := mkdirAll(dir, Options{}); err != nil {
		return false, fmt.Errorf("creating %s: %w", dir.Name, files.Explain(err))
	}
	for i, file := range withSidecars([]site.File{{Path: name, Data: data, Sidecars: true}}) {
		t := &target{File: file}
		err := t.compare(dir.Root)
		switch {
		case err == nil && t.place > differs:
			err = fmt.Errorf("%s is in the way; only files are replaced", t.place)
		case err == nil && (t.place == same || t.place == absent && i > 0):
			continue
		case err == nil:
			err = replace(dir.Root, file.Path, file.Data, 0o666, t.keptMode(false))
		}
		if err != nil {
			return changed, fmt.Errorf("writing %s: %w", shown(dir.Name, file.Path), files.Explain(err))
		}
		changed = true
	}
	return changed, nil
}

// OpenLog opens the file name in dir to append to it, and creates it if it is
// missing. It opens regular files only: a write must not follow a link, or wait
// for the reader of a pipe.
func OpenLog(dir *files.Dir, name string) (*os.File, error) {
	f, err := openLog(dir, name)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", shown(dir.Name, name), files.Explain(err))
	}
	return f, nil
}

func openLog(dir *files.Dir, name string) (*os.File, error) {
	if len(dir.Rest) > 0 {
		return nil, syscall.ENOENT
	}
	f, err := dir.Root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
	if !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	stands, err := dir.Root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !stands.Mode().IsRegular() {
		return nil, errors.New("a log must be a regular file")
	}
	if f, err = files.AppendIn(dir.Root, name); err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(stands, opened) {
		err = errors.New("something else took its place")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Create writes data to the new file name in dir, with that mode at most. No
// temporary file ever holds it. Where anything stands in that place already, the
// error is [os.ErrExist].
func Create(dir *files.Dir, name string, data []byte, mode fs.FileMode) error {
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
