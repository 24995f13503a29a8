package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"cardwright/internal/paths"
)

// ErrInUse says that a file cannot be replaced or removed, on a system where that
// depends on others.
var ErrInUse = errors.New("another program has it open, or it is protected against changes")

// FullDisk tells whether an operation failed because there is no room.
func FullDisk(err error) bool { return fullDisk(err) }

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
	case fullDisk(err):
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
		return paths.ErrCircle.Error()
	}
	if on, ok := errors.AsType[*fs.PathError](err); ok {
		return on.Err.Error()
	}
	if on, ok := errors.AsType[*os.LinkError](err); ok {
		return on.Err.Error()
	}
	return err.Error()
}

// Explain returns err with the words of [Reason] as its text.
func Explain(err error) error { return explained{err} }

type explained struct{ error }

func (e explained) Error() string { return Reason(e.error) }

func (e explained) Unwrap() error { return e.error }
