//go:build !linux

package hostingtest

import (
	"net/netip"
	"testing"
)

// freePort returns a port that was free a moment ago.
func freePort(tb testing.TB) int {
	tb.Helper()
	l := listen(tb)
	defer func() { _ = l.Close() }()
	return int(netip.MustParseAddrPort(l.Addr().String()).Port())
}
