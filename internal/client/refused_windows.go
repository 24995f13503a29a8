package client

import (
	"errors"

	"golang.org/x/sys/windows"
)

// refused reports whether no server listens at the address.
func refused(err error) bool { return errors.Is(err, windows.WSAECONNREFUSED) }
