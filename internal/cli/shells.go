package cli

import _ "embed"

// The scripts ask [completeWord] with the words in front of the cursor, and read
// [completed].
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

// shell is a shell and the script that makes it ask for completions.
type shell struct{ Name, Script string }

// shells are the shells that can ask.
func shells() []shell {
	return []shell{
		{"bash", bashScript}, {"zsh", zshScript}, {"fish", fishScript}, {"powershell", powershellScript},
	}
}

// shellNames are the names of the shells that can ask.
func shellNames() []string {
	var names []string
	for _, s := range shells() {
		names = append(names, s.Name)
	}
	return names
}
