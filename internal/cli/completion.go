package cli

import (
	"context"
	"embed"
	"fmt"
	"os"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/schema"
)

// scripts are urfave/cli's, by shell: they run the words of the command line with
// --generate-bash-completion behind them, and offer the lines of the answer. Where there
// are none, they complete files.
//
//go:embed shells
var scripts embed.FS

func shellNames() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func completionCommand(a *app) *ucli.Command {
	return page("completion", nil, func(_ context.Context, args []string) error {
		if len(args) != 1 {
			return usageError("one of "+strings.Join(shellNames(), ", "), "completion needs a shell")
		}
		script, err := scripts.ReadFile("shells/" + args[0])
		if err != nil {
			return unknown("shell", args[0], "one of ", shellNames())
		}
		_, err = a.Out.Write(script)
		return err
	})
}

// completes makes a command complete the values of its flags and its arguments; the rest
// is urfave/cli's.
func completes(a *app, cmd *ucli.Command) {
	byDefault := ucli.DefaultCompleteWithFlags(cmd)
	cmd.BashComplete = func(c *ucli.Context) {
		last := previousWord(os.Args)
		values := valueOf(findFlag(last, slices.Concat(cmd.Flags, c.App.Flags))).words
		if values == nil && !strings.HasPrefix(last, "-") {
			values = argumentValues(cmd.Name)
		}
		prefix := ""
		if before, _, assigned := strings.Cut(last, "="); assigned {
			prefix = before + "="
		}
		for _, value := range values {
			fmt.Fprintln(a.Out, prefix+value)
		}
		if values == nil {
			byDefault(c)
		}
	}
}

// previousWord is the word in front of --generate-bash-completion. bash makes words of
// equals signs.
func previousWord(args []string) string {
	words := slices.DeleteFunc(slices.Clone(args), func(w string) bool { return w == "=" })
	if len(words) < 3 || words[len(words)-2] == "" {
		return "x"
	}
	return words[len(words)-2]
}

// argumentValues are the arguments of a command, nil where it takes any.
func argumentValues(command string) (values []string) {
	switch command {
	case "completion":
		return shellNames()
	case "schema":
		return schema.Documents()
	case "rules":
		for _, r := range diag.Rules() {
			values = append(values, r.ID.String())
		}
		for _, r := range diff.Rules() {
			values = append(values, r.ID.String())
		}
	}
	return values
}
