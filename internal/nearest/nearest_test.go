package nearest

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"baseUrl", "description", "id", "name", "out", "url", "version", "versions"}
	tests := []struct {
		name, word, want string
	}{
		{"equal", "name", "name"},
		{"letter case", "BASEURL", "baseUrl"},
		{"letter case wins over an edit", "Versions", "versions"},
		{"one left out", "descripton", "description"},
		{"one too many", "nname", "name"},
		{"one replaced", "nsme", "name"},
		{"two swapped", "vresion", "version"},
		{"two edits", "base_urls", "baseUrl"},
		{"first of equals", "version_", "version"},
		{"short word, one edit", "ur", "url"},
		{"short word, too far", "abc", ""},
		{"single letter", "x", ""},
		{"three edits", "descrptns", ""},
		{"unrelated", "transport", ""},
		{"nothing", "", ""},
		{"very long", strings.Repeat("name", 1000), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Nearest(tt.word, known)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("Nearest(%q) = %q, %t, want %q", tt.word, got, ok, tt.want)
			}
		})
	}
}
