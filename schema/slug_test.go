package schema

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestSlug(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"as it is", "pdf-tools2", "pdf-tools2"},
		{"words", "Invoice Automation", "invoice-automation"},
		{"underscores and runs", "capsule_crm--x", "capsule-crm-x"},
		{"ends", "-- (beta) --", "beta"},
		{"composed", "Cafe\u0301 Menu", "café-menu"},
		{"composed after lower-casing", "I\u0307\u0328", "i\u0328\u0307"},
		{"other scripts", "データ 分析", "データ-分析"},
		{"marks of a letter", "हिन्दी", "हिन्दी"},
		{"mark without a letter", "1\u0301a", "1-a"},
		{"locale-free", "TITLE İ", "title-i"},
		{"final sigma is no special case", "ΟΔΟΣ", "οδοσ"},
		{"dots, slashes", "../etc/v1.2", "etc-v1-2"},
		{"newline and emoji", "a\n🚀 b", "a-b"},
		{"invalid UTF-8", "a\xffb", "a-b"},
		{"nothing left", "!?", ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Slug(tt.in); got != norm.NFC.String(tt.want) {
				t.Errorf("Slug(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzSlug(f *testing.F) {
	for _, s := range []string{"Invoice Automation", "Cafe\u0301", "İ\u0328", "a\xff-", "ǅ", "हिन्दी"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id := Slug(s)
		if again := Slug(id); again != id {
			t.Errorf("Slug(%q) = %q, and of that %q", s, id, again)
		}
		if !utf8.ValidString(id) || !norm.NFC.IsNormalString(id) {
			t.Errorf("Slug(%q) = %q is not NFC", s, id)
		}
		if strings.HasPrefix(id, "-") || strings.HasSuffix(id, "-") || strings.Contains(id, "--") {
			t.Errorf("Slug(%q) = %q has stray hyphens", s, id)
		}
		if Slug(norm.NFD.String(s)) != id {
			t.Errorf("Slug(%q) depends on composition", s)
		}
	})
}
