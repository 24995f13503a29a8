//go:build !unix

package files

import "syscall"

// diskFull is what the system answers when there is no room: on Windows ERROR_HANDLE_DISK_FULL
// and ERROR_DISK_FULL.
var diskFull = []syscall.Errno{39, 112}

// Where directories hold no named pipes, any file can be opened at once.
const (
	nonblock  = 0
	directory = 0
)
