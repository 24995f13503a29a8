//go:build !windows

package safefile

import (
	"errors"
	"syscall"
)

func fullDisk(err error) bool { return errors.Is(err, syscall.ENOSPC) }
