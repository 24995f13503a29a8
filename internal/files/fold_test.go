package files

import "testing"

func TestFold(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"PDF", "pdf", true},
		{"Café", "CAFE\u0301", true},
		{"Straße", "STRASSE", true},
		{"ΟΔΟΣ", "οδος", true},
		{"a", "á", false},
	}
	for _, tt := range tests {
		t.Run(tt.a, func(t *testing.T) {
			if got := Fold(tt.a) == Fold(tt.b); got != tt.same {
				t.Errorf("Fold(%q) = %q, Fold(%q) = %q", tt.a, Fold(tt.a), tt.b, Fold(tt.b))
			}
		})
	}
}
