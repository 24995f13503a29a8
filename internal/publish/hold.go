package publish

import (
	"context"
	"sync"
)

// Hold keeps a process from ending while it changes an output directory, where it
// has temporary files. The zero value is ready.
type Hold struct{ writers sync.RWMutex }

// holdKey is the key of a Hold in a context.
type holdKey struct{}

// In returns a context whose changes of output directories are waited for.
func (h *Hold) In(ctx context.Context) context.Context { return context.WithValue(ctx, holdKey{}, h) }

// Wait waits until no change goes on, and keeps any other from beginning: the process
// must end.
func (h *Hold) Wait() { h.writers.Lock() }

// holding begins a change, and returns what ends it.
func holding(ctx context.Context) (end func()) {
	h, ok := ctx.Value(holdKey{}).(*Hold)
	if !ok {
		return func() {}
	}
	h.writers.RLock()
	return h.writers.RUnlock
}
