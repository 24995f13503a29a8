package docs_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	helpCommand = regexp.MustCompile(`(?m)^  ([a-z]+) {2,}\S`)
	helpFlag    = regexp.MustCompile(`(?m)^  (?:-[a-z], )?(--[a-z-]+)`)
)

// Every command stands in the table of docs/usage.md, and every flag on some page.
func TestHelpIsDocumented(t *testing.T) {
	bin := build(t)
	usage := read(t, "usage.md")
	pages, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, page := range pages {
		all.WriteString(read(t, page))
	}
	documented := helpWords(regexp.MustCompile("(--[a-z-]+)"), all.String())

	var check func(command []string)
	check = func(command []string) {
		help, err := exec.Command(bin, append(command, "--help")...).Output()
		if err != nil {
			t.Fatalf("%v --help: %v", command, err)
		}
		for _, flag := range helpWords(helpFlag, string(help)) {
			if !slices.Contains(documented, flag) {
				t.Errorf("no page explains %s of %v", flag, command)
			}
		}
		_, list, _ := strings.Cut(string(help), "Commands:\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for _, name := range helpWords(helpCommand, list) {
			if len(command) == 0 && !strings.Contains(usage, "| [`"+name+"`](") {
				t.Errorf("docs/usage.md does not list the command %s", name)
			}
			check(append(slices.Clip(command), name))
		}
	}
	check(nil)
}

func helpWords(pattern *regexp.Regexp, text string) []string {
	var words []string
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		words = append(words, m[1])
	}
	return words
}
