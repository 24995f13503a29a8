// Package parallel does many things at a time in such a way that nothing
// depends on the scheduler. It uses the standard library only.
package parallel

import (
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// waiting is how many items may be ready before somebody has time for them, so
// that nobody waits for somebody who is about to be done.
const waiting = 64

// Hands says who does the work.
type Hands struct {
	// Most is how many goroutines work at a time, 0 for as many as there are
	// processors. With 1 the caller does everything itself.
	Most int
	// Alone is how many items the caller does itself before it starts others:
	// a new goroutine, whose stack has yet to grow, costs more than a few small
	// items do.
	Alone int
}

// Each calls do for every item, while further items are still looked for. Items
// are begun in their order. After one has failed no further one is, and Each
// returns the error of the first that did.
func Each[T any](hands Hands, items iter.Seq[T], do func(T) error) error {
	most := hands.Most
	if most == 0 {
		most = runtime.GOMAXPROCS(0)
	}
	type job struct {
		item  T
		index int
	}
	var queue chan job
	var failed failure
	failed.index.Store(math.MaxInt64)
	work := func(j job) {
		if failed.before(j.index) {
			return
		}
		if err := do(j.item); err != nil {
			failed.set(j.index, err)
		}
	}
	var group sync.WaitGroup
	index, started := 0, 0
	for item := range items {
		if failed.before(index) {
			break
		}
		j := job{item, index}
		index++
		if most == 1 || j.index < hands.Alone {
			work(j)
			continue
		}
		if queue == nil {
			queue = make(chan job, waiting)
		}
		if started < most {
			started++
			group.Go(func() {
				for j := range queue {
					work(j)
				}
			})
		}
		queue <- j
	}
	if queue != nil {
		close(queue)
	}
	group.Wait()
	return failed.err
}

// All calls do for every item of a list, as [Each] does, from as many goroutines
// as there are processors and items.
func All[T any](items []T, do func(T) error) error {
	return Each(Hands{Most: min(len(items), runtime.GOMAXPROCS(0))}, slices.Values(items), do)
}

// failure is the error of the first item that has one.
type failure struct {
	index atomic.Int64 // of the item, beyond all while there is none
	mu    sync.Mutex
	err   error
}

func (f *failure) set(index int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.before(index) {
		return
	}
	f.index.Store(int64(index))
	f.err = err
}

// before reports whether an item before that one has failed.
func (f *failure) before(index int) bool { return f.index.Load() < int64(index) }

// Range returns the numbers from 0 up to, and without, n.
func Range(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}
