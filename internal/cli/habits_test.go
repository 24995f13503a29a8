package cli

import (
	"errors"
	"strings"
	"testing"

	"cardwright/internal/diag"
)

// What is suggested for the words of other tools exists, and those words do not.
func TestHabits(t *testing.T) {
	root := described(new(app).command())
	for line := range strings.Lines(strings.TrimSpace(commandHabits)) {
		meant, words, _ := strings.Cut(line, ": ")
		if _, help, err := arrange(root, append(strings.Fields(meant), "--help")); err != nil || help == "" {
			t.Errorf("%s is suggested: %v", meant, err)
		}
		for word := range strings.FieldsSeq(words) {
			if find(word, root.Subcommands) != nil {
				t.Errorf("%s is a command", word)
			}
		}
	}
	for line := range strings.Lines(strings.TrimSpace(flagHabits)) {
		meant, words, _ := strings.Cut(line, ": ")
		for flag := range strings.FieldsSeq(meant) {
			name := flagName(flag)
			if _, _, global := findFlag(name, nil, root); !global && flagElsewhere(name, root) == "" {
				t.Errorf("--%s is suggested, and no command has it", flag)
			}
		}
		for word := range strings.FieldsSeq(words) {
			if _, _, global := findFlag(word, nil, root); global && len(word) > 1 {
				t.Errorf("--%s is a flag of every command", word)
			}
		}
	}
}

func TestHints(t *testing.T) {
	root := described(new(app).command())
	for line, want := range map[string]string{
		"publish":               "run cardwright generate, and copy the files to any web server: docs/deploy.md",
		"gen":                   `did you mean "generate"?`,
		"generate --verbose":    `did you mean "--all"?`,
		"generate --json":       `did you mean "--format=json"?`,
		"generate --base":       `did you mean "--base-url"?`,
		"generate --outt x":     `did you mean "--out"?`,
		"generate --port=80":    `did you mean "serve --addr"?`,
		"convert --write":       `did you mean "--in-place"?`,
		"generate -o x":         `did you mean "--out"?`,
		"generate --unheard-of": "see cardwright generate --help",
	} {
		_, _, err := arrange(root, strings.Fields(line))
		if call := (*diag.CallError)(nil); !errors.As(err, &call) || call.Hint != want {
			t.Errorf("%s: %v, want the hint %q", line, err, want)
		}
	}
}
