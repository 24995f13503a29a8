package diag

import "testing"

func TestWords(t *testing.T) {
	for _, tt := range [][2]string{
		{Count(0, "card"), "0 cards"},
		{Count(1, "card"), "1 card"},
		{Count(2, "card"), "2 cards"},
		{Enumerate(nil, "and"), ""},
		{Enumerate([]string{"a"}, "and"), "a"},
		{Enumerate([]string{"a", "b"}, "or"), "a or b"},
		{Enumerate([]string{"a", "b", "c"}, "and"), "a, b and c"},
	} {
		if tt[0] != tt[1] {
			t.Errorf("%q, want %q", tt[0], tt[1])
		}
	}
}
