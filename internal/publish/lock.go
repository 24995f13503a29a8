package publish

import (
	"context"
	"fmt"
	"os"
	"time"

	"cardwright/internal/diag"
)

const (
	// lockPatience holds for a queue: eight runs over 1,000 cards take longer
	// than half a minute on a disk that is busy with other things.
	lockPatience = 2 * time.Minute
	lockInterval = 20 * time.Millisecond
)

// held is a directory that others are kept out of.
type held struct {
	dir     *os.File
	release func()
}

// Close lets others in.
func (h *held) Close() {
	h.release()
	_ = h.dir.Close()
}

// lock waits until no other run writes into root, and keeps others out until
// what it returns is closed. Where the system or the file system knows no
// locks, it does not wait.
func lock(ctx context.Context, root *os.Root, dir string) (*held, diag.List, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, diag.List{unread(dir, "", err)}, nil
	}
	for waited := time.Duration(0); ; waited += lockInterval {
		if release, ok := tryLock(f); ok {
			return &held{f, release}, nil, nil
		}
		if waited >= lockPatience {
			return nil, diag.List{problem(ruleBusy, dir, "",
				fmt.Sprintf("the output directory %q is still locked by another run after %s", dir, lockPatience),
				"wait until it ends, or stop it")}, f.Close()
		}
		select {
		case <-ctx.Done():
			_ = f.Close()
			return nil, nil, fmt.Errorf("waiting for another run that writes to %s: %w", dir, ctx.Err())
		case <-time.After(lockInterval):
		}
	}
}
