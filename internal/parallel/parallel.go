// Package parallel does many things at a time in such a way that nothing
// depends on the scheduler. It uses the standard library only.
package parallel

import (
	"iter"
	"math"
	"runtime"
	"sync"
)

// waiting is how many items may be ready before somebody has time for them, so
// that nobody waits for somebody who is about to be done.
const waiting = 64

// Each calls do for every item from so many goroutines, 0 for as many as there
// are processors, while further items are still looked for. Items are begun in
// their order. After one has failed no further one is, and Each returns the
// error of the first that did.
func Each[T any](goroutines int, items iter.Seq[T], do func(T) error) error {
	if goroutines == 0 {
		goroutines = runtime.GOMAXPROCS(0)
	}
	type job struct {
		item  T
		index int
	}
	queue := make(chan job, waiting)
	failed := failure{index: math.MaxInt}
	var group sync.WaitGroup
	for range goroutines {
		group.Go(func() {
			for j := range queue {
				if failed.before(j.index) {
					continue
				}
				if err := do(j.item); err != nil {
					failed.set(j.index, err)
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

// failure is the error of the first item that has one.
type failure struct {
	mu    sync.Mutex
	index int
	err   error
}

func (f *failure) set(index int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if index < f.index {
		f.index, f.err = index, err
	}
}

// before tells whether an item before that one has failed.
func (f *failure) before(index int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.index < index
}

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
