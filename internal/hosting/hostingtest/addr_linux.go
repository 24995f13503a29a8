package hostingtest

import (
	"syscall"
	"testing"
)

// freePort keeps a port until the end of the test by a socket that is bound to it and
// does not listen. Nobody gets it by chance, in this process or another one; a server
// that asks for this very port does, because both set SO_REUSEADDR.
func freePort(tb testing.TB) int {
	tb.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		tb.Fatal(err)
	}
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		tb.Fatal(err)
	}
	addr, err := syscall.Getsockname(fd)
	if err != nil {
		tb.Fatal(err)
	}
	bound, ok := addr.(*syscall.SockaddrInet4)
	if !ok {
		tb.Fatalf("bound to %T", addr)
	}
	return bound.Port
}
