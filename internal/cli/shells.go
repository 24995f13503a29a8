package cli

import _ "embed"

// The scripts ask [CompleteWord] with the words in front of the cursor, and read
// [Words].
var (
	//go:embed shells/cardwright.bash
	bashScript string
	//go:embed shells/cardwright.zsh
	zshScript string
	//go:embed shells/cardwright.fish
	fishScript string
	//go:embed shells/cardwright.ps1
	powershellScript string
)

// Shell is a shell and the script that makes it ask for completions.
type Shell struct{ Name, Script string }

// Shells are the shells that can ask.
func Shells() []Shell {
	return []Shell{
		{"bash", bashScript}, {"zsh", zshScript}, {"fish", fishScript}, {"powershell", powershellScript},
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
