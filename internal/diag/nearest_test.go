package diag

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"baseUrl", "description", "id", "name", "out", "url", "version", "versions"}
	for word, want := range map[string]string{
		"name":                       "name",        // equal
		"BASEURL":                    "baseUrl",     // letter case
		"Versions":                   "versions",    // letter case wins over an edit
		"descripton":                 "description", // one left out
		"nname":                      "name",        // one too many
		"nsme":                       "name",        // one replaced
		"vresion":                    "version",     // two swapped
		"base_urls":                  "baseUrl",     // two edits
		"version_":                   "version",     // first of equals
		"ur":                         "url",         // short word, one edit
		"abc":                        "",            // short word, too far
		"x":                          "",            // single letter
		"descrptns":                  "",            // three edits
		"base":                       "baseUrl",     // beginning, and name with two edits
		"Desc":                       "description", // beginning
		"ver":                        "",            // beginning of two
		"de":                         "",            // beginning too short
		"transport":                  "",            // unrelated
		"":                           "",            // nothing
		strings.Repeat("name", 1000): "",            // very long
	} {
		if got, ok := Nearest(word, known); got != want || ok != (want != "") {
			t.Errorf("Nearest(%q) = %q, %t, want %q", word, got, ok, want)
		}
	}
}

// The work for all wrong words of a file is bounded, however many right ones it
// holds.
func TestNearestGivesUp(t *testing.T) {
	known := make([]string, comparisons/2)
	known[0] = "name"
	words := Among(known)
	for i, want := range []string{"name", "name", "", ""} {
		if got, _ := words.Nearest("nname"); got != want {
			t.Errorf("search %d found %q, want %q", i, got, want)
		}
	}
}
