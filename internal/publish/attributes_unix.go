//go:build linux || darwin

package publish

import (
	"bytes"
	"os"

	"golang.org/x/sys/unix"
)

// copyAttributes gives a file the extended attributes of another one, which on Linux
// hold its access control list. What the system does not let us set stays as it is.
func copyAttributes(to, from *os.File) {
	in, out := int(from.Fd()), int(to.Fd())
	size, err := unix.Flistxattr(in, nil)
	if err != nil || size == 0 {
		return
	}
	names := make([]byte, size)
	if size, err = unix.Flistxattr(in, names); err != nil {
		return
	}
	for name := range bytes.SplitSeq(names[:size], []byte{0}) {
		size, err := unix.Fgetxattr(in, string(name), nil)
		if err != nil {
			continue
		}
		value := make([]byte, size)
		if size, err = unix.Fgetxattr(in, string(name), value); err == nil {
			_ = unix.Fsetxattr(out, string(name), value[:size], 0)
		}
	}
}
