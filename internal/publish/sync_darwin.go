package publish

import (
	"os"

	"golang.org/x/sys/unix"
)

// flush hands a file over to the drive. What [os.File.Sync] does on macOS, it waits
// until the drive has written all that it was ever handed over, which takes minutes
// for thousands of files; [settle] does that once for many.
func flush(f *os.File) error { return unix.Fsync(int(f.Fd())) }

// settle waits until the drive has written what was handed over to it, of which
// name is a file.
func settle(root *os.Root, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
