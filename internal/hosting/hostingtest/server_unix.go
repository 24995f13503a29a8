//go:build unix

package hostingtest

import (
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Start starts a server, which ends with the test and takes the processes that it
// started with it.
func Start(t *testing.T, server *exec.Cmd) {
	t.Helper()
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	server.WaitDelay = time.Second // its children may keep its output open
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(server) })
}

// end asks a server to end until it does: one that is reading its configuration
// again can miss the signal. After ten seconds it is killed.
func end(server *exec.Cmd) {
	ended := make(chan struct{})
	go func() {
		_ = server.Wait() // a signal ends it, which is an error to Wait
		close(ended)
	}()
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
