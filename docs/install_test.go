package docs_test

import (
	"strings"
	"testing"
)

// The program is the same wherever it is built for someone.
func TestBuildOptions(t *testing.T) {
	for file, builds := range map[string]int{
		"../.goreleaser.yaml":          1,
		"../.github/action/install.sh": 1,
		"../Makefile":                  1,
	} {
		text := read(t, file)
		for _, option := range []string{"-trimpath", "urfave_cli_no_docs", "-s -w"} {
			if got := strings.Count(text, option); got < builds {
				t.Errorf("%s has %s %d times, want %d", file, option, got, builds)
			}
		}
	}
}
