package cli_test

import (
	"bufio"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"cardwright/internal/cli"
	"cardwright/internal/fixture"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	// Scripts wait for their turn and for programs: more are under way than there are cores.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"cardwright": func() {
		os.Exit(cli.Run(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, ""))
	}})
}

// TestScripts runs every command the way a user does. One directory a command. The line
// "run cardwright lint" runs it in this process, which is much quicker; "run 2 A=b K=<key
// cardwright lint - <card" wants that exit status, sets variables, the second to what is
// in a file, and reads standard input from one. "exec cardwright lint" starts a process, for
// signals, pipes and what runs in the background. "serve dist" has cardwright serve a directory,
// whose address is $URL, until the script ends.
func TestScripts(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Dir(filepath.Dir(here))
	dirs, err := filepath.Glob(filepath.Join(root, "testdata/script/*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no scripts below testdata/script: %v", err)
	}
	isolate(t)
	t.Cleanup(func() { _ = os.Chdir(here) }) //nolint:usetesting // scripts run beside each other
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Dir:                 dir,
				UpdateScripts:       *update,
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
				Condition:           condition,
				Cmds:                map[string]func(*testscript.TestScript, bool, []string){"run": run, "serve": serve},
				Setup: func(env *testscript.Env) error {
					env.Setenv("ROOT", root)
					env.Setenv("NO_COLOR", "1")
					env.Setenv("GORACE", os.Getenv("GORACE"))
					for name, value := range gitSettings {
						env.Setenv(name, value)
					}
					return nil
				},
			})
		})
	}
}

// gitSettings are how git works for scripts: as no one's, with nothing done beside.
var gitSettings = map[string]string{
	"GIT_CONFIG_NOSYSTEM": "1",
	"GIT_AUTHOR_NAME":     "t", "GIT_AUTHOR_EMAIL": "t@acme.example",
	"GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@acme.example",
	"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false",
}

// condition knows [long], which holds in the long trials.
func condition(name string) (bool, error) {
	if name != "long" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return fixture.Long(), nil
}

// isolate gives this process the environment that scripts give to theirs.
func isolate(t *testing.T) {
	t.Helper()
	kept := []string{"GORACE", "LONG_TRIALS", "PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"}
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !slices.Contains(kept, strings.ToUpper(name)) {
			if err := os.Unsetenv(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, value := range map[string]string{"HOME": "/no-home", "NO_COLOR": "1"} {
		if err := os.Setenv(name, value); err != nil { //nolint:usetesting // scripts run beside each other
			t.Fatal(err)
		}
	}
}

// turn is of the commands in this process, which has one working directory.
var turn sync.Mutex

func run(ts *testscript.TestScript, neg bool, args []string) {
	want := 0
	if n, err := strconv.Atoi(slices.Concat(args, []string{""})[0]); err == nil {
		want, args = n, args[1:]
	}
	variables := map[string]string{}
	for len(args) > 0 && strings.Contains(args[0], "=") {
		name, value, _ := strings.Cut(args[0], "=")
		if file, is := strings.CutPrefix(value, "<"); is {
			value = strings.TrimRight(ts.ReadFile(file), "\n")
		}
		variables[name], args = value, args[1:]
	}
	in := ""
	if file, is := strings.CutPrefix(slices.Concat([]string{""}, args)[len(args)], "<"); is {
		in, args = ts.ReadFile(file), args[:len(args)-1]
	}
	if len(args) == 0 || args[0] != "cardwright" {
		ts.Fatalf("usage: run [STATUS] [NAME=VALUE...] cardwright [args...] [<FILE]")
	}
	turn.Lock()
	defer turn.Unlock()
	variables["PWD"] = ts.MkAbs(".")
	ts.Check(os.Chdir(variables["PWD"]))
	for name, value := range variables {
		ts.Check(os.Setenv(name, value))
		defer os.Unsetenv(name)
	}
	code := cli.Run(args[1:], cli.Streams{In: strings.NewReader(in), Out: ts.Stdout(), Err: ts.Stderr()}, "")
	if neg && code == 0 || !neg && code != want {
		ts.Fatalf("unexpected exit status %d", code)
	}
}

func serve(ts *testscript.TestScript, _ bool, args []string) {
	server := exec.Command("cardwright", append([]string{"serve", "-q"}, args...)...)
	server.Dir = ts.MkAbs(".")
	urls, err := server.StdoutPipe()
	ts.Check(err)
	ts.Check(server.Start())
	ts.Defer(func() {
		_ = server.Process.Kill()
		_ = server.Wait() // killed
	})
	first, err := bufio.NewReader(urls).ReadString('\n')
	ts.Check(err)
	base, err := url.Parse(strings.TrimSpace(first))
	ts.Check(err)
	ts.Setenv("URL", "http://"+base.Host)
}
