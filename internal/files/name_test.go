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
	for name := range strings.SplitSeq("con CON Nul.md aux.agent.json conin$ ConOut$.x com1 COM9.json lpt³ com¹.x", " ") {
		if !Device(name) {
			t.Errorf("%q is no device", name)
		}
	}
	for name := range strings.SplitSeq("console null com com0 com10 lpt lpt1x a.con .nul icon", " ") {
		if Device(name) {
			t.Errorf("%q is a device", name)
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
