package report

import (
	"slices"
	"strings"
	"unicode"
)

// command is a workflow command as the runner of GitHub Actions understands it.
type workflowCommand struct {
	name       string
	properties map[string]string
	data       string
}

// runnerCommand reads a line as the runner does (ActionCommand.cs and
// ActionCommandManager.cs of actions/runner): "::name properties::data" behind
// white space, or "##[name properties]data" anywhere. Names in any case.
func runnerCommand(line string) (workflowCommand, bool) {
	if rest, ok := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::"); ok {
		if info, data, ok := strings.Cut(rest, "::"); ok && isCommand(info) {
			name, properties, _ := strings.Cut(info, " ")
			c := workflowCommand{name: name, properties: map[string]string{}}
			for property := range strings.SplitSeq(strings.TrimSpace(properties), ",") {
				if key, value, ok := strings.Cut(property, "="); ok {
					c.properties[key] = unescapeProperty(value)
				}
			}
			c.data = unescapeData(data)
			return c, true
		}
	}
	if _, rest, ok := strings.Cut(line, "##["); ok {
		if info, data, ok := strings.Cut(rest, "]"); ok && isCommand(info) {
			return workflowCommand{name: info, data: data}, true
		}
	}
	return workflowCommand{}, false
}

func isCommand(info string) bool {
	name, _, _ := strings.Cut(info, " ")
	return slices.Contains([]string{
		"set-env", "set-output", "save-state", "add-mask", "add-path", "add-matcher", "remove-matcher",
		"warning", "error", "notice", "debug", "group", "endgroup", "echo", "stop-commands",
	}, strings.ToLower(name))
}

// The runner replaces one escape after the other, the percent sign last.
func unescapeData(s string) string {
	for _, e := range [][2]string{{"%0D", "\r"}, {"%0A", "\n"}, {"%25", "%"}} {
		s = strings.ReplaceAll(s, e[0], e[1])
	}
	return s
}

func unescapeProperty(s string) string {
	for _, e := range [][2]string{{"%0D", "\r"}, {"%0A", "\n"}, {"%3A", ":"}, {"%2C", ","}, {"%25", "%"}} {
		s = strings.ReplaceAll(s, e[0], e[1])
	}
	return s
}

// runnerLines splits output as the runner does, at every kind of line end.
func runnerLines(text string) []string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
