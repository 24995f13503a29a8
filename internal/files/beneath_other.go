//go:build !linux

package files

import (
	"errors"
	"os"
)

// openBeneath has nothing to offer here.
func openBeneath(*os.File, string, int) (*os.File, error) { return nil, errors.ErrUnsupported }

// statBeneath neither.
func statBeneath(*os.File, string) (os.FileInfo, error) { return nil, errors.ErrUnsupported }
