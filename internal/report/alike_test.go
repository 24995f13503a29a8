package report

import "testing"

// The code points are those of the name that a text imitates, not of its neighbour.
func TestAlike(t *testing.T) {
	tests := []struct {
		name, text, want string
		others           []string
	}{
		{"the name that it imitates", "\u0412at", " (U+0042 → U+0412)", []string{"aat", "Bat", "cat"}},
		{"by its letter", "\u0410at", " (U+0041 → U+0410)", []string{"Bat", "Aat"}},
		{"what shows nothing", "ba\u3164t", " (nothing → U+3164)", []string{"bat"}},
		{"nothing alike", "boat", "", []string{"bat", "Bat"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var n names
			for _, other := range tt.others {
				n.add(other)
			}
			if got := alikeIn(n, tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
