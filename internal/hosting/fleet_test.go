//go:build unix

package hosting_test

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/tree"
)

// With 300 agents, the first, one in the middle and the last get what a single one gets.
func TestFleet(t *testing.T) {
	t.Parallel()
	dirs := many(fixture.Rounds(30, 300))
	files := hostingtest.Tree(dirs, 'a')
	asked := func(file string) bool {
		agent, _, _ := strings.Cut(file, "/")
		return slices.Contains([]string{dirs[0], dirs[len(dirs)/2], dirs[len(dirs)-1]}, agent)
	}
	for name, r := range servers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := files
			if r.target == "lighttpd" {
				files = slices.DeleteFunc(slices.Clone(files), func(f tree.File) bool { // of cards only it can have so many
					return !strings.HasPrefix(path.Base(f.Path), "agent")
				})
			}
			binary, err := exec.LookPath(r.binary)
			if err != nil {
				t.Skipf("%s is not installed", r.binary)
			}
			s := newSite(t, "path", []string{""})
			table := r.write(t, s, files)
			few := slices.DeleteFunc(slices.Clone(files), func(f tree.File) bool { return !asked(f.Path) })
			hostingtest.Write(t, s.tree(), few)
			r.start(t, binary, s)
			some := slices.Clone(table.Sites)
			some[0].Entries = slices.DeleteFunc(slices.Clone(some[0].Entries), func(e hosting.Entry) bool {
				return !asked(strings.TrimPrefix(e.Path, "/"))
			})
			table.Sites = some
			hostingtest.Response(t, hostingtest.Server(s.addr), table, files)
			hostingtest.Response(t, hostingtest.Server("https://"+s.tls), table, files)
		})
	}
}
