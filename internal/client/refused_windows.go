package client

import (
	"errors"

	"golang.org/x/sys/windows"
)

// refused tells whether nobody listens there.
func refused(err error) bool { return errors.Is(err, windows.WSAECONNREFUSED) }
