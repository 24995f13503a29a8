package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// open returns the output directory, nothing at all where there is none.
func open(dir *files.Dir) (*os.Root, diag.List) {
	for len(dir.Rest) > 0 {
		stands, _, err := lstat(dir.Root, dir.Rest[0])
		if err == nil && stands == directory { // since the path was looked at
			err = dir.Enter()
		}
		switch {
		case err != nil:
			return nil, diag.List{unread(dir.Name, "", err)}
		case stands == absent:
			return nil, nil
		case stands != directory:
			return nil, diag.List{obstacle(dir.Reached(), "", stands, "a directory")}
		}
	}
	return dir.Root, nil
}

// create opens the output directory, and makes it where it is missing, with all
// that leads to it.
func create(dir *files.Dir, o Options) (*os.Root, diag.List, error) {
	if root, found := open(dir); root != nil || found != nil {
		return root, found, nil
	}
	switch err := mkdirAll(dir, o); {
	case files.FullDisk(err):
		return nil, nil, fmt.Errorf("creating %s: %w", dir.Name, files.Explain(err))
	case err != nil:
		return nil, diag.List{denied(dir.Name, "", "created", err)}, nil
	}
	return dir.Root, nil, nil
}

// mkdirAll makes what is missing of a directory and goes there.
func mkdirAll(dir *files.Dir, o Options) error {
	for len(dir.Rest) > 0 {
		name := dir.Reached()
		if err := o.fault.before("mkdir", name); err != nil {
			return err
		}
		err := dir.Root.Mkdir(dir.Rest[0], o.dirMode())
		if err != nil && !errors.Is(err, fs.ErrExist) { // another run may be faster
			return err
		}
		if err := dir.Enter(); err != nil {
			return err
		}
	}
	return nil
}
