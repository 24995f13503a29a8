package trials

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"

	"cardwright/internal/cli"
	"cardwright/internal/fixture"
)

// worker is a process that runs command lines one after another, whose starts would cost
// more than most of them. It ends when one needs more than 512 MB of memory or a goroutine
// panics, be it that of an earlier one. The next one gets another process, and in a long
// trial each one does: there are some that come near the bound.
type worker struct {
	sync.Mutex
	dir     string // where it starts
	process *exec.Cmd
	jobs    *json.Encoder
	results *json.Decoder
	died    bytes.Buffer // what it says then
	close   func() error
}

type job struct {
	Dir  string
	Args []string
}

type jobResult struct {
	Code           int
	Stdout, Stderr []byte
}

// work does the jobs of standard input.
func work() {
	if fixture.Long() {
		debug.SetGCPercent(100)
	}
	jobs, results := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var j job
		if jobs.Decode(&j) != nil {
			return
		}
		var stdout, stderr bytes.Buffer
		code := cli.Run(append([]string{"-C", j.Dir}, j.Args...), cli.Streams{
			In: strings.NewReader(""), Out: &stdout, Err: &stderr,
		}, "")
		if results.Encode(jobResult{code, stdout.Bytes(), stderr.Bytes()}) != nil {
			return
		}
	}
}

// run has the process do a job.
func (w *worker) run(j job) (r jobResult, err error) {
	w.Lock()
	defer w.Unlock()
	if w.process == nil {
		if err := w.start(); err != nil {
			return r, err
		}
	}
	if err = w.jobs.Encode(j); err == nil {
		err = w.results.Decode(&r)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("the process has ended: %w\n%.4000s", errors.Join(err, w.end()), w.died.String())
	case fixture.Long(): // what an earlier job left would count for the bound
		err = w.end()
	}
	return r, err
}

func (w *worker) start() error {
	// What the stacks of threads need depends on the processors, and what waits to be
	// collected on the collector.
	c := exec.Command("sh", "-c", "ulimit -d 524288 && exec cardwright-worker")
	c.Dir = w.dir
	c.Env = append(os.Environ(), "GOMAXPROCS=2", "GOGC=100", "GOMEMLIMIT=off")
	w.died.Reset()
	c.Stderr = &w.died
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	w.jobs, w.results, w.close = json.NewEncoder(in), json.NewDecoder(out), in.Close
	if err := c.Start(); err != nil {
		return err
	}
	w.process = c
	return nil
}

// end ends the process.
func (w *worker) end() error {
	if w.process == nil {
		return nil
	}
	c := w.process
	w.process = nil
	return errors.Join(w.close(), c.Wait())
}
