//go:build unix

package files

import "syscall"

const (
	// nonblock keeps the opening of a named pipe from waiting for its other end.
	nonblock = syscall.O_NONBLOCK
	// directory opens nothing but directories, so it never waits either.
	directory = syscall.O_DIRECTORY
)
