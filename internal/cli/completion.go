package cli

import (
	"fmt"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/nearest"
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
// subcommands.
type completion struct {
	path  string // "" for the program itself, "key new" for a subcommand
	words []string
}

// completions lists what can follow each command. Files are left to the shell.
func completions(root *ucli.App) []completion {
	globals := dashed(root.Flags)
	var all []completion
	var names []string
	for _, c := range root.Commands {
		names = append(names, c.Name)
	}
	all = append(all, completion{"", append(names, globals...)})
	var add func(prefix string, commands []*ucli.Command)
	add = func(prefix string, commands []*ucli.Command) {
		for _, c := range commands {
			words := append(dashed(c.Flags), globals...)
			for _, sub := range c.Subcommands {
				words = append([]string{sub.Name}, words...)
			}
			if c.Name == "completion" {
				words = append(words, shells...)
			}
			all = append(all, completion{prefix + c.Name, words})
			add(prefix+c.Name+" ", c.Subcommands)
		}
	}
	add("", root.Commands)
	return all
}

func dashed(flags []ucli.Flag) []string {
	var out []string
	for _, f := range flags {
		for _, n := range f.Names() {
			if len(n) > 1 {
				out = append(out, "--"+n)
			}
		}
	}
	return append(out, "--help")
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

func bashScript(all []completion) string {
	var b strings.Builder
	b.WriteString(`_cardwright() {
  local word=${COMP_WORDS[COMP_CWORD]} path= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${COMP_WORDS[i]}" in
`)
	for _, c := range all[1:] {
		parent, name := lastWord(c.path)
		fmt.Fprintf(&b, "      %q) path=%q ;;\n", parent+" "+name, c.path)
	}
	b.WriteString("    esac\n  done\n  case \"$path\" in\n")
	for _, c := range all {
		fmt.Fprintf(&b, "    %q) words=%q ;;\n", c.path, strings.Join(c.words, " "))
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
			if long, ok := strings.CutPrefix(w, "--"); ok {
				fmt.Fprintf(&b, "complete -c cardwright -n %q -l %s\n", condition, long)
			} else {
				fmt.Fprintf(&b, "complete -c cardwright -n %q -a %s\n", condition, w)
			}
		}
	}
	return b.String()
}

func powershellScript(all []completion) string {
	var b strings.Builder
	b.WriteString(`Register-ArgumentCompleter -Native -CommandName cardwright -ScriptBlock {
  param($word, $ast, $position)
  $path = ''
  $known = @{
`)
	for _, c := range all {
		quoted := make([]string, len(c.words))
		for i, w := range c.words {
			quoted[i] = "'" + w + "'"
		}
		fmt.Fprintf(&b, "    '%s' = %s\n", c.path, strings.Join(quoted, ", "))
	}
	b.WriteString(`  }
  foreach ($element in $ast.CommandElements | Select-Object -Skip 1) {
    $next = ("$path " + $element.ToString()).Trim()
    if ($known.ContainsKey($next)) { $path = $next }
  }
  $known[$path] | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`)
	return b.String()
}
