//go:build !windows

package client

import (
	"errors"
	"syscall"
)

// refused tells whether nobody listens there.
func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
