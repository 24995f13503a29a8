package docs_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Every command is in the list of docs/usage.md. What its flags mean is in --help.
func TestHelpIsDocumented(t *testing.T) {
	help, err := exec.Command(build(t), "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	usage, _, _ := strings.Cut(read(t, "usage.md"), "\n## ")
	list, _, _ := strings.Cut(string(help), "Global flags:\n")
	names := regexp.MustCompile(`(?m)^  ([a-z]+) {2,}\S`).FindAllStringSubmatch(list, -1)
	if len(names) == 0 {
		t.Error("--help lists no commands")
	}
	for _, m := range names {
		if !strings.Contains(usage, "`"+m[1]+"`") {
			t.Errorf("docs/usage.md does not list the command %s", m[1])
		}
	}
}
