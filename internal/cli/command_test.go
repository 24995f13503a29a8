package cli

import (
	"strings"
	"testing"

	ucli "github.com/urfave/cli/v2"

	"github.com/google/go-cmp/cmp"
)

func program() *ucli.Command {
	return &ucli.Command{
		Name: "cw", Flags: []ucli.Flag{
			&ucli.BoolFlag{Name: "quiet", Aliases: []string{"q"}}, &ucli.StringFlag{Name: "chdir", Aliases: []string{"C"}},
		},
		Subcommands: []*ucli.Command{
			{
				Name: "lint", Usage: "check cards", Aliases: []string{"validate"},
				Flags: []ucli.Flag{&ucli.StringFlag{Name: "only"}},
			},
			{Name: "key", Subcommands: []*ucli.Command{
				{Name: "new", Flags: []ucli.Flag{&ucli.StringFlag{Name: "out", Aliases: []string{"o"}}}},
			}},
		},
	}
}

func TestArrange(t *testing.T) {
	for line, want := range map[string]string{
		"":                           "--",
		"lint":                       "lint --",
		"validate a --only x b":      "lint --only x -- a b",
		"lint --only=x -q a":         "-q lint --only=x -- a",
		"key new -o k -C d":          "-C d key new -o k --",
		"help lint":                  "help: check cards",
		"lint --only x a -h":         "help: check cards",
		"--help":                     "help: cardwright – ",
		"lint --help --onyl":         `! unknown flag "--onyl"`,
		"lint -- --only":             "lint -- --only",
		"lint -":                     "lint -- -",
		"lint --only":                "! flag --only needs a value",
		"lint --only -q":             "! flag --only needs a value, but -q is a flag",
		"lint --only --other":        "lint --only --other --",
		"lint --onyl x":              `! unknown flag "--onyl"`,
		"lnt a":                      `! unknown command "lnt"`,
		"-q a lint":                  `! unknown command "a"`,
		"key new --only x":           `! unknown flag "--only"`,
		"--chdir dir lint -C=d file": "--chdir dir -C=d lint -- file",
	} {
		args, help, err := arrange(program(), strings.Fields(line))
		got := strings.Join(args, " ")
		switch {
		case err != nil:
			got = "! " + err.Error()
		case help != "":
			got, _, _ = strings.Cut("help: "+help, "\n")
		}
		if got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

func TestComplete(t *testing.T) {
	values := vocabulary{
		Arguments: func(string) []candidate { return nil },
		Flag: func(flag string, given map[string]string) []candidate {
			return plain([]string{flag, given["chdir"]})
		},
	}
	for line, want := range map[string]string{
		"=":                         "lint key",
		"=k":                        "key",
		"key =":                     "new",
		"key new =--o":              "--out",
		"lint =--":                  "--only --quiet --chdir --help",
		"--chdir d lint --only =":   "only d",
		"lint --only=":              "--only=only",
		"lint =--only=o":            "--only=only",
		"lint --only = =":           "only",
		"lint file =":               "",
		"lint --unknown lint -q =-": "--only --quiet --chdir --help",
	} {
		var got []string
		for _, word := range complete(program(), strings.Fields(line), values).Found {
			got = append(got, word.Text)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
}
