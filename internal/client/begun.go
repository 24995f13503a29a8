//go:build !js

package client

import (
	"net"
	"strings"
	"sync"

	"cardwright/internal/diag"
)

// beginning is the key of a request's context for what the host says first.
type beginning struct{}

// begun keeps the first bytes that a host sends, to describe a host that is not
// a web server.
type begun struct {
	mu   sync.Mutex
	said []byte
}

// mostBegun is how many bytes are kept.
const mostBegun = 64

func (b *begun) add(p []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.said = append(b.said, p[:min(len(p), mostBegun-len(b.said))]...)
}

// stranger describes a host that does not speak the HTTP that it was asked in, "" for
// any other.
func (b *begun) stranger(http2 bool) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	line, _, _ := strings.Cut(string(b.said), "\n")
	line = strings.TrimRight(line, "\r")
	binary := strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' })
	switch {
	case http2 && strings.HasPrefix(line, "HTTP/1"):
		return "the host speaks HTTP/1.1, but HTTP/2 is needed"
	case line == "" || binary || strings.HasPrefix(line, "HTTP/"):
		return ""
	}
	return "the host does not speak HTTP; its answer begins with " + diag.Quote(line)
}

// tapped is a connection whose beginning is kept.
type tapped struct {
	net.Conn
	begun *begun
}

// Read implements [net.Conn].
func (t *tapped) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	t.begun.add(p[:n])
	return n, err
}
