package files_test

import (
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"testing"

	"cardwright/internal/files"
)

func TestEach(t *testing.T) {
	for _, most := range []int{1, 3, 100} {
		for _, n := range []int{0, 1, 1000} {
			got := make([]int, n)
			if err := files.Each(most, slices.Values(make([]int, n)), func(i, _ int) error {
				got[i]++
				return nil
			}); err != nil {
				t.Error(err)
			}
			if !slices.Equal(got, slices.Repeat([]int{1}, n)) {
				t.Errorf("%d items, %d goroutines: called %v times", n, most, got)
			}
		}
	}
}

func TestFails(t *testing.T) {
	ways := map[string]func(iter.Seq[int], func(_, i int) error) error{
		"Each": func(items iter.Seq[int], do func(_, i int) error) error { return files.Each(4, items, do) },
		"Work": files.Work[int],
	}
	for name, way := range ways {
		for range 100 {
			var done atomic.Int64
			yielded := 0
			err := way(func(yield func(int) bool) {
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
				t.Fatalf("%s: got %v, want the error of the first item that fails", name, err)
			}
			if done.Load() == 10_000 || yielded == 10_000 {
				t.Fatalf("%s has gone on after a failure", name)
			}
		}
	}
}

func TestEachKeepsTheOrderOfOneGoroutine(t *testing.T) {
	var order []int
	err := files.Each(1, slices.Values(make([]int, 10)), func(i, _ int) error {
		order = append(order, i)
		if i == 4 {
			return fmt.Errorf("item %d", i)
		}
		return nil
	})
	if err == nil || !slices.Equal(order, []int{0, 1, 2, 3, 4}) {
		t.Errorf("got %v after %v", err, order)
	}
}

func TestAll(t *testing.T) {
	items := []*int{new(int), new(int), new(int)}
	if err := files.All(items, func(n *int) error {
		*n++
		return nil
	}); err != nil {
		t.Error(err)
	}
	for i, n := range items {
		if *n != 1 {
			t.Errorf("item %d: called %d times", i, *n)
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
