package parallel_test

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"cardwright/internal/parallel"
)

func TestEach(t *testing.T) {
	for _, hands := range []parallel.Hands{{}, {Most: 1}, {Most: 3}, {Most: 100}, {Alone: 10}, {Alone: 5000}} {
		for _, n := range []int{0, 1, 1000} {
			got := make([]int, n)
			if err := parallel.Each(hands, parallel.Range(n), func(i int) error {
				got[i]++
				return nil
			}); err != nil {
				t.Error(err)
			}
			if !slices.Equal(got, slices.Repeat([]int{1}, n)) {
				t.Errorf("%d items, %+v: called %v times", n, hands, got)
			}
		}
	}
}

func TestEachFails(t *testing.T) {
	for range 100 {
		var done atomic.Int64
		yielded := 0
		err := parallel.Each(parallel.Hands{Most: 4, Alone: 20}, func(yield func(int) bool) {
			for i := range 10_000 {
				yielded++
				if !yield(i) {
					return
				}
			}
		}, func(i int) error {
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

func TestEachRunsOneAtATime(t *testing.T) {
	var order []int
	stop := errors.New("stop")
	err := parallel.Each(parallel.Hands{Most: 1}, parallel.Range(10), func(i int) error {
		order = append(order, i)
		if i == 4 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || !slices.Equal(order, []int{0, 1, 2, 3, 4}) {
		t.Errorf("got %v after %v", err, order)
	}
}

func TestAll(t *testing.T) {
	items := []*int{new(int), new(int), new(int)}
	if err := parallel.All(items, func(n *int) error {
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

// The caller's own goroutine does the first items, in order.
func TestEachAlone(t *testing.T) {
	var order []int
	if err := parallel.Each(parallel.Hands{Alone: 3}, parallel.Range(3), func(i int) error {
		order = append(order, i)
		return nil
	}); err != nil {
		t.Error(err)
	}
	if !slices.Equal(order, []int{0, 1, 2}) {
		t.Errorf("got %v", order)
	}
}
