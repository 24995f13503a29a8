//go:build unix

package hostingtest

import (
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Start starts a server, which ends with the test and takes the processes that it
// started with it. The channel is closed when it has ended.
func Start(t *testing.T, server *exec.Cmd) (ended <-chan struct{}) {
	t.Helper()
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	server.WaitDelay = time.Second // its children may keep its output open
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() {
		_ = server.Wait() // a signal ends it, which is an error to Wait
		close(gone)
	}()
	t.Cleanup(func() { end(server, gone) })
	return gone
}

// end asks a server to end until it does: one that is reading its configuration
// again can miss the signal. After ten seconds it is killed.
func end(server *exec.Cmd, ended <-chan struct{}) {
	defer func() {
		_ = syscall.Kill(-server.Process.Pid, syscall.SIGKILL) // there may be nobody left
		<-ended
	}()
	for range 100 {
		_ = server.Process.Signal(syscall.SIGTERM) // it may have ended
		select {
		case <-ended:
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Await waits until a server that was started is ready, as long as it runs, and
// for some minutes at most.
func Await(t *testing.T, what string, ended <-chan struct{}, ready func() bool) {
	t.Helper()
	for range 7200 { // three minutes or more
		if ready() {
			return
		}
		select {
		case <-ended:
			if !ready() {
				t.Fatalf("the server ended before %s", what)
			}
		case <-time.After(25 * time.Millisecond):
		}
	}
	t.Fatalf("gave up waiting until %s", what)
}
