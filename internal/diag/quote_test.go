package diag

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"short", "pdf", `"pdf"`},
		{"escaped", "a\n\"b\u202e", `"a\n\"b\u202e"`},
		{"longest", strings.Repeat("ä", 60), `"` + strings.Repeat("ä", 60) + `"`},
		{"longer", strings.Repeat("ä", 61), `"` + strings.Repeat("ä", 60) + `…"`},
		{"invalid UTF-8", "a\xff", `"a\xff"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Quote(tt.in); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
