package lint

import "testing"

func TestSigns(t *testing.T) {
	s := newSigns("ignore", "<|")
	for text, want := range map[string]bool{
		"ignore":              true,
		"Now IGNORE it":       true,
		"it ends with <|":     true,
		"Übung: Ignore":       true,
		"":                    false,
		"i":                   false,
		"an ignor":            false,
		"ig nore, < |":        false,
		"\\|, as < in 5 bits": false,
	} {
		if got := s.in(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}
