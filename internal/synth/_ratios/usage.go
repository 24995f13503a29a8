package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"
)

// usage is what runs of a program took at best, and of memory at worst.
type usage struct {
	wall      time.Duration
	processor time.Duration // user and system
	peak      int64         // resident memory in bytes, 0 where the system does not tell
}

func (u *usage) keep(v usage) {
	if u.wall == 0 {
		*u = v
		return
	}
	u.wall, u.processor, u.peak = min(u.wall, v.wall), min(u.processor, v.processor), max(u.peak, v.peak)
}

// measure runs a program that must end well.
func (b *bench) measure(ctx context.Context, dir, program string, args ...string) (usage, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s %v: %w: %s", program, args, err, said.Bytes())
	}
	state := cmd.ProcessState
	return usage{wall: time.Since(begin), processor: state.UserTime() + state.SystemTime(), peak: peak(state)}, nil
}
