package conformance

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"

	"cardwright/internal/fixture"
)

// script is a process of Node that answers each line of JSON with one, until the tests
// end: to load an SDK takes longer than most that is asked of it.
type script struct {
	name    string
	mu      sync.Mutex
	stdin   io.WriteCloser
	answers *json.Decoder
	wait    func() error
}

// The scripts. Each says what its lines are.
var (
	choices    = script{name: "choose.mjs"}
	jsYAML     = script{name: "frontmatter.mjs"}
	npmJose    = script{name: "jose.mjs"}
	readings   = script{name: "read.mjs"}
	signatures = script{name: "signatures.mjs"}
)

// endScripts ends the processes that run.
func endScripts() {
	for _, s := range []*script{&choices, &jsYAML, &npmJose, &readings, &signatures} {
		if s.stdin != nil {
			_ = s.stdin.Close()
			_ = s.wait()
		}
	}
}

// ask returns the answers to the lines. The test is skipped where there is no Node.
func ask[Answer, Line any](t *testing.T, s *script, lines ...Line) []Answer {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stdin == nil {
		s.start(t)
	}
	written := make(chan error, 1)
	go func() {
		encoder := json.NewEncoder(s.stdin) // which writes a line
		var err error
		for i := 0; i < len(lines) && err == nil; i++ {
			err = encoder.Encode(lines[i])
		}
		written <- err
	}()
	answers := make([]Answer, len(lines))
	for i := range answers {
		if err := s.answers.Decode(&answers[i]); err != nil {
			t.Fatalf("node %s: answer %d of %d: %v", s.name, i+1, len(lines), err)
		}
	}
	if err := <-written; err != nil {
		t.Fatalf("node %s: %v", s.name, err)
	}
	return answers
}

// start starts the process, which ends with its standard input.
func (s *script) start(t *testing.T) {
	t.Helper()
	fixture.NPM(t, "js")
	cmd := exec.Command("node", s.name)
	cmd.Dir, cmd.Stderr = "js", os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.stdin, s.answers, s.wait = stdin, json.NewDecoder(stdout), cmd.Wait
}
