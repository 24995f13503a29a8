package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// openBeneath opens the file or directory name below dir for reading, where no
// link is on the way. An [os.Root] does that everywhere, but opens every directory
// on the way, and examines every entry of a directory that it lists. So a failure
// means only that the root has to be asked.
func openBeneath(dir *os.File, name string, flag int) (*os.File, error) {
	how := unix.OpenHow{
		Flags:   uint64(unix.O_RDONLY | unix.O_CLOEXEC | flag), //nolint:gosec // no flag is negative
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	}
	fd, err := unix.Openat2(int(dir.Fd()), name, &how)
	if err != nil {
		return nil, err
	}
	if flag&unix.O_NONBLOCK != 0 { // it has not waited, and its reader would ask whether it may be waited for
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETFL, 0)
	}
	return os.NewFile(uintptr(fd), dir.Name()+"/"+name), nil
}

// statBeneath examines the file or directory name below dir, likewise, whatever
// it is.
func statBeneath(dir *os.File, name string) (os.FileInfo, error) {
	f, err := openBeneath(dir, name, unix.O_PATH)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}
