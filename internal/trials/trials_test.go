// Package trials tries the whole program: every feature with every other, runs that are
// disturbed, hostile projects, files that cannot be read, what twice the input costs, and
// the scripts of the Action. It has tests only.
package trials

import (
	"flag"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"cardwright/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the expected findings in testdata/hostile")

func TestMain(m *testing.M) {
	testscript.Main(root{m}, map[string]func(){
		"cardwright": func() {
			os.Exit(cli.Run(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, ""))
		},
		"cardwright-worker": work,
	})
}

// here runs the program in this process, which has one working directory: most runs cost
// less than a start.
func here(dir string, stdout, stderr io.Writer, args ...string) int {
	turn.Lock()
	defer turn.Unlock()
	return cli.Run(append([]string{"-C", dir}, args...), cli.Streams{
		In: strings.NewReader(""), Out: stdout, Err: stderr,
	}, "")
}

// turn is of what runs in this process.
var turn sync.Mutex

// root runs tests in the root of the project, where their files lie.
type root struct{ *testing.M }

func (r root) Run() int {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	return r.M.Run()
}
