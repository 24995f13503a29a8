package docs_test

import (
	"regexp"
	"strings"
	"testing"
)

// The program is the same wherever it is built for somebody.
func TestBuildOptions(t *testing.T) {
	for file, builds := range map[string]int{
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

// The images of a release have bases that nobody can replace.
func TestBasesHaveDigests(t *testing.T) {
	all := strings.Count(read(t, "../.goreleaser.yaml"), "base_image: ")
	exact := regexp.MustCompile(`base_image: \S+@sha256:[0-9a-f]{64}\n`).FindAllString(read(t, "../.goreleaser.yaml"), -1)
	if all == 0 || len(exact) != all {
		t.Errorf("%d of %d bases have a digest", len(exact), all)
	}
}
