package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/hosting"
	"cardwright/internal/registry"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
)

// completeWord is the hidden command that the scripts of all shells ask. Its
// arguments are the words in front of the cursor; the last one is the word that
// is being typed, behind an equals sign, because some shells drop empty words.
const completeWord = "__complete"

// shell is a shell and the script that makes it ask.
type shell struct{ name, script string }

func shells() []shell {
	const bash = `_cardwright() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]/#\~/$HOME}" __complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" "=${COMP_WORDS[COMP_CWORD]}" 2>/dev/null))
}
complete -o default -F _cardwright cardwright
`
	return []shell{
		{"bash", bash},
		{"zsh", "#compdef cardwright\nautoload -U +X bashcompinit && bashcompinit\n" + bash},
		{"fish", `complete -c cardwright -a '(cardwright __complete (commandline -opc)[2..-1] "="(commandline -ct; or echo) 2>/dev/null)'
`},
		{"powershell", `Register-ArgumentCompleter -Native -CommandName cardwright -ScriptBlock {
  param($word, $ast, $position)
  $before = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position })
  cardwright __complete @($before | ForEach-Object { $_.ToString() }) "=$word" 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`},
	}
}

func shellNames() []string {
	var names []string
	for _, s := range shells() {
		names = append(names, s.name)
	}
	return names
}

func (a *app) completionCommand() *ucli.Command {
	return &ucli.Command{
		Name:      "completion",
		Usage:     "print a shell completion script",
		UsageText: "cardwright completion " + strings.Join(shellNames(), "|"),
		Description: `Completes commands, flags, their values, and the agents and environments of the
configuration.

Examples:
  cardwright completion bash > /etc/bash_completion.d/cardwright
  cardwright completion zsh > "${fpath[1]}/_cardwright"
  cardwright completion fish > ~/.config/fish/completions/cardwright.fish
  cardwright completion powershell >> $PROFILE`,
		Action: func(c *ucli.Context) error {
			if c.NArg() != 1 {
				return usageError("one of "+strings.Join(shellNames(), ", "), "completion needs one shell")
			}
			name := c.Args().First()
			i := slices.IndexFunc(shells(), func(s shell) bool { return s.name == name })
			if i < 0 {
				return unknown("shell", name, "one of ", shellNames())
			}
			_, err := fmt.Fprint(a.Out, shells()[i].script)
			return err
		},
	}
}

// complete prints what can stand in place of the word that is being typed, a
// line each: nothing where any text or file can, which the shell knows better.
func (a *app) complete(root *ucli.App, words []string) error {
	line := typed{root: root, commands: root.Commands}
	if n := len(words); n > 0 {
		line.word = strings.TrimPrefix(words[n-1], "=")
		for _, word := range words[:n-1] {
			line.read(word)
		}
	}
	prefix, partial := "", line.word
	flag, value, assigned := strings.Cut(line.word, "=")
	if assigned && strings.HasPrefix(flag, "-") {
		line.flag, prefix, partial = strings.TrimLeft(flag, "-"), flag+"=", value
	}
	for _, candidate := range line.candidates() {
		if strings.HasPrefix(candidate, partial) {
			a.print(prefix + candidate)
		}
	}
	return nil
}

// typed is a command line in front of the cursor.
type typed struct {
	root     *ucli.App
	command  *ucli.Command   // nil in front of it
	path     string          // of the command: "key new"
	commands []*ucli.Command // that can follow
	flag     string          // whose value comes next, "" for none
	given    map[string]string
	word     string // that is being typed
}

// read takes in the next word.
func (l *typed) read(word string) {
	switch {
	case l.flag != "" && word == "=": // bash makes a word of it
	case l.flag != "":
		l.give(l.flag, word)
		l.flag = ""
	case strings.HasPrefix(word, "-"):
		name, value, assigned := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch flag, _ := findFlag(name, l.root, l.command); {
		case assigned:
			l.give(name, value)
		case flag != nil && takesValue(flag):
			l.flag = name
		}
	default:
		if next := findCommand(word, l.commands); next != nil {
			l.command, l.commands = next, next.Subcommands
			l.path = strings.TrimSpace(l.path + " " + next.Name)
		} else {
			l.commands = nil
		}
	}
}

func (l *typed) give(flag, value string) {
	if l.given == nil {
		l.given = map[string]string{}
	}
	l.given[flag] = value
}

// candidates are the words that can come next.
func (l *typed) candidates() []string {
	if l.flag != "" {
		if l.word == "=" {
			l.word = ""
		}
		return l.flagValues()
	}
	var words []string
	for _, c := range l.commands {
		words = append(words, c.Name)
	}
	switch l.path {
	case "completion":
		words = shellNames()
	case "rules":
		words = diag.RuleIDs()
		for _, r := range diff.Rules() {
			words = append(words, r.ID)
		}
	case "export":
		words = registry.Names()
	case "schema":
		words = schema.Documents()
	}
	if l.word == "" {
		return words
	}
	flags := l.root.Flags
	if l.command != nil {
		flags = slices.Concat(l.command.Flags, flags)
	}
	for _, f := range flags {
		for _, n := range f.Names() {
			if len(n) > 1 {
				words = append(words, "--"+n)
			}
		}
	}
	return append(words, "--help")
}

// flagValues are the values of the flag, none where it takes any.
func (l *typed) flagValues() []string {
	switch l.flag {
	case "format":
		switch l.path {
		case "diff":
			return diffFormats
		case "probe":
			return append(slices.Clone(formats), "markdown")
		case "contract":
			return append(slices.Clone(formats), "markdown", "junit")
		}
		return formats
	case "fail-on":
		if l.path == "diff" {
			return []string{diff.Breaking.String(), diff.Additive.String(), diff.Cosmetic.String()}
		}
		return []string{diag.Error.String(), diag.Warning.String(), diag.Info.String()}
	case "color":
		return colors
	case "protocol", "to":
		return schema.Protocols()
	case "server":
		return hosting.Targets()
	case "target":
		return registry.Names()
	case "only", "skip":
		return diag.RuleIDs()
	case "alg":
		return algorithms()
	case "agent", "env":
		return l.configured()
	}
	return nil
}

// configured are the ids of the agents or the names of the environments of the
// configuration, none where it cannot be read.
func (l *typed) configured() []string {
	a := &app{configFile: l.given["config"], quiet: true}
	if dir := cmp.Or(l.given["chdir"], l.given["C"]); dir != "" && a.chdir(dir) != nil {
		return nil
	}
	p, err := a.openProject()
	if err != nil || p.Config == "" {
		return nil
	}
	defer p.Close()
	data, err := p.ReadConfig(source.Limits{}.WithDefaults().Source)
	if err != nil {
		return nil
	}
	agents, environments := config.Names(data, config.Options{File: p.Config, Files: p.ConfigFiles()})
	if l.flag == "env" {
		return environments
	}
	return agents
}

func algorithms() []string {
	var names []string
	for _, a := range sign.Algorithms() {
		names = append(names, string(a))
	}
	return names
}
