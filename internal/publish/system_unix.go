//go:build unix && !aix && !solaris

package publish

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes an advisory lock on an open directory, which closing it gives
// back. It returns false while another process holds it.
func tryLock(dir *os.File) (release func(), ok bool) {
	for {
		err := unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			return func() {}, !errors.Is(err, unix.EWOULDBLOCK)
		}
	}
}

// mayWrite reports whether files can be created in an open directory.
func mayWrite(dir *os.File) error {
	return unix.Faccessat(int(dir.Fd()), ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}
