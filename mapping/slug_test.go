package mapping

import (
	"strings"
	"testing"
)

func TestValidID(t *testing.T) {
	tests := []struct {
		id   string
		want bool
	}{
		{"pdf", true},
		{"a-1", true},
		{strings.Repeat("ä", 64), true},
		{strings.Repeat("a", 65), false},
		{"PDF", false},
		{"a--b", false},
		{"-a", false},
		{"a_b", false},
		{"", false},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			if got := validID(tt.id); got != tt.want {
				t.Errorf("got %t", got)
			}
		})
	}
}

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
