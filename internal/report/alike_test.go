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

// A word that looks like the one it replaces is shown beside others that changed too.
func TestAlikeWords(t *testing.T) {
	tests := []struct{ name, was, is, want string }{
		{"beside a longer text", "Pays at Paypal.", "Pays each day at P\u0430ypal.", " (U+0061 → U+0430)"},
		{"a ligature", "file it", "\ufb01le it", " (U+0066 U+0069 → U+FB01)"},
		{"an accent of its own", "Caf\u00e9 bar", "Cafe\u0301 inn", " (U+00E9 → U+0065 U+0301)"},
		{"another alphabet", "Reviews code", "\u0427\u0438\u0442\u0430\u0435\u0442 \u043a\u043e\u0434", ""},
		{"another word", "Review", "title\u202e", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := pointsIn(tt.was, tt.is); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
