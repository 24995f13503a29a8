//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// kill sends a signal to this process, 0 for none.
func kill(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		t.Error(err)
	}
}

// The first signal ends a command, whether it listens, and a run that was interrupted
// is never a good one. Only for commands without an end the signal is that.
func TestUntilSignal(t *testing.T) {
	deaf := func(context.Context) error { select {} }
	listens := func(result error) func(context.Context) error {
		return func(ctx context.Context) error {
			<-ctx.Done()
			return result
		}
	}
	const printed = "cardwright: interrupted\n"
	for name, c := range map[string]struct {
		signal  syscall.Signal
		do      func(context.Context) error
		endless bool
		want    int
		stderr  string
	}{
		"deaf":             {syscall.SIGTERM, deaf, false, 143, printed},
		"HUP":              {syscall.SIGHUP, listens(nil), false, 129, printed},
		"QUIT":             {syscall.SIGQUIT, listens(nil), false, 131, printed},
		"good":             {syscall.SIGINT, listens(nil), false, 130, printed},
		"findings":         {syscall.SIGTERM, listens(exitError(Findings)), false, 143, printed},
		"a fault":          {syscall.SIGINT, listens(errors.New("cannot be read")), false, 130, printed},
		"endless":          {syscall.SIGTERM, listens(nil), true, OK, ""},
		"endless and deaf": {syscall.SIGINT, deaf, true, 130, printed},
		"no signal":        {0, func(context.Context) error { return exitError(Findings) }, false, Findings, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.signal != 0 && signal.Ignored(c.signal) {
				t.Skip("the signal is ignored, as under nohup")
			}
			var stderr bytes.Buffer
			a := &app{console: console{Err: &stderr}, endless: c.endless}
			code := a.untilSignal(func(ctx context.Context) error {
				kill(t, c.signal)
				return c.do(ctx)
			})
			if code != c.want || stderr.String() != c.stderr {
				t.Errorf("code %d, %q; want %d, %q", code, stderr.String(), c.want, c.stderr)
			}
		})
	}
}

// A command ends also when no one reads what it prints.
func TestSignalUnread(t *testing.T) {
	read, write := io.Pipe()
	defer read.Close()
	a := &app{console: console{Out: write, Err: write}}
	code := a.untilSignal(func(context.Context) error {
		kill(t, syscall.SIGTERM)
		a.Print("a line")
		return nil
	})
	if code != 143 {
		t.Errorf("code %d", code)
	}
}
