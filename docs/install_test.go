package docs_test

import (
	"strings"
	"testing"
)

// The program is the same wherever it is built for somebody: performance.md says
// with which options.
func TestBuildOptions(t *testing.T) {
	for file, builds := range map[string]int{
		"performance.md":               1,
		"../.goreleaser.yaml":          2, // archives and packages; images
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
