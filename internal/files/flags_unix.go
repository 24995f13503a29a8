//go:build unix

package files

import "syscall"

// diskFull is what the system answers when there is no room.
var diskFull = []syscall.Errno{syscall.ENOSPC}

const (
	// nonblock keeps the opening of a named pipe from waiting for its other end.
	nonblock = syscall.O_NONBLOCK
	// directory opens nothing but directories, so it never waits either.
	directory = syscall.O_DIRECTORY
)
