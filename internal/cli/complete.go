package cli

import (
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/parallel"
)

// completeWord is the hidden command that the scripts of all shells ask. Its
// arguments are the words in front of the cursor; the last one is the word that
// is being typed, behind an equals sign, because some shells drop empty words.
const completeWord = "__complete"

// completed are what can stand in place of the word that is being typed.
type completed struct {
	// Path is what the shell completes where no word matches: "files", "dirs", or
	// "words" for nothing.
	Path  string
	Found []candidate
}

// candidate is a word, and what it means, "" where it says that itself.
type candidate struct{ Text, About string }

// vocabulary are the words that can stand in one place of a command line.
type vocabulary struct {
	// Arguments are those of a command, such as "key new".
	Arguments func(path string) []candidate
	// Flag are the values of a flag that is no choice. given are the values of the
	// flags in front of it.
	Flag func(flag string, given map[string]string) []candidate
}

// String is how the scripts of the shells read words: what else they complete,
// and a line for each word, with what it means behind a tab.
func (w completed) String() string {
	var b strings.Builder
	b.WriteString(w.Path)
	for _, word := range w.Found {
		b.WriteString("\n" + word.Text + "\t" + word.About)
	}
	return b.String()
}

// complete returns what can stand in place of the word that is being typed.
func complete(root *ucli.Command, words []string, values vocabulary) completed {
	word := ""
	if n := len(words); n > 0 {
		words, word = words[:n-1], strings.TrimPrefix(words[n-1], "=")
	}
	// bash makes words of equals signs
	line := readLine(root, slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "=" }))
	if line.flag != "" && word == "=" {
		word = ""
	}
	prefix, partial := "", word
	flag, value, assigned := strings.Cut(word, "=")
	if assigned && strings.HasPrefix(flag, "-") {
		line.flag, prefix, partial = strings.TrimLeft(flag, "-"), flag+"=", value
	}
	all := line.candidates(word, values)
	found := completed{Path: all.Path}
	for _, word := range all.Found {
		if strings.HasPrefix(word.Text, partial) && safeWord().MatchString(word.Text) {
			found.Found = append(found.Found, candidate{prefix + word.Text, word.About})
		}
	}
	return found
}

// candidates are the words that can stand in place of the next one.
func (l *commandLine) candidates(word string, values vocabulary) completed {
	path := strings.Join(l.path, " ")
	if l.flag != "" {
		given := map[string]string{}
		for _, g := range l.given {
			given[g.name] = g.value
		}
		flag, _, _ := findFlag(l.flag, l.command, l.root)
		if c := choiceOf(flag); c != nil {
			return completed{"words", plain(c.words)}
		}
		w := completed{"words", values.Flag(l.flag, given)}
		if value, _ := valueOf(flag); w.Found == nil {
			w.Path = pathKind(value)
		}
		return w
	}
	w := completed{"words", values.Arguments(path)}
	if w.Found == nil && l.command != nil && len(l.command.Subcommands) == 0 {
		w.Path = pathKind(l.command.UsageText)
	}
	for _, c := range l.commands {
		w.Found = append(w.Found, candidate{c.Name, c.Usage})
	}
	if !strings.HasPrefix(word, "-") {
		return w
	}
	for _, f := range append(allFlags(l.command, l.root), helpFlag()) {
		for _, n := range f.Names() {
			if _, usage := valueOf(f); len(n) > 1 {
				w.Found = append(w.Found, candidate{"--" + n, usage})
			}
		}
	}
	return w
}

// safeWord matches words that mean themselves to every shell: names of branches
// and environments are other people's.
var safeWord = parallel.Regexp(`^[A-Za-z0-9@%_+=:,./-]+$`)

// pathKind says which paths fit where help writes such words.
func pathKind(help string) string {
	switch {
	case help == "DIR":
		return "dirs"
	case pathWord().MatchString(help):
		return "files"
	}
	return "words"
}

// pathWord matches the words of help that stand for a path.
var pathWord = parallel.Regexp(`\b(?:FILE|DIR|SKILLS_DIR|CARD|TREE|OLD)\b`)
