package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes an open directory for this process. Windows locks no directories,
// so what is taken is a name that stands for the directory, whatever its path; the
// system gives it back when the process ends. It returns false while another
// process has it.
func tryLock(dir *os.File) (release func(), ok bool) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(dir.Fd()), &info); err != nil {
		return func() {}, true // the file system knows no identities
	}
	name := fmt.Sprintf(`Global\cardwright-%08x-%08x%08x`, info.VolumeSerialNumber, info.FileIndexHigh, info.FileIndexLow)
	text, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return func() {}, true
	}
	event, err := windows.CreateEvent(nil, 0, 0, text)
	switch {
	case errors.Is(err, windows.ERROR_ALREADY_EXISTS):
		_ = windows.CloseHandle(event)
		return nil, false
	case errors.Is(err, windows.ERROR_ACCESS_DENIED): // that of another user
		return nil, false
	case err != nil:
		return func() {}, true
	}
	return func() { _ = windows.CloseHandle(event) }, true
}

func mayWrite(*os.File) error { return nil }

// inUse reports whether an operation failed because another program has the file
// open, as virus scanners and servers do for a moment. A file that waits for its
// last reader to be gone is refused like one that is protected.
func inUse(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) ||
		errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_USER_MAPPED_FILE)
}

// unprotect removes the read-only mark of a file, which only Windows respects
// here.
func unprotect(root *os.Root, name string) {
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o200 == 0 {
		_ = root.Chmod(name, info.Mode()|fs.FileMode(0o200)) // what follows tells
	}
}
