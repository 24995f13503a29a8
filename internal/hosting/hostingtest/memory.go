package hostingtest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Memory is a server that speaks HTTP like any other, but is reached by its Dial only. A
// connection costs a tenth of one through the system.
type Memory struct {
	URL    string
	conns  chan net.Conn
	closed chan struct{}
	close  func()
}

// InMemory starts a server that also speaks HTTP/2, without TLS. It is closed at the end of
// the test.
func InMemory(tb testing.TB, h http.Handler) *Memory {
	tb.Helper()
	m := &Memory{conns: make(chan net.Conn), closed: make(chan struct{})}
	m.close = sync.OnceFunc(func() { close(m.closed) })
	server := httptest.Server{Listener: m, Config: &http.Server{
		Handler: h, Protocols: new(http.Protocols), ReadHeaderTimeout: time.Minute,
	}}
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	tb.Cleanup(server.Close)
	m.URL = server.URL
	return m
}

// Dial connects to the server, and to nothing else.
func (m *Memory) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	if address != m.Addr().String() {
		return nil, fmt.Errorf("%s is not in memory", address)
	}
	here, there := net.Pipe()
	select {
	case m.conns <- there:
		return here, nil
	case <-m.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements [net.Listener].
func (m *Memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (m *Memory) Close() error {
	m.close()
	return nil
}

// Addr implements [net.Listener].
func (m *Memory) Addr() net.Addr { return inMemory{} }

// inMemory is an address at which nobody listens in the network.
type inMemory struct{}

// Network implements [net.Addr].
func (inMemory) Network() string { return "tcp" }

// String implements [net.Addr].
func (inMemory) String() string { return "127.0.0.1:1" }
