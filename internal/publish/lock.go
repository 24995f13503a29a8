package publish

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/internal/tree"
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

// Hold keeps a process from ending while it changes an output directory, where it
// has temporary files. The zero value is ready.
type Hold struct{ writers sync.RWMutex }

// holdKey is the key of a Hold in a context.
type holdKey struct{}

// In returns a context whose changes of output directories are waited for.
func (h *Hold) In(ctx context.Context) context.Context { return context.WithValue(ctx, holdKey{}, h) }

// Wait waits until no change goes on, and keeps any other from beginning: the process
// must end.
func (h *Hold) Wait() { h.writers.Lock() }

// holding begins a change, and returns what ends it.
func holding(ctx context.Context) (end func()) {
	h, ok := ctx.Value(holdKey{}).(*Hold)
	if !ok {
		return func() {}
	}
	h.writers.RLock()
	return h.writers.RUnlock
}

// claim is one file that an interrupted run may have left: its path, and the bytes
// that the run was about to write there. Of one path there may be several.
type claim struct {
	path string
	sum  tree.Digest
}

// A journal names what the runs since the last complete one were about to write, in
// the lines of sha256sum. It is there before the first of these files, each run that
// is interrupted adds to it, and the run that ends well removes it. So whatever was
// begun how often, all that may stand there is known.
func journalFile(claims []claim) tree.File {
	slices.SortFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.path, b.path), bytes.Compare(a.sum[:], b.sum[:]))
	})
	var text []byte
	for _, c := range slices.Compact(claims) {
		text = fmt.Appendf(text, "%s  %s\n", c.sum, c.path)
	}
	return tree.File{Path: tree.JournalName, Data: text}
}

// readClaims reads a journal. Like every committed file it is input: a line that
// names no file of a tree claims nothing.
func readClaims(journal []byte) []claim {
	var claims []claim
	for line := range strings.Lines(string(journal)) {
		sum, p, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "  ")
		if d, ok := tree.ParseDigest(sum); ok && tree.PathFault(p) == "" {
			claims = append(claims, claim{p, d})
		}
	}
	return claims
}

// conflicted reports whether git has left a conflict in a file.
func conflicted(data []byte) bool {
	ours, _ := source.Sides(data)
	return ours != nil
}
