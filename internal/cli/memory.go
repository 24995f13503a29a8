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
		(&budget{live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}).adjust()
	}
}

// budget is the memory up to which garbage is collected rarely.
type budget struct {
	live  []metrics.Sample // how much was in use after the last collection
	limit int64
}

// adjust sets the limit after each collection, since the budget is garbage, too: what most
// runs need, and for what is twice as large nearly as much again as is in use.
func (b *budget) adjust() {
	const least = 128 << 20
	metrics.Read(b.live)
	limit := max(least, 2*int64(b.live[0].Value.Uint64())-least/2) //nolint:gosec // no machine has so much
	if limit != b.limit {
		debug.SetMemoryLimit(limit)
		b.limit = limit
	}
	runtime.SetFinalizer(b, (*budget).adjust)
}
