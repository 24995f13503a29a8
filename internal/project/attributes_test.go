package project

import "testing"

// What is there stays as it is, line endings included.
func TestMarkGenerated(t *testing.T) {
	t.Parallel()
	const dist, server = "/dist/** -text linguist-generated", "/dist.server/** -text linguist-generated"
	const shown = "/dist/**/agent-card.json -linguist-generated" // behind the others, because the last match counts
	tests := []struct{ name, text, want string }{
		{"no file", "", dist + "\n" + server + "\n" + shown + "\n"},
		{"no last newline", "*.png binary", "*.png binary\n" + dist + "\n" + server + "\n" + shown + "\n"},
		{"one is there", dist + "\n", dist + "\n" + server + "\n" + shown + "\n"},
		{
			"line endings of Windows", "*.png binary\r\n",
			"*.png binary\r\n" + dist + "\r\n" + server + "\r\n" + shown + "\r\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, changed := MarkGenerated(tt.text, "dist")
			if got != tt.want || !changed {
				t.Errorf("got %q, %t, want %q", got, changed, tt.want)
			}
			if again, changed := MarkGenerated(got, "dist"); again != got || changed {
				t.Errorf("a second time: %q, %t", again, changed)
			}
		})
	}
}
