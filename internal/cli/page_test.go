package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	ucli "github.com/urfave/cli/v2"
)

// Every command has a help text and scripts that run it, every help text a command, and the
// help of each fits one screen.
func TestHelpTexts(t *testing.T) {
	unused := map[string]bool{}
	entries, _ := texts.ReadDir("help")
	for _, e := range entries {
		unused[e.Name()] = true
	}
	var visit func(names []string, commands []*ucli.Command)
	visit = func(names []string, commands []*ucli.Command) {
		checkHelp(t, names...)
		for _, c := range commands {
			called := slices.Concat(names, []string{c.Name})
			delete(unused, strings.Join(called, "-")+".txt")
			if c.Usage == "" || c.UsageText == "" || c.Description == "" {
				t.Errorf("%s: %q, %q\n%s", called, c.Usage, c.UsageText, c.Description)
			}
			if scripts, _ := filepath.Glob("../../testdata/script/" + called[0] + "/*.txtar"); len(scripts) == 0 {
				t.Errorf("there are no scripts in testdata/script/%s", called[0])
			}
			visit(called, c.Subcommands)
		}
	}
	visit(nil, commandTree(new(app)).Commands)
	if len(unused) > 0 {
		t.Errorf("of no command: %v", unused)
	}
}

func checkHelp(t *testing.T, command ...string) {
	t.Helper()
	help := strings.TrimSuffix(workdir{T: t}.succeed(append(command, "--help")...), "\n")
	if n := strings.Count(help, "\n"); n >= 40 {
		t.Errorf("the help of %s has %d lines", command, n+1)
	}
	for line := range strings.Lines(help) {
		if len([]rune(line)) > 81 || strings.Contains(line, "{") && !strings.Contains(line, "${") {
			t.Errorf("the help of %s has the line\n%s", command, line)
		}
	}
}
