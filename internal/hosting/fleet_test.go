//go:build unix

package hosting_test

import (
	"fmt"
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

// With 300 agents, the first, one in the middle and the last get what a single one
// gets. A server that cannot have so many says so before anything is written.
func TestFleet(t *testing.T) {
	t.Parallel()
	table, _ := hosting.NewTable(hostingtest.Tree(many(300), 'a'), hosting.Settings{})
	if _, found := hosting.Render([]string{"lighttpd"}, table); len(found) != 1 || found[0].Rule != "hosting-limit" {
		t.Errorf("findings %v, want hosting-limit", found)
	}
	dirs := many(fixture.Rounds(30, 300))
	files := hostingtest.Tree(dirs, 'a')
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
			table := r.publish(t, s, files)
			r.start(t, binary, s)
			some := slices.Clone(table.Sites)
			some[0].Entries = slices.DeleteFunc(slices.Clone(some[0].Entries), func(e hosting.Entry) bool {
				agent, _, _ := strings.Cut(strings.TrimPrefix(e.Path, "/"), "/")
				return !slices.Contains([]string{dirs[0], dirs[len(dirs)/2], dirs[len(dirs)-1]}, agent)
			})
			table.Sites = some
			hostingtest.Response(t, hostingtest.Server(s.addr), table, files)
			hostingtest.Response(t, hostingtest.Server("https://"+s.tls), table, files)
		})
	}
}

// many are the directories of so many agents.
func many(n int) []string {
	dirs := make([]string, n)
	for i := range dirs {
		dirs[i] = fmt.Sprintf("agent-%d", i)
	}
	return dirs
}
