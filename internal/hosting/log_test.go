//go:build unix

package hosting_test

import (
	"bytes"
	"sync"
)

// logged collects how a process begins to speak, while others read it: one that says
// the same for minutes hides what failed.
type logged struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buf.Len() < 8<<10 {
		l.buf.Write(p)
	}
	return len(p), nil
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
