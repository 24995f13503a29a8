package generate

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Nothing that makes cards speaks HTTP or starts a program: no package for that is among
// those that generate is built from. crypto/x509, which reads keys, needs package net for
// the addresses in certificates; the linter keeps our own code from it.
func TestNoNetwork(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is missing")
	}
	out, err := exec.Command("go", "list", "-deps", "cardwright/generate", "cardwright/internal/convert",
		"cardwright/internal/diff", "cardwright/internal/lint", "cardwright/internal/publish", "cardwright/internal/sign",
		"cardwright/internal/starter").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if !slices.Contains(packages, "cardwright/generate") || !slices.Contains(packages, "net/url") {
		t.Fatalf("this is not what generate is built from: %q", packages)
	}
	pure := []string{"net", "net/url", "net/netip"}
	for _, p := range packages {
		first, _, _ := strings.Cut(p, "/")
		if first == "net" && !slices.Contains(pure, p) ||
			slices.Contains([]string{"crypto/tls", "os/exec", "plugin", "C"}, p) {
			t.Errorf("generate is built from %s; find out by what with: "+
				"go list -deps -f '{{.ImportPath}}: {{.Imports}}' cardwright/generate", p)
		}
	}
}
