package report

import (
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Prüft 差分 👍", "Prüft 差分 👍"},
		{"tab", "a\tb", "a\tb"},
		{"line ends", "a\nb\r\n", `a\nb\r\n`},
		{"escape sequence", "\x1b[31mred\x1b[0m", `\u001b[31mred\u001b[0m`},
		{"C1 and DEL", "a\u009bb\x7f", `a\u009bb\u007f`},
		{"bidirectional", "user\u202e\u2066", `user\u202e\u2066`},
		{"zero width", "a\u200bb\ufeff\u2060", `a\u200bb\ufeff\u2060`},
		{"tags", "a\U000e0041", `a\U000e0041`},
		{"variation selectors", "a\ufe0f\U000e0100", `a\ufe0f\U000e0100`},
		{"blank letters", "a\u3164\u115f\u034f", `a\u3164\u115f\u034f`},
		{"line separators", "a\u2028b\u2029", `a\u2028b\u2029`},
		{"invalid UTF-8", "a\xffb", `a\ufffdb`},
		{"combining marks stay", "e\u0301", "e\u0301"},

		{"command", "::error::x", `\u003a:error::x`},
		{
			"command behind white space", " \t\u00a0\u2003::set-output name=a::b",
			" \t\u00a0\u2003" + `\u003a:set-output name=a::b`,
		},
		{"colons inside", "std::string, fe80::1", "std::string, fe80::1"},
		{"old command", "x ##[add-mask]y", `x ##\u005badd-mask]y`},
		{"old command behind hashes", "###[error]", `###\u005berror]`},
		{"heading", "## [x]", "## [x]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Escape(tt.in); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// What is printed shows all and commands nothing.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{
		"", "a", "\u200b::error::", "##\u200b[error]", "#\x1b##[x", "\xff::notice::",
		" ::echo::on\r::debug::",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Escape(s)
		if strings.ContainsFunc(got, hidden) {
			t.Errorf("%q becomes %q", s, got)
		}
		if c, ok := runnerCommand(got); ok {
			t.Errorf("%q becomes %q, the command %q", s, got, c.name)
		}
		if Escape(got) != got {
			t.Errorf("%q becomes %q becomes %q", s, got, Escape(got))
		}
	})
}
