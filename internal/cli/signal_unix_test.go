//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"
)

// The first signal ends a command, whether it listens, and a run that was interrupted
// is never a good one. Only for commands without an end the signal is that.
func TestUntilSignal(t *testing.T) {
	send := func(s syscall.Signal) {
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Error(err)
		}
	}
	deaf := func(context.Context) error { select {} }
	listens := func(result error) func(context.Context) error {
		return func(ctx context.Context) error {
			<-ctx.Done()
			return result
		}
	}
	const said = "cardwright: interrupted\n"
	tests := []struct {
		name    string
		signals []syscall.Signal
		do      func(context.Context) error
		endless bool
		want    int
		stderr  string
	}{
		{"deaf", []syscall.Signal{syscall.SIGTERM}, deaf, false, 143, said},
		{"HUP", []syscall.Signal{syscall.SIGHUP}, listens(nil), false, 129, said},
		{"QUIT", []syscall.Signal{syscall.SIGQUIT}, listens(nil), false, 131, said},
		{"good", []syscall.Signal{syscall.SIGINT}, listens(nil), false, 130, said},
		{"findings", []syscall.Signal{syscall.SIGTERM}, listens(exitError(Findings)), false, 143, said},
		{"a fault", []syscall.Signal{syscall.SIGINT}, listens(errors.New("cannot be read")), false, 130, said},
		{"endless", []syscall.Signal{syscall.SIGTERM}, listens(nil), true, OK, ""},
		{"endless and deaf", []syscall.Signal{syscall.SIGINT}, deaf, true, 130, said},
		{"no signal", nil, func(context.Context) error { return exitError(Findings) }, false, Findings, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if slices.ContainsFunc(tt.signals, func(s syscall.Signal) bool { return signal.Ignored(s) }) {
				t.Skip("the signal is ignored, as under nohup")
			}
			var stderr bytes.Buffer
			a := &app{console: console{Err: &stderr}, endless: tt.endless}
			code := a.untilSignal(func(ctx context.Context) error {
				for _, s := range tt.signals {
					send(s)
				}
				return tt.do(ctx)
			})
			if code != tt.want || stderr.String() != tt.stderr {
				t.Errorf("code %d, %q; want %d, %q", code, stderr.String(), tt.want, tt.stderr)
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
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		a.Print("a line")
		return nil
	})
	if code != 143 {
		t.Errorf("code %d", code)
	}
}
