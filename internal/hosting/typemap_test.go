//go:build unix

package hosting_test

import (
	"os/exec"
	"testing"

	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/tree"
)

// As on Debian, files named .var are type maps, which Apache reads to choose another
// file. A file of a skill with this name is sent as it is.
func TestApacheTypeMap(t *testing.T) {
	t.Parallel()
	typeMap := func(config string) string {
		return "LoadModule negotiation_module /usr/lib/apache2/modules/mod_negotiation.so\nAddHandler type-map var\n" + config
	}
	override := htaccess()
	override.operator = func(s site) (string, string) {
		return "apache.conf", typeMap(apacheHosts(s, false, "FileInfo"))
	}
	for name, r := range map[string]real{
		"virtual host": apache(func(s site) string { return typeMap(apacheHosts(s, true, "None")) }),
		"htaccess":     override,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary, err := exec.LookPath(r.binary)
			if err != nil {
				t.Skipf("%s is not installed", r.binary)
			}
			s := newSite(t, "single", []string{""})
			const dir, text = ".well-known/agent-skills/pdf/", "URI: other.txt\nContent-Type: text/plain\n\n"
			r.publish(t, s, []tree.File{
				{Path: ".well-known/agent-card.json", Data: []byte("{}\n"), Sidecars: true},
				{Path: dir + "t.var", Data: []byte(text), Sidecars: true},
				{Path: dir + "other.txt", Data: []byte("another file\n"), Sidecars: true},
			})
			r.start(t, binary, s)
			if got := hostingtest.Server(s.addr).Ask(t, "GET", "", "/"+dir+"t.var"); got.Body != text {
				t.Errorf("%d %q, want the file itself", got.Status, got.Body)
			}
		})
	}
}
