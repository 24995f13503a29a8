package publish

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/site"
)

// agentFiles returns the card of an agent and its legacy copy, in path layout.
func agentFiles(id, text string) []site.File {
	data := []byte("{\n  \"name\": \"" + id + "\",\n  \"description\": \"" + text + "\"\n}\n")
	var files []site.File
	for _, name := range []string{"agent-card.json", "agent.json"} {
		files = append(files, site.File{
			Path: path.Join(id, ".well-known", name), Data: data, Agent: id,
			URL: "https://agents.acme.example/" + id + "/.well-known/" + name, Sidecars: true,
		})
	}
	return files
}

// textFile returns a file of the whole tree, without sidecars.
func textFile(p, text string) site.File {
	return site.File{Path: p, Data: []byte(text)}
}

// project returns the files of several agents, given as id and text in turn.
func project(idsAndTexts ...string) []site.File {
	var files []site.File
	for i := 0; i < len(idsAndTexts); i += 2 {
		files = append(files, agentFiles(idsAndTexts[i], idsAndTexts[i+1])...)
	}
	return files
}

// contents returns what a tree looks like in a [snapshot].
func contents(files []site.File) map[string]string {
	want := map[string]string{}
	for _, f := range Tree(files, "") {
		want[f.Path] = string(f.Data)
		for dir := path.Dir(f.Path); dir != "."; dir = path.Dir(dir) {
			want[dir] = "(directory)"
		}
	}
	return want
}

// with returns m and the entries of more.
func with(m, more map[string]string) map[string]string {
	all := maps.Clone(m)
	maps.Copy(all, more)
	return all
}

// snapshot returns everything below dir: the content of each file, the target
// of each link.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	walk(t, dir, func(p, name string, info fs.FileInfo) {
		switch mode := info.Mode(); {
		case mode.IsDir():
			found[name] = "(directory)"
		case mode&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			must(t, err)
			found[name] = "(link to " + target + ")"
		case mode.IsRegular():
			data, err := os.ReadFile(p)
			must(t, err)
			found[name] = string(data)
		default:
			found[name] = "(" + mode.Type().String() + ")"
		}
	})
	return found
}

// times returns when each file and directory in dir was last changed.
func times(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	found := map[string]time.Time{}
	walk(t, dir, func(_, name string, info fs.FileInfo) { found[name] = info.ModTime() })
	return found
}

func walk(t *testing.T, dir string, visit func(p, name string, info fs.FileInfo)) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, p)
		if name != "." {
			visit(p, filepath.ToSlash(name), info)
		}
		return err
	}))
}

// age sets back every modification time in dir, so that a change shows.
func age(t *testing.T, dir string) {
	t.Helper()
	long := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	must(t, os.Chtimes(dir, long, long))
	walk(t, dir, func(p, _ string, info fs.FileInfo) {
		if info.Mode()&fs.ModeSymlink == 0 {
			must(t, os.Chtimes(p, long, long))
		}
	})
}

// put writes a file as another program would.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(p), 0o755))
	must(t, os.WriteFile(p, []byte(text), 0o644))
}

// at is a directory as the command line names it.
func at(tb testing.TB, dir string) *files.Dir {
	tb.Helper()
	d, err := files.Checkout{}.Output(dir, files.Typed)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = d.Close() })
	return d
}

// writeTree begins an update of one directory and carries it out.
func writeTree(ctx context.Context, dir *files.Dir, files []site.File, o Options) (Report, diag.List, error) {
	u, found := Begin(dir, files, o)
	if u == nil {
		return nil, found, nil
	}
	return u.Write(ctx)
}

// publish writes a tree that nothing blocks.
func publish(t *testing.T, dir string, files []site.File, o Options) Report {
	t.Helper()
	report, found, err := writeTree(t.Context(), at(t, dir), files, o)
	must(t, err)
	if found != nil {
		t.Fatalf("findings: %v", found)
	}
	return report
}

// refuse expects Write to stop with findings, and to leave everything alone.
func refuse(t *testing.T, dir string, files []site.File, o Options) diag.List {
	t.Helper()
	age(t, dir)
	before, when := snapshot(t, dir), times(t, dir)
	report, found, err := writeTree(t.Context(), at(t, dir), files, o)
	must(t, err)
	if report != nil || found.Worst() != diag.Error {
		t.Fatalf("report %v, findings %v; want a refusal", report, found)
	}
	equal(t, before, snapshot(t, dir))
	equal(t, when, times(t, dir))
	return found
}

// rulesOf returns the rule and file of each finding.
func rulesOf(found diag.List, dir string) []string {
	var list []string
	for _, d := range found {
		file, err := filepath.Rel(dir, filepath.FromSlash(d.Span.File))
		if err != nil {
			file = d.Span.File
		}
		list = append(list, d.Rule.String()+" "+filepath.ToSlash(file))
	}
	return list
}

func equal[T any](t *testing.T, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(site.File{})); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
