package cli

// Shell is a shell and the script that makes it ask for completions.
type Shell struct{ Name, Script string }

// Shells are the shells that can ask.
func Shells() []Shell {
	const bash = `_cardwright() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]/#\~/$HOME}" __complete ` +
		`"${COMP_WORDS[@]:1:COMP_CWORD-1}" "=${COMP_WORDS[COMP_CWORD]}" 2>/dev/null))
}
complete -o default -F _cardwright cardwright
`
	return []Shell{
		{"bash", bash},
		{"zsh", "#compdef cardwright\nautoload -U +X bashcompinit && bashcompinit\n" + bash},
		{"fish", `complete -c cardwright -a '(cardwright __complete (commandline -opc)[2..-1] ` +
			`"="(commandline -ct; or echo) 2>/dev/null)'
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

// ShellNames are the names of the shells that can ask.
func ShellNames() []string {
	var names []string
	for _, s := range Shells() {
		names = append(names, s.Name)
	}
	return names
}
