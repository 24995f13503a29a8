package main

import (
	"os"
	"syscall"
)

// peak returns the most memory that a process had, in bytes.
func peak(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Maxrss) * 1024 //nolint:unconvert // it has 32 bits on some processors
	}
	return 0
}
