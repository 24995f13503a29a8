package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// spendMemory trades memory for time: a run is over before most of what it
// allocates could be collected. GOGC and GOMEMLIMIT of the user count.
func spendMemory(getenv func(name string) (string, bool)) {
	if value, _ := getenv("GOGC"); value == "" {
		debug.SetGCPercent(1000)
	}
	if value, _ := getenv("GOMEMLIMIT"); value == "" {
		b := &budget{live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
		b.adjust()
	}
}

// budget is the memory that a run may take before most of it is collected.
type budget struct {
	live  []metrics.Sample // how much was in use after the last collection
	limit int64            // in bytes
}

// How a run's budget follows what is in use: so much more while that is little, for memory
// that is touched for the first time costs more than collecting what was used before; up
// to mostBudget, and beyond that only what is not there a second time: 100,000 skills of
// 1,000 agents hold 90 MiB and take 125. A card with all of them holds 290 as it is
// printed, and takes no more than headroom besides.
const (
	headroom   = 80 << 20
	mostBudget = 120 << 20
	onceOnly   = 64 << 20
)

// adjust sets the limit, again after each collection: nothing holds the budget, so each
// one finds it. With a fixed limit, what holds more than that would be collected all the
// time.
func (b *budget) adjust() {
	metrics.Read(b.live)
	live := int64(b.live[0].Value.Uint64()) //nolint:gosec // no machine has so much
	limit := max(min(live+headroom, mostBudget), live+min(live-onceOnly, headroom))
	if limit != b.limit {
		debug.SetMemoryLimit(limit)
		b.limit = limit
	}
	runtime.SetFinalizer(b, (*budget).adjust)
}
