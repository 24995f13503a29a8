// Package trials tries the whole program: every feature with every other, hostile
// projects, the scripts of the Action, and that each promise has a test. It has tests only.
package trials

import (
	"flag"
	"os"
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
	})
}

// root runs tests in the root of the project, where their files lie.
type root struct{ *testing.M }

func (r root) Run() int {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	return r.M.Run()
}
