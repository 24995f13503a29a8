package files_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"cardwright/internal/files"
)

func TestWorkFails(t *testing.T) {
	for range 100 {
		var done atomic.Int64
		yielded := 0
		err := files.Work(func(yield func(int) bool) {
			for i := range 10_000 {
				yielded++
				if !yield(i) {
					return
				}
			}
		}, func(_, i int) error {
			done.Add(1)
			if i%100 >= 97 {
				return fmt.Errorf("item %d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "item 97" {
			t.Fatalf("got %v, want the error of the first item that fails", err)
		}
		if done.Load() == 10_000 || yielded == 10_000 {
			t.Fatal("it has gone on after a failure")
		}
	}
}

// Work in work: all of it is done, and no one waits for helpers that there are not.
func TestWorkInWork(t *testing.T) {
	var done atomic.Int64
	for _, n := range []int{0, 1, 2, 100} {
		done.Store(0)
		err := files.Work(slices.Values(make([]int, n)), func(int, int) error {
			return files.All(make([]int, n), func(int) error {
				done.Add(1)
				return nil
			})
		})
		if err != nil || done.Load() != int64(n*n) {
			t.Errorf("%d times %d items: %d done, %v", n, n, done.Load(), err)
		}
	}
}
