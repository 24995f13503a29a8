package diag

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
		{"beginning", "Desc", "description"},
		{"beginning of two", "ver", ""},
		{"beginning too short", "de", ""},
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

// The cells that are left out never matter.
func FuzzNearest(f *testing.F) {
	f.Add("version", "vresoin")
	f.Add("abc", "cab")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := []rune(a), []rune(b)
		if len(x) > longestWord || len(y) > longestWord {
			t.Skip()
		}
		if got, want := distance(x, y), min(far, whole(x, y)); got != want {
			t.Errorf("distance(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}

// whole is the distance by its definition.
func whole(a, b []rune) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		for j := range table[i] {
			switch {
			case i == 0:
				table[i][j] = j
				continue
			case j == 0:
				table[i][j] = i
				continue
			}
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			table[i][j] = min(table[i-1][j-1]+cost, table[i-1][j]+1, table[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				table[i][j] = min(table[i][j], table[i-2][j-2]+1)
			}
		}
	}
	return table[len(a)][len(b)]
}
