package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diff"
	"cardwright/internal/hosting"
	"cardwright/internal/nearest"
	"cardwright/schema"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func (a *app) completionCommand() *ucli.Command {
	return &ucli.Command{
		Name:      "completion",
		Usage:     "print a shell completion script",
		UsageText: "cardwright completion bash|zsh|fish|powershell",
		Description: `Examples:
  cardwright completion bash > /etc/bash_completion.d/cardwright
  cardwright completion zsh > "${fpath[1]}/_cardwright"
  cardwright completion fish > ~/.config/fish/completions/cardwright.fish
  cardwright completion powershell >> $PROFILE`,
		Action: func(c *ucli.Context) error {
			if c.NArg() != 1 {
				return usageError("one of "+strings.Join(shells, ", "), "completion needs one shell")
			}
			script := completionScript(c.Args().First(), completions(c.App))
			if script == "" {
				hint := "one of " + strings.Join(shells, ", ")
				if n, ok := nearest.Nearest(c.Args().First(), shells); ok {
					hint = "did you mean " + n + "?"
				}
				return usageError(hint, "unknown shell %q", c.Args().First())
			}
			_, err := fmt.Fprint(a.Out, script)
			return err
		},
	}
}

// completion is what can follow a command: flags, and words where it has
// subcommands or its arguments are known.
type completion struct {
	path   string // "" for the program itself, "key new" for a subcommand
	words  []string
	values map[string][]string // that a flag takes, none where it takes any
}

// completions lists what can follow each command. Files are left to the shell.
func completions(root *ucli.App) []completion {
	names := func(commands []*ucli.Command) []string {
		var list []string
		for _, c := range commands {
			list = append(list, c.Name)
		}
		return list
	}
	all := []completion{follow("", names(root.Commands), root.Flags)}
	var add func(prefix string, commands []*ucli.Command)
	add = func(prefix string, commands []*ucli.Command) {
		for _, c := range commands {
			words := names(c.Subcommands)
			switch c.Name {
			case "completion":
				words = shells
			case "rules":
				words = append(ruleIDs(), differenceIDs()...)
			case "schema":
				words = schema.Documents()
			}
			all = append(all, follow(prefix+c.Name, words, slices.Concat(c.Flags, root.Flags)))
			add(prefix+c.Name+" ", c.Subcommands)
		}
	}
	add("", root.Commands)
	return all
}

func differenceIDs() []string {
	var ids []string
	for _, r := range diff.Rules() {
		ids = append(ids, r.ID)
	}
	return ids
}

func follow(path string, words []string, flags []ucli.Flag) completion {
	c := completion{path: path, words: slices.Clone(words), values: map[string][]string{}}
	for _, f := range flags {
		_, isSwitch := f.(*ucli.BoolFlag)
		for _, n := range f.Names() {
			if len(n) == 1 {
				continue
			}
			c.words = append(c.words, "--"+n)
			if !isSwitch {
				c.values["--"+n] = flagValues(path, n)
			}
		}
	}
	c.words = append(c.words, "--help")
	return c
}

// flagValues are the values of a flag that takes certain ones only.
func flagValues(command, flag string) []string {
	switch flag {
	case "format":
		switch command {
		case "diff":
			return diffFormats
		case "probe":
			return append(slices.Clone(formats), "markdown")
		}
		return formats
	case "fail-on":
		if command == "diff" {
			return []string{"breaking", "additive", "cosmetic"}
		}
		return []string{"error", "warning", "info"}
	case "color":
		return []string{"auto", "always", "never"}
	case "protocol", "to":
		return []string{"1.0", "0.3", "dual"}
	case "server":
		return hosting.Targets()
	case "only", "skip":
		return ruleIDs()
	case "alg":
		return []string{"ES256", "ES384", "ES512", "EdDSA", "RS256"}
	}
	return nil
}

// completionScript returns the script for a shell, "" for one that is unknown.
func completionScript(shell string, all []completion) string {
	switch shell {
	case "bash":
		return bashScript(all)
	case "zsh":
		return "#compdef cardwright\nautoload -U +X bashcompinit && bashcompinit\n" + bashScript(all)
	case "fish":
		return fishScript(all)
	case "powershell":
		return powershellScript(all)
	}
	return ""
}

// bashScript leaves to the shell what it has no words for: files, above all.
func bashScript(all []completion) string {
	var b strings.Builder
	b.WriteString(`_cardwright() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${COMP_WORDS[i]}" in
`)
	for _, c := range all[1:] {
		parent, name := lastWord(c.path)
		fmt.Fprintf(&b, "      %q) command=%q ;;\n", parent+" "+name, c.path)
	}
	b.WriteString("    esac\n  done\n  case \"$command\" in\n")
	for _, c := range all {
		fmt.Fprintf(&b, "    %q) words=%q ;;\n", c.path, strings.Join(c.words, " "))
	}
	b.WriteString("  esac\n  case \"$command $before\" in\n")
	for _, c := range all {
		for _, flag := range slices.Sorted(maps.Keys(c.values)) {
			fmt.Fprintf(&b, "    %q) words=%q ;;\n", c.path+" "+flag, strings.Join(c.values[flag], " "))
		}
	}
	b.WriteString(`  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _cardwright cardwright
`)
	return b.String()
}

// lastWord splits the last word off a path of commands.
func lastWord(path string) (parent, name string) {
	i := strings.LastIndexByte(path, ' ')
	return path[:max(i, 0)], path[i+1:]
}

func fishScript(all []completion) string {
	var b strings.Builder
	for _, c := range all {
		condition := "__fish_use_subcommand"
		if c.path != "" {
			_, name := lastWord(c.path)
			condition = "__fish_seen_subcommand_from " + name
		}
		for _, w := range c.words {
			long, isFlag := strings.CutPrefix(w, "--")
			values, takesValue := c.values[w]
			switch {
			case !isFlag:
				fmt.Fprintf(&b, "complete -c cardwright -n %q -a %s\n", condition, w)
			case len(values) > 0:
				fmt.Fprintf(&b, "complete -c cardwright -n %q -l %s -x -a %q\n", condition, long, strings.Join(values, " "))
			case takesValue:
				fmt.Fprintf(&b, "complete -c cardwright -n %q -l %s -r\n", condition, long)
			default:
				fmt.Fprintf(&b, "complete -c cardwright -n %q -l %s\n", condition, long)
			}
		}
	}
	return b.String()
}

func powershellScript(all []completion) string {
	var b strings.Builder
	b.WriteString(`Register-ArgumentCompleter -Native -CommandName cardwright -ScriptBlock {
  param($word, $ast, $position)
  $command = ''
  $known = @{
`)
	for _, c := range all {
		fmt.Fprintf(&b, "    '%s' = %s\n", c.path, powershellList(c.words))
		for _, flag := range slices.Sorted(maps.Keys(c.values)) {
			if values := c.values[flag]; len(values) > 0 {
				fmt.Fprintf(&b, "    '%s %s' = %s\n", c.path, flag, powershellList(values))
			}
		}
	}
	b.WriteString(`  }
  $before = ''
  foreach ($element in $ast.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $position) { break }
    $before = $element.ToString()
    $next = ("$command " + $before).Trim()
    if ($before -notlike '-*' -and $known.ContainsKey($next)) { $command = $next }
  }
  $words = $known[$command]
  if ($known.ContainsKey("$command $before")) { $words = $known["$command $before"] }
  $words | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`)
	return b.String()
}

func powershellList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + w + "'"
	}
	return strings.Join(quoted, ", ")
}
