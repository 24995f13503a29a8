package generate

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Nothing that makes cards can reach a network or start a program: no package
// for that is among all those that generate is built from. net/url and
// net/netip are about the text of addresses; neither can open a connection.
func TestNoNetwork(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is missing")
	}
	out, err := exec.Command("go", "list", "-deps", "cardwright/generate").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if !slices.Contains(packages, "cardwright/generate") || !slices.Contains(packages, "net/url") {
		t.Fatalf("this is not what generate is built from: %q", packages)
	}
	pure := []string{"net/url", "net/netip"}
	for _, p := range packages {
		first, _, _ := strings.Cut(p, "/")
		if first == "net" && !slices.Contains(pure, p) ||
			slices.Contains([]string{"crypto/tls", "crypto/x509", "os/exec", "plugin", "C"}, p) {
			t.Errorf("generate is built from %s; find out by what with: "+
				"go list -deps -f '{{.ImportPath}}: {{.Imports}}' cardwright/generate", p)
		}
	}
}
