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

// stranger quotes the first line of a host that sends text but not HTTP, "" for
// any other.
func (b *begun) stranger() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	line, _, _ := strings.Cut(string(b.said), "\n")
	line = strings.TrimRight(line, "\r")
	binary := strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' })
	if line == "" || binary || strings.HasPrefix(line, "HTTP/") {
		return ""
	}
	return diag.Quote(line)
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
	return n, err //nolint:wrapcheck // the transport knows the errors of net
}
