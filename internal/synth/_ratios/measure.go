//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Words of a command that stand for something else.
const (
	floor    = "floor"     // this program, with the work that follows
	freshOut = "fresh-out" // an output directory that there has never been
)

// usage is what runs of a program took at best, and of memory at worst.
type usage struct {
	wall      time.Duration
	processor time.Duration // user and system
	peak      int64         // resident memory in bytes, as Linux counts it
}

// best runs commands in dir by turns, and returns what each took at best.
func (b *bench) best(ctx context.Context, dir string, commands [][]string) ([]usage, error) {
	best := make([]usage, len(commands))
	for n := range b.runs {
		for i, args := range commands {
			u, err := b.once(ctx, dir, args)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				u = usage{min(u.wall, best[i].wall), min(u.processor, best[i].processor), max(u.peak, best[i].peak)}
			}
			best[i] = u
		}
	}
	return best, nil
}

func (b *bench) once(ctx context.Context, dir string, args []string) (usage, error) {
	if args[0] == floor {
		self, err := os.Executable()
		if err != nil {
			return usage{}, err
		}
		return measure(ctx, dir, self, floor, ".", args[1])
	}
	if last := len(args) - 1; args[last] == freshOut { // ext4 is slow to fill one again that was removed
		b.outs++
		args = append(args[:last:last], filepath.Join(b.dir, "out-"+strconv.Itoa(b.outs)))
	}
	return measure(ctx, dir, b.program(), args...)
}

// measure runs a program that must end well.
func measure(ctx context.Context, dir, program string, args ...string) (usage, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s %v: %w: %s", program, args, err, stderr.Bytes())
	}
	state := cmd.ProcessState
	u := usage{wall: time.Since(begin), processor: state.UserTime() + state.SystemTime()}
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		u.peak = int64(r.Maxrss) * 1024 //nolint:unconvert // it has 32 bits on some processors
	}
	return u, nil
}

// against prints two columns: wall and processor time, and how often the floor's they are.
func (u usage) against(floor usage) string {
	times := func(d, floor time.Duration) string {
		return fmt.Sprintf("%s (%.2f ×)", milliseconds(d), float64(d)/float64(floor))
	}
	return times(u.wall, floor.wall) + " | " + times(u.processor, floor.processor)
}

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 1, 64) + " ms"
}
