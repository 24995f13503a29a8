package cli

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	ucli "github.com/urfave/cli/v2"
)

// Every command has scripts that run it.
func TestScriptsOfCommands(t *testing.T) {
	for _, c := range commandTree(new(app)).Commands {
		scripts, err := filepath.Glob(filepath.Join("../../testdata/script", c.Name, "*.txtar"))
		if err != nil || len(scripts) == 0 {
			t.Errorf("there are no scripts in testdata/script/%s: %v", c.Name, err)
		}
	}
}

// Every command has a help text, every help text a command, and the help of each fits one
// screen.
func TestHelpTexts(t *testing.T) {
	entries, err := texts.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	unused := map[string]bool{}
	for _, e := range entries {
		unused[e.Name()] = true
	}
	var visit func(names []string, commands []*ucli.Command)
	visit = func(names []string, commands []*ucli.Command) {
		for _, c := range commands {
			called := slices.Concat(names, []string{c.Name})
			delete(unused, strings.Join(called, "-")+".txt")
			if c.Usage == "" || c.UsageText == "" || c.Description == "" {
				t.Errorf("%s: %q, %q\n%s", called, c.Usage, c.UsageText, c.Description)
			}
			checkHelp(t, called...)
			visit(called, c.Subcommands)
		}
	}
	visit(nil, commandTree(new(app)).Commands)
	checkHelp(t)
	if len(unused) > 0 {
		t.Errorf("of no command: %v", unused)
	}
}

func checkHelp(t *testing.T, command ...string) {
	t.Helper()
	var out bytes.Buffer
	streams := Streams{In: strings.NewReader(""), Out: &out, Err: io.Discard}
	if code := Run(append(command, "--help"), streams, ""); code != 0 {
		t.Fatalf("%s --help: exit code %d", command, code)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) > 40 {
		t.Errorf("the help of %s has %d lines", command, len(lines))
	}
	for _, line := range lines {
		if len([]rune(line)) > 80 || strings.Contains(line, "{") && !strings.Contains(line, "${") {
			t.Errorf("the help of %s has the line\n%s", command, line)
		}
	}
}
