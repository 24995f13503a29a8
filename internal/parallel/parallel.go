// Package parallel does many things at a time in such a way that nothing
// depends on the scheduler. It uses the standard library only.
package parallel

import (
	"iter"
	"runtime"
	"slices"
	"sync"
)

// waiting is how many items may be ready before somebody has time for them, so
// that nobody waits for somebody who is about to be done.
const waiting = 64

// Each calls do for every item and its index from so many goroutines, while further
// items are still looked for. Items are begun in their order. After one has failed no further one is,
// and Each returns the error of the first that did. A goroutine does many items: its
// stack has yet to grow, which costs more than a small item does.
func Each[T any](most int, items iter.Seq[T], do func(index int, item T) error) error {
	type job struct {
		item  T
		index int
	}
	queue := make(chan job, waiting)
	var failed failure
	var group sync.WaitGroup
	for range most {
		group.Go(func() {
			for j := range queue {
				if !failed.before(j.index) {
					failed.note(j.index, do(j.index, j.item))
				}
			}
		})
	}
	index := 0
	for item := range items {
		if failed.before(index) {
			break
		}
		queue <- job{item, index}
		index++
	}
	close(queue)
	group.Wait()
	return failed.err
}

// All calls do for every item of a list, as [Each] does, from as many goroutines
// as there are processors and items.
func All[T any](items []T, do func(T) error) error {
	most := min(len(items), runtime.GOMAXPROCS(0))
	return Each(most, slices.Values(items), func(_ int, item T) error { return do(item) })
}

// failure is the error of the first item that has one.
type failure struct {
	mu    sync.Mutex
	index int
	err   error
}

func (f *failure) note(index int, err error) {
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
