package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/discovery"
	"cardwright/internal/hosting"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/sign"
	"cardwright/schema"
)

func (a *app) completionCommand() *ucli.Command {
	return page("completion", nil, func(_ context.Context, args []string) error {
		if len(args) != 1 {
			return usageError("one of "+strings.Join(ShellNames(), ", "), "completion needs a shell")
		}
		name := args[0]
		i := slices.IndexFunc(Shells(), func(s Shell) bool { return s.Name == name })
		if i < 0 {
			return unknown("shell", name, "one of ", ShellNames())
		}
		_, err := fmt.Fprint(a.Out, Shells()[i].Script)
		return err
	})
}

// argumentValues are the arguments of a command, none where it takes any.
func argumentValues(path string) []string {
	switch path {
	case "completion":
		return ShellNames()
	case "rules":
		words := diag.RuleIDs()
		for _, r := range diff.Rules() {
			words = append(words, r.ID)
		}
		return words
	case "export":
		return discovery.RegistryNames()
	case "schema":
		return schema.Documents()
	}
	return nil
}

// flagValues are the values of a flag, none where it takes any.
func flagValues(path, flag string, given map[string]string) []string {
	switch flag {
	case "format":
		switch path {
		case "diff":
			return report.ComparisonFormats()
		case "probe":
			return append(slices.Clone(report.Formats()), "markdown")
		case "contract":
			return append(slices.Clone(report.Formats()), "markdown", "junit")
		}
		return report.Formats()
	case "fail-on":
		if path == "diff" {
			return []string{diff.Breaking.String(), diff.Additive.String(), diff.Cosmetic.String()}
		}
		return []string{diag.Error.String(), diag.Warning.String(), diag.Info.String()}
	case "color":
		return colorModes()
	case "protocol", "to":
		return schema.Protocols()
	case "server":
		return hosting.Targets()
	case "target":
		return discovery.RegistryNames()
	case "only", "skip":
		return diag.RuleIDs()
	case "alg":
		return sign.AlgorithmNames()
	case "agent", "env":
		return configuredNames(flag == "env", given)
	}
	return nil
}

// configuredNames are the ids of the agents or the names of the environments of the
// configuration, none where it cannot be read.
func configuredNames(environments bool, given map[string]string) []string {
	a := &app{configFile: given["config"], console: console{Quiet: true}}
	if dir := cmp.Or(given["chdir"], given["C"]); dir != "" && a.chdir(dir) != nil {
		return nil
	}
	p, err := a.openProject()
	if err != nil {
		return nil
	}
	defer p.Close()
	agents, names := project.Names(p)
	if environments {
		return names
	}
	return agents
}
