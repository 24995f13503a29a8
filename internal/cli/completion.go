package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/hosting"
	"cardwright/internal/project"
	"cardwright/schema"
)

func (a *app) completionCommand() *ucli.Command {
	return page("completion", nil, func(_ context.Context, args []string) error {
		if len(args) != 1 {
			return usageError("one of "+strings.Join(shellNames(), ", "), "completion needs a shell")
		}
		name := args[0]
		i := slices.IndexFunc(shells(), func(s shell) bool { return s.Name == name })
		if i < 0 {
			return unknown("shell", name, "one of ", shellNames())
		}
		_, err := fmt.Fprint(a.Out, shells()[i].Script)
		return err
	})
}

// plain are words that say themselves what they mean.
func plain(texts []string) []candidate {
	var words []candidate
	for _, text := range texts {
		words = append(words, candidate{Text: text})
	}
	return words
}

// ruleWords are the rules that findings have.
func ruleWords() []candidate {
	var words []candidate
	for _, r := range diag.Rules() {
		words = append(words, candidate{r.ID, r.Title})
	}
	return words
}

// argumentValues are the arguments of a command, none where it takes any.
func argumentValues(path string) []candidate {
	switch path {
	case "completion":
		return plain(shellNames())
	case "rules":
		words := ruleWords()
		for _, r := range diff.Rules() {
			words = append(words, candidate{r.ID, r.Title})
		}
		return words
	case "schema":
		return plain(schema.Documents())
	}
	return nil
}

// flagValues are the values of a flag, none where it takes any.
func flagValues(flag string, given map[string]string) []candidate {
	switch flag {
	case "color":
		return plain(colorModes())
	case "server":
		return plain(hosting.Targets())
	case "only", "skip":
		return ruleWords()
	case "env":
		return environmentNames(given)
	}
	return nil
}

// environmentNames are the names of the environments that the project has, none where
// it cannot be read.
func environmentNames(given map[string]string) []candidate {
	a := &app{configFile: given["config"], console: console{Quiet: true, Getenv: os.LookupEnv}}
	if dir := cmp.Or(given["chdir"], given["C"]); dir != "" && a.chdir(dir) != nil {
		return nil
	}
	p, err := a.openProject()
	if err != nil {
		return nil
	}
	defer p.Close()
	return plain(project.Environments(p))
}
