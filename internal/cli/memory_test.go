package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// The limit grows with what is in use, and shrinks with it again.
func TestBudget(t *testing.T) {
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
	spendMemory(func(name string) (string, bool) { return map[string]string{"GOGC": "off"}[name], false })
	waitFor := func(what string, done func(limit int64) bool) {
		for range 1000 {
			if done(debug.SetMemoryLimit(-1)) {
				return
			}
			runtime.GC() // finds the budget, whose limit is set a moment later
			runtime.Gosched()
		}
		t.Errorf("the limit is %d MiB, want %s", debug.SetMemoryLimit(-1)>>20, what)
	}
	waitFor("little", func(limit int64) bool { return limit < mostBudget })
	held := make([]byte, mostBudget)
	waitFor("more", func(limit int64) bool { return limit > mostBudget })
	runtime.KeepAlive(held)
	waitFor("little again", func(limit int64) bool { return limit < mostBudget })
}
