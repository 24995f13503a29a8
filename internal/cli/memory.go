package cli

import (
	"math"
	"runtime/debug"
)

// spendMemory trades memory for time: a run is over before most of what it
// allocates could be collected. With 10,000 skills it saves a tenth of the
// processor time and takes 135 MB instead of 85. The limit keeps larger runs
// from taking five times what they hold: 100,000 skills hold 260 MB and take
// 460. GOGC and GOMEMLIMIT of the user count.
func spendMemory(getenv func(name string) (string, bool)) {
	if value, _ := getenv("GOGC"); value == "" {
		debug.SetGCPercent(400)
	}
	if value, _ := getenv("GOMEMLIMIT"); value == "" {
		debug.SetMemoryLimit(420 << 20)
	}
}

// saveMemory undoes [spendMemory] where most of what is read stays in memory: a
// card of 4 MiB then takes 150 MB instead of 245, and trees of more than the limit
// are not collected all the time.
func saveMemory(getenv func(name string) (string, bool)) {
	if value, _ := getenv("GOGC"); value == "" {
		debug.SetGCPercent(100)
	}
	if value, _ := getenv("GOMEMLIMIT"); value == "" {
		debug.SetMemoryLimit(math.MaxInt64)
	}
}
