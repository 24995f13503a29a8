package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// A command has grace to end by itself after a signal, and then lastWords to say so where
// no one may read it: less than a second together.
const (
	grace     = 500 * time.Millisecond
	lastWords = 400 * time.Millisecond
)

// hangup says that the terminal is gone. A browser has neither a terminal nor a name for it.
const hangup = syscall.Signal(1)

// signalled is what a run adds to the number of a signal for its exit code, as shells
// do.
const signalled = 128

// untilSignal does what a command is for, and returns its exit code. The first signal
// ends it wherever it is: what listens to ctx has a moment to stop, files that are
// being written get into place or are taken back, and what else goes on is left behind,
// because the process ends.
func (a *app) untilSignal(do func(context.Context) error) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
	if runtime.GOOS != "js" && !signal.Ignored(hangup) { // as nohup has it
		signal.Notify(signals, hangup)
	}
	defer signal.Stop(signals)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- do(ctx) }()
	var received os.Signal
	select {
	case err := <-ended:
		return a.exitCode(err)
	case received = <-signals:
		cancel()
	}
	select {
	case err := <-ended:
		if err == nil && a.endless {
			return OK
		}
	case <-signals:
	case <-time.After(grace):
	}
	a.sayInterrupted()
	number, _ := received.(syscall.Signal)
	return signalled + int(number)
}

// sayInterrupted says why the run ended, unless no one reads what it prints.
func (a *app) sayInterrupted() {
	printed := make(chan struct{})
	go func() {
		defer close(printed)
		if isTerminal(a.Err) {
			_, _ = io.WriteString(a.Err, eraseLine) // how far the run was
		}
		_, _ = io.WriteString(a.Err, "cardwright: interrupted\n")
	}()
	select {
	case <-printed:
	case <-time.After(lastWords):
	}
}
