package cli

import "strings"

// CompleteWord is the hidden command that the scripts of all shells ask. Its
// arguments are the words in front of the cursor; the last one is the word that
// is being typed, behind an equals sign, because some shells drop empty words.
const CompleteWord = "__complete"

// Values are the words that can stand in one place of a command line.
type Values struct {
	// Arguments are those of a command, such as "key new".
	Arguments func(path string) []string
	// Flag are the values of a flag of a command. given are the values of the
	// flags in front of it.
	Flag func(path, flag string, given map[string]string) []string
}

// Complete returns what can stand in place of the word that is being typed:
// nothing where any text or file can, which the shell knows better.
func Complete(root *Command, words []string, values Values) []string {
	line := typed{root: root, commands: root.Subcommands, values: values, given: map[string]string{}}
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
	var found []string
	for _, candidate := range line.candidates() {
		if strings.HasPrefix(candidate, partial) {
			found = append(found, prefix+candidate)
		}
	}
	return found
}

// typed is a command line in front of the cursor.
type typed struct {
	root     *Command
	command  *Command   // nil in front of it
	path     string     // of the command: "key new"
	commands []*Command // that can follow
	values   Values
	flag     string // whose value comes next, "" for none
	given    map[string]string
	word     string // that is being typed
}

// read takes in the next word.
func (l *typed) read(word string) {
	switch {
	case l.flag != "" && word == "=": // bash makes a word of it
	case l.flag != "":
		l.given[l.flag] = word
		l.flag = ""
	case strings.HasPrefix(word, "-"):
		name, value, assigned := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch flag, _, _ := l.command.flag(name, l.root); {
		case assigned:
			l.given[name] = value
		case flag.TakesValue:
			l.flag = name
		}
	default:
		if next := find(word, l.commands); next != nil {
			l.command, l.commands = next, next.Subcommands
			l.path = strings.TrimSpace(l.path + " " + next.Name)
		} else {
			l.commands = nil
		}
	}
}

// candidates are the words that can come next.
func (l *typed) candidates() []string {
	if l.flag != "" {
		if l.word == "=" {
			l.word = ""
		}
		return l.values.Flag(l.path, l.flag, l.given)
	}
	words := l.values.Arguments(l.path)
	for _, c := range l.commands {
		words = append(words, c.Name)
	}
	if l.word == "" {
		return words
	}
	for _, f := range allFlags(l.command, l.root) {
		for _, n := range f.Names {
			if len(n) > 1 {
				words = append(words, "--"+n)
			}
		}
	}
	return append(words, "--help")
}
