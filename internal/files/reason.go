package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// ErrInUse says that a file cannot be replaced or removed, on a system where that
// depends on others.
var ErrInUse = errors.New("another program has it open, or it is protected against changes")

// FullDisk reports whether an operation failed because there is no room.
func FullDisk(err error) bool {
	number, ok := errors.AsType[syscall.Errno](err)
	return ok && slices.Contains(diskFull, number)
}

// Reason says in plain words why a file cannot be used, without the path, which
// the message around it names already.
func Reason(err error) string {
	if large, ok := errors.AsType[*TooLargeError](err); ok {
		return fmt.Sprintf("it has more than %d bytes", large.Limit)
	}
	if other, ok := errors.AsType[*NotRegularError](err); ok {
		return "it is " + other.Kind
	}
	switch {
	case errors.Is(err, ErrInUse):
		return ErrInUse.Error()
	case FullDisk(err):
		return "no space left on device"
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or directory"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrInvalid):
		return "its name is not valid UTF-8"
	case errors.Is(err, syscall.ENXIO):
		return "it is a socket, or a device that is not there"
	case errors.Is(err, syscall.ELOOP):
		return ErrCircle.Error()
	}
	if on, ok := errors.AsType[*fs.PathError](err); ok {
		return on.Err.Error()
	}
	if on, ok := errors.AsType[*os.LinkError](err); ok {
		return on.Err.Error()
	}
	return err.Error()
}

// Refused reports whether the system did not show what may well be there: no
// permission, a broken disk, no memory. That a path leads nowhere, outside of what may
// be read or to something else than a file is no refusal.
func Refused(err error) bool {
	number, ok := errors.AsType[syscall.Errno](err)
	if !ok || errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return errors.Is(err, fs.ErrPermission)
	}
	return !slices.Contains(harmless, number)
}

// harmless are the answers of a system to a path that leads to no file of ours.
var harmless = []syscall.Errno{
	syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL, syscall.EISDIR, syscall.ENXIO, syscall.EXDEV,
	123, 161, 267, // of Windows: ERROR_INVALID_NAME, ERROR_BAD_PATHNAME, ERROR_DIRECTORY
}

// Explain returns err with the words of [Reason] as its text.
func Explain(err error) error { return explained{err} }

type explained struct{ error }

func (e explained) Error() string { return Reason(e.error) }

func (e explained) Unwrap() error { return e.error }
