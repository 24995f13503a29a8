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
