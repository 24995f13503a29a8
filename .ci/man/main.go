// Command man writes a manual page for the program and for each of its commands,
// from what --help prints.
//
//	go run ./.ci/man DIR
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"cardwright/internal/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: man DIR")
		os.Exit(2)
	}
	if err := pages(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// listed is a command with its summary in a list of commands.
var listed = regexp.MustCompile(`(?m)^ {3,5}([a-z][a-z-]*)(?:, h)?  +(\S.*)$`)

// pages writes the page of the program, and those of its commands and theirs.
func pages(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := help()
	if err != nil {
		return err
	}
	if err := write(dir, nil, root); err != nil {
		return err
	}
	all := commands(root)
	if len(all) == 0 {
		return errors.New("cardwright --help lists no commands")
	}
	for _, c := range all {
		text, err := help(c)
		if err != nil {
			return err
		}
		for _, sub := range commands(text) {
			below, err := help(c, sub)
			if err != nil {
				return err
			}
			if err := write(dir, []string{c, sub}, below); err != nil {
				return err
			}
		}
		if err := write(dir, []string{c}, text); err != nil {
			return err
		}
	}
	return nil
}

func help(command ...string) (string, error) {
	var out, said bytes.Buffer
	if code := cli.Run(append(command, "--help"), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &said},
		"devel"); code != 0 {
		return "", fmt.Errorf("%s --help: %s", strings.Join(command, " "), said.String())
	}
	return out.String(), nil
}

// commands are those that a help text lists.
func commands(help string) []string {
	_, list, _ := strings.Cut(help, "\nCOMMANDS:\n")
	list, _, _ = strings.Cut(list, "OPTIONS:\n")
	var names []string
	for _, m := range listed.FindAllStringSubmatch(list, -1) {
		if m[1] != "help" {
			names = append(names, m[1])
		}
	}
	return names
}

func write(dir string, command []string, help string) error {
	name := strings.Join(append([]string{"cardwright"}, command...), "-")
	return os.WriteFile(filepath.Join(dir, name+".1"), page(name, help), 0o644)
}

// exitStatus is how commands end, as docs/usage.md has it.
const exitStatus = `0  done, nothing to report at the chosen level
1  findings, drift or differences at or above the threshold
2  usage, configuration or input that cannot be read
3  cardwright itself could not do its work
128+N  ended by signal N`

// page sets a help text: each line that ends in a colon begins a section, whose lines
// stay as they are.
func page(name, help string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s 1 \"\" cardwright \"cardwright manual\"\n", quote(strings.ToUpper(name)))
	section := ""
	var lines []string
	for line := range strings.Lines(help) {
		line = strings.TrimRight(line, "\n")
		if strings.HasSuffix(line, ":") && !strings.HasPrefix(line, " ") {
			text(&b, section, strings.Join(lines, "\n"))
			section, lines = strings.TrimSuffix(line, ":"), nil
			continue
		}
		lines = append(lines, line)
	}
	text(&b, section, strings.Join(lines, "\n"))
	text(&b, "EXIT STATUS", exitStatus)
	fmt.Fprintf(&b, ".SH SEE ALSO\n.BR cardwright (1)\n")
	return b.Bytes()
}

func text(b *bytes.Buffer, section, body string) {
	if body = strings.Trim(body, "\n"); body == "" {
		return
	}
	fmt.Fprintf(b, ".SH %s\n.nf\n%s\n.fi\n", quote(section), escape(body))
}

// escape keeps characters and the beginnings of lines from meaning something.
func escape(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "–", `\(en`, "…", `...`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, "") + `"` }
