package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"cardwright/internal/diag"
)

// open opens the output directory, which the user named: it may be "." or a
// link. It returns nothing at all where there is none.
func open(dir string) (*os.Root, diag.List) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, diag.List{denied(dir, "", "opened", err)}
	case !info.IsDir():
		return nil, diag.List{obstacle(dir, "", siteOf(info), "a directory")}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, diag.List{denied(dir, "", "opened", err)}
	}
	return root, nil
}

// create opens the output directory, and makes it where it is missing, with all
// that leads to it.
func create(dir string, o Options) (*os.Root, diag.List, error) {
	if root, found := open(dir); root != nil || found != nil {
		return root, found, nil
	}
	err := mkdirAll(dir, o)
	if errors.Is(err, syscall.ENOSPC) {
		return nil, nil, fmt.Errorf("creating %s: %w", dir, cause(err))
	}
	if err != nil {
		return nil, diag.List{denied(dir, "", "created", err)}, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, diag.List{denied(dir, "", "opened", err)}, nil
	}
	return root, nil, nil
}

func mkdirAll(dir string, o Options) error {
	if isDir(dir) {
		return nil
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := mkdirAll(parent, o); err != nil {
			return err
		}
	}
	if err := o.fault.before("mkdir", dir); err != nil {
		return err
	}
	mode := o.modes().dir
	if err := os.Mkdir(dir, mode); err != nil {
		if isDir(dir) { // another run was faster
			return nil
		}
		return err
	}
	if err := o.fault.before("chmod", dir); err != nil {
		return err
	}
	return os.Chmod(dir, mode)
}

func isDir(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}
