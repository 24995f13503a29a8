package publish

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cardwright/schema"
)

// WriteFile makes the file name hold data, whole or not at all, whether one is
// there or not. Sidecars are written with it if they are wanted, and kept right
// where they stand. Files that hold the right bytes are left alone, and the
// others keep the permissions that they have. Missing directories are made. It
// returns false when nothing was to be done.
//
// It is for a single file beside any output tree; [Write] takes care of those.
func WriteFile(name string, data []byte, sidecars bool) (changed bool, err error) {
	return writeFile(name, data, sidecars, nil)
}

func writeFile(name string, data []byte, sidecars bool, f fault) (changed bool, err error) {
	dir := filepath.Dir(name)
	if err := mkdirAll(dir, Options{fault: f}); err != nil {
		return false, fmt.Errorf("creating %s: %w", dir, cause(err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false, fmt.Errorf("writing %s: %w", name, cause(err))
	}
	defer root.Close()
	base := filepath.Base(name)
	d := disk{root: root, modes: Options{}.modes(), fault: f}
	for _, file := range withSidecars([]schema.File{{Path: base, Data: data, Sidecars: true}}) {
		state, err := d.writeOne(file, sidecars || file.Path == base)
		if err != nil {
			return changed, fmt.Errorf("writing %s: %w", filepath.Join(dir, file.Path), cause(err))
		}
		changed = changed || state != Unchanged
	}
	return changed, nil
}

// writeOne makes a file hold its bytes. One that is missing is created only if
// it is wanted.
func (d disk) writeOne(f schema.File, wanted bool) (State, error) {
	stands, err := compare(d.root, f.Path, len(f.Data), holds(f.Data))
	state := Created
	switch {
	case err != nil:
		return "", err
	case stands == same, stands == absent && !wanted:
		return Unchanged, nil
	case stands == differs:
		info, err := d.root.Lstat(f.Path)
		if err != nil {
			return "", err
		}
		d.modes.file, state = info.Mode().Perm(), Updated
	case stands != absent:
		return "", fmt.Errorf("there is %s, and only a file is replaced", stands)
	}
	temp, err := d.stage(f)
	if err != nil {
		return "", err
	}
	if err := d.rename(temp, f.Path); err != nil {
		return "", errors.Join(err, d.remove(temp))
	}
	return state, nil
}

// OpenLog opens the file name to append to it, and makes it where there is none.
// What it holds stays.
func OpenLog(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, cause(err))
	}
	return f, nil
}

// CreateSecret writes data to the new file name, which only its owner may
// read. No temporary file ever holds it. Where anything stands in that place
// already, the error is [os.ErrExist].
func CreateSecret(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}
