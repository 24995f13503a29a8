//go:build !windows

package files

import (
	"errors"
	"syscall"
)

func fullDisk(err error) bool { return errors.Is(err, syscall.ENOSPC) }
