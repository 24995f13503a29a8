package hosting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// What a client may use up. Whoever needs longer or more is cut off.
const (
	headerTime   = 5 * time.Second        // to send the head of a request
	requestTime  = 10 * time.Second       // to send all of it
	responseTime = 30 * time.Second       // to take the response
	finishTime   = 300 * time.Millisecond // for requests when the server ends
	idleTime     = 60 * time.Second       // between two requests
	headerBytes  = 16 << 10
)

// Serve answers on l until ctx ends, then lets running requests finish, within
// bounds. It closes l.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      responseTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	if server.Shutdown(finish) != nil {
		return server.Close()
	}
	return nil
}

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

// Listen listens on an address HOST:PORT.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, diag.UsageError("use an address of this machine and a free port, such as 127.0.0.1:0",
			"cannot listen on %s: %s", diag.Quote(addr), refusal(err))
	}
	return l, nil
}

// refusal is the reason of an error of the network without the address.
func refusal(err error) string {
	if syntax, ok := errors.AsType[*net.AddrError](err); ok {
		return syntax.Err
	}
	if name, ok := errors.AsType[*net.DNSError](err); ok {
		return name.Err
	}
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return files.Reason(number)
	}
	return files.Reason(err)
}
