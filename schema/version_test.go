package schema

import "testing"

func TestParseVersion(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"0.0.0", true},
		{"1.2.3", true},
		{"1.2.3-rc.1", true},
		{"1.2.3-0a.x-y+build.007", true},
		{"99999999999999999999999.0.0", true},
		{"2026.11.0", true},
		{"", false},
		{"1", false},
		{"1.2", false},
		{"v1.2.3", false},
		{"01.2.3", false},
		{"1.2.3-", false},
		{"1.2.3-01", false},
		{"1.2.3+", false},
		{"1.2.3 ", false},
		{"1.2.3\n", false},
		{"²026-11-01", false},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if _, ok := ParseVersion(tt.text); ok != tt.want {
				t.Errorf("a version: %t, want %t", ok, tt.want)
			}
		})
	}
}

// The order follows the example in item 11 of semver.org, and more.
func TestVersionCompare(t *testing.T) {
	rising := []string{
		"0.9.9", "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
		"1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "9.0.0", "10.0.0-rc.1",
		"18446744073709551617.0.0",
	}
	for i, a := range rising {
		for j, b := range rising {
			v, okV := ParseVersion(a)
			w, okW := ParseVersion(b)
			if !okV || !okW {
				t.Fatalf("%s or %s is no version", a, b)
			}
			want := 0
			switch {
			case i < j:
				want = -1
			case i > j:
				want = 1
			}
			if got := v.Compare(w); got != want {
				t.Errorf("%s against %s: got %d, want %d", a, b, got, want)
			}
		}
	}
	build, _ := ParseVersion("1.0.0+a")
	other, _ := ParseVersion("1.0.0+b")
	if build.Compare(other) != 0 {
		t.Error("build metadata counts")
	}
}
