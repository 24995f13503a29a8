package files

import (
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// waiting is how many items may be ready before a worker takes them, so that workers do not
// block each other.
const waiting = 64

// job is an item with its index.
type job[T any] struct {
	item  T
	index int
}

// Work calls do for every item and its index while further items are still looked for,
// on the processors that no other work uses: the caller does what no worker has time
// for. So work in a part of other work needs no goroutines, whose stacks have yet to
// grow, until the other parts are done. After an item has failed none behind it is begun,
// and Work returns the error of the first that did.
func Work[T any](items iter.Seq[T], do func(index int, item T) error) error {
	var queue chan job[T]
	var failed failure
	var group sync.WaitGroup
	most := int32(runtime.GOMAXPROCS(0)) - 1 //nolint:gosec // no machine has so many
	index := 0
	var next job[T] // the last item is always the caller's
	for item := range items {
		if failed.before(index) {
			break
		}
		if index > 0 {
			if hire(most) {
				if queue == nil {
					queue = make(chan job[T], waiting)
				}
				group.Go(func() {
					defer helpers.Add(-1)
					serve(queue, &failed, do)
				})
			}
			select {
			case queue <- next:
			default:
				failed.try(next.index, func() error { return do(next.index, next.item) })
			}
		}
		next = job[T]{item, index}
		index++
	}
	if index > 0 {
		failed.try(next.index, func() error { return do(next.index, next.item) })
	}
	if queue != nil {
		close(queue)
		serve(queue, &failed, do)
	}
	group.Wait()
	return failed.err
}

// All calls do for every item of a list, as [Work] does.
func All[T any](items []T, do func(T) error) error {
	return Work(slices.Values(items), func(_ int, item T) error { return do(item) })
}

// helpers is how many goroutines work for others.
var helpers atomic.Int32

// hire reports whether there may be one more helper.
func hire(most int32) bool {
	n := helpers.Load()
	return n < most && helpers.CompareAndSwap(n, n+1)
}

// serve does the jobs of a queue until it is closed.
func serve[T any](queue <-chan job[T], failed *failure, do func(index int, item T) error) {
	for j := range queue {
		failed.try(j.index, func() error { return do(j.index, j.item) })
	}
}

// failure is the error of the first item that has one.
type failure struct {
	mu    sync.Mutex
	index int
	err   error
}

// try does something for an item unless one before it has failed.
func (f *failure) try(index int, do func() error) {
	if f.before(index) {
		return
	}
	err := do()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil && (f.err == nil || index < f.index) {
		f.index, f.err = index, err
	}
}

// before reports whether an item before that one has failed.
func (f *failure) before(index int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err != nil && f.index < index
}
