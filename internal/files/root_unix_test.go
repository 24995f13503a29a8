//go:build unix

package files

import (
	"errors"
	"net"
	"path/filepath"
	"syscall"
	"testing"
)

func TestRootSpecialFiles(t *testing.T) {
	t.Chdir(t.TempDir()) // the path of a socket has to be short
	write(t, filepath.Join("skills", "a", "x"), "")
	if err := syscall.Mkfifo("skills/a/pipe", 0o644); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", "skills/a/socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	root := openRoot(t, ".")
	for name, want := range map[string]string{"pipe": "a named pipe", "socket": "a socket"} {
		var special *NotRegularError
		if _, err := root.Open("skills/a/" + name); !errors.As(err, &special) || special.Kind != want {
			t.Errorf("opening %s gives %v", want, err)
		}
	}
}
