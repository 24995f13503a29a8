package cli

import (
	"path/filepath"
	"strings"
	"testing"

	ucli "github.com/urfave/cli/v2"
)

// Every command has scripts that run it.
func TestScriptsOfCommands(t *testing.T) {
	for _, c := range new(app).command().Commands {
		scripts, err := filepath.Glob(filepath.Join("../../testdata/script", c.Name, "*.txtar"))
		if err != nil || len(scripts) == 0 {
			t.Errorf("there are no scripts in testdata/script/%s: %v", c.Name, err)
		}
	}
}

// Every command has a help text, and every help text a command.
func TestHelpTexts(t *testing.T) {
	entries, err := texts.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	unused := map[string]bool{}
	for _, e := range entries {
		unused[e.Name()] = true
	}
	var visit func(parent string, commands []*ucli.Command)
	visit = func(parent string, commands []*ucli.Command) {
		for _, c := range commands {
			delete(unused, parent+c.Name+".txt")
			help := c.UsageText + "\n" + c.Description
			unfilled := strings.ContainsAny(help, "{}") && !strings.Contains(help, "${")
			if c.Usage == "" || c.UsageText == "" || c.Description == "" || unfilled {
				t.Errorf("%s: %q, %q\n%s", c.Name, c.Usage, c.UsageText, c.Description)
			}
			for line := range strings.Lines(help) {
				if len([]rune(strings.TrimSuffix(line, "\n"))) > 80 {
					t.Errorf("the help of %s has a line over 80 columns:\n%s", c.Name, line)
				}
			}
			visit(parent+c.Name+"-", c.Subcommands)
		}
	}
	visit("", new(app).command().Commands)
	if len(unused) > 0 {
		t.Errorf("of no command: %v", unused)
	}
}
