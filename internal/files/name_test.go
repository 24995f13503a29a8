package files

import (
	"strings"
	"testing"
)

func TestPathFault(t *testing.T) {
	long := strings.Repeat("a", 255)
	for _, p := range []string{
		"a", ".well-known/agent-card.json", "a b/ü.json", "git/x", ".gitignore", long, "com0", "a.con/x",
		".cardwright-notes.tmp", strings.Repeat("abcd/", 199) + "abcde",
	} {
		if fault := PathFault(p); fault != "" {
			t.Errorf("%q %s", p, fault)
		}
	}
	for _, p := range []string{
		"", ".", "..", "../x", "a/../b", "a//b", "./a", "/etc/passwd", `a\b`, "a\nb", "a\xff", ".git/x", "a/.GIT/hooks/x",
		"C:/x", "C:x", "a/card.json:evil", "//server/share/x", `\\server\x`, "CON/x", "a/NUL.md", "a./x", "a /x",
		"a/*.json", "a?", `a"`, "a|b", "<a", long + "a", strings.Repeat("abcd/", 200) + "a",
		"a/.cardwright-ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp",
	} {
		if PathFault(p) == "" {
			t.Errorf("%q is fine", p)
		}
	}
}

func TestDevice(t *testing.T) {
	for name, want := range map[string]bool{
		"con": true, "CON": true, "Nul.md": true, "aux.agent.json": true, "prn ": true, "prn .txt": true, "conin$": true,
		"ConOut$.x": true, "com1": true, "COM9.json": true, "lpt³": true, "com¹.x": true,
		"": false, "console": false, "null": false, "com": false, "com0": false, "com10": false, "lpt": false, "lpt1x": false,
		"a.con": false, ".nul": false, "icon": false,
	} {
		if got := Device(name); got != want {
			t.Errorf("Device(%q) is %v", name, got)
		}
	}
}

func TestFold(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"PDF", "pdf", true},
		{"Café", "CAFE\u0301", true},
		{"Straße", "STRASSE", true},
		{"ΟΔΟΣ", "οδος", true},
		{"a", "á", false},
	} {
		if got := Fold(tt.a) == Fold(tt.b); got != tt.same {
			t.Errorf("Fold(%q) = %q, Fold(%q) = %q", tt.a, Fold(tt.a), tt.b, Fold(tt.b))
		}
	}
}
