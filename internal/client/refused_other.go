//go:build !windows && !js

package client

import (
	"errors"
	"syscall"
)

// refused reports whether no server listens at the address.
func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
