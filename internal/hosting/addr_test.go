package hosting_test

import (
	"net"
	"runtime"
	"testing"

	"cardwright/internal/hosting/hostingtest"
)

// An address is given to one server only: one with TLS answered the clients of another
// without, for minutes. The server that it was given to can listen there, and again.
// It is not parallel: nothing is started beside it, for a process has the listener until its program runs.
func TestFreeAddrIsKept(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only there a port can be kept")
	}
	given := map[string]bool{}
	for range 500 {
		given[hostingtest.FreeAddr(t)] = true
	}
	if len(given) != 500 {
		t.Errorf("%d of 500 addresses are given twice", 500-len(given))
	}
	addr := hostingtest.FreeAddr(t)
	for range 2 {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = c.Close(), l.Close()
	}
}
