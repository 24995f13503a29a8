package preview

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"

	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// Live answers as the handler that was shown last does.
type Live struct{ current atomic.Pointer[http.Handler] }

// Show answers as another handler does from now on.
func (l *Live) Show(h http.Handler) { l.current.Store(&h) }

// ServeHTTP implements [http.Handler].
func (l *Live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := l.current.Load()
	if h == nil {
		http.Error(w, "the project has no card yet", http.StatusServiceUnavailable)
		return
	}
	(*h).ServeHTTP(w, r)
}

// Names are the names of this machine that an address HOST:PORT gives.
func Names(addr string) []string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || host == "" || net.ParseIP(host) != nil {
		return nil
	}
	return []string{host}
}

// Listen listens on an address HOST:PORT.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", addr)
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err // without "listen tcp"
	}
	if err != nil {
		return nil, diag.UsageError("use an address of this machine and a free port, such as 127.0.0.1:0",
			"cannot listen on %s: %s", diag.Quote(addr), files.Reason(err))
	}
	return l, nil
}
