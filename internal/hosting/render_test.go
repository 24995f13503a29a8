package hosting_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/tree"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Every byte of every target in every layout. The servers that read these
// files are run with their like in servers_test.go.
func TestRenderGolden(t *testing.T) {
	got := map[string]string{}
	for layout, dirs := range hostingtest.Layouts() {
		table, _ := hosting.NewTable(hostingtest.Tree(dirs, 'a'), hostingtest.Settings(layout))
		for _, target := range hosting.Targets() {
			outputs, _ := hosting.Render([]string{target}, table)
			for _, o := range outputs {
				where := "servers"
				if o.Root {
					where = "root"
				}
				got[path.Join(layout, target, where, o.Path)] = string(o.Data)
			}
		}
	}
	if *update {
		rewrite(t, "testdata", got)
	}
	want := map[string]string{}
	err := fs.WalkDir(os.DirFS("testdata"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "fuzz/") {
			return err
		}
		data, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
		want[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rendered files (-want +got), go test -update rewrites them:\n%s", diff)
	}
}

func rewrite(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for layout := range hostingtest.Layouts() {
		if err := os.RemoveAll(filepath.Join(dir, layout)); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRenderDoesNotDependOnOrder(t *testing.T) {
	files := hostingtest.Tree(hostingtest.Layouts()["path"], 'a')
	table, _ := hosting.NewTable(files, hosting.Settings{})
	want, _ := hosting.Render(hosting.Targets(), table)

	slices.Reverse(files)
	targets := hosting.Targets()
	slices.Reverse(targets)
	table, _ = hosting.NewTable(files, hosting.Settings{})
	got, _ := hosting.Render(append(targets, targets...), table)
	text := cmp.Transformer("text", func(data []byte) string { return string(data) }) // compared at once
	if diff := cmp.Diff(want, got, text); diff != "" {
		t.Errorf("files in another order (-want +got):\n%s", diff)
	}
}

// A file says whose it is and how it is used in its first three lines; JSON
// has no comments and keeps only the marker.
func TestRenderHead(t *testing.T) {
	for layout, dirs := range hostingtest.Layouts() {
		closed := hostingtest.Settings(layout)
		closed.NoCORS = true
		table, _ := hosting.NewTable(hostingtest.Tree(dirs, 'a'), hostingtest.Settings(layout))
		without, _ := hosting.NewTable(hostingtest.Tree(dirs, 'a'), closed)
		for _, target := range hosting.Targets() {
			outputs, _ := hosting.Render([]string{target}, table)
			more, _ := hosting.Render([]string{target}, without)
			for _, o := range append(outputs, more...) {
				name := layout + " " + target + " " + o.Path
				if !o.File().MayReplace(o.Data) {
					t.Errorf("%s: no marker", name)
				}
				if path.Ext(o.Path) == ".json" {
					continue
				}
				lines := strings.Split(strings.TrimPrefix(string(o.Data), "#!/bin/sh\n"), "\n")
				if path.Ext(o.Path) == ".html" {
					lines = lines[1:] // the document type
				}
				for i, line := range lines[:2] {
					if !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "// ") && !strings.HasPrefix(line, "<!-- ") {
						t.Errorf("%s: line %d is %q, want a comment", name, i+1, line)
					}
				}
				if !strings.Contains(lines[1], "use: ") {
					t.Errorf("%s: the second line does not say how to use it: %q", name, lines[1])
				}
			}
		}
	}
}

// No rule sets the tag on a platform that owns it.
func TestRenderLeavesTheTagToPlatforms(t *testing.T) {
	table, _ := hosting.NewTable(hostingtest.Tree([]string{""}, 'a'), hosting.Settings{})
	for _, target := range []string{"cloudflare", "netlify", "vercel", "firebase", "azure"} {
		outputs, _ := hosting.Render([]string{target}, table)
		for _, o := range outputs {
			for _, form := range []string{"  ETag:", `"ETag"`, `"key": "ETag"`} {
				if bytes.Contains(o.Data, []byte(form)) {
					t.Errorf("%s sets the tag in %s", target, o.Path)
				}
			}
		}
	}
}

func TestRenderFindings(t *testing.T) {
	for name, c := range map[string]struct {
		dirs    []string
		targets []string
		want    []string // rule and severity
	}{
		"nothing to say": {[]string{""}, []string{
			"nginx", "apache", "caddy", "lighttpd", "netlify", "vercel",
			"firebase", "azure",
		}, nil},
		"unknown target":        {[]string{""}, []string{"iis"}, []string{"config-value error"}},
		"one file, two readers": {[]string{""}, []string{"cloudflare", "netlify"}, []string{"hosting-conflict error"}},
		"no headers": {
			[]string{""},
			[]string{"github-pages", "s3", "gcs", "azure-blob"},
			[]string{"hosting-headers info", "hosting-headers info", "hosting-headers info", "hosting-headers info"},
		},
		"too many rules":      {many(60), []string{"cloudflare"}, []string{"hosting-limit error"}},
		"too many conditions": {many(100), []string{"lighttpd"}, []string{"hosting-limit error"}},
		"too many bytes":      {many(60), []string{"azure"}, []string{"hosting-limit error"}},
	} {
		t.Run(name, func(t *testing.T) {
			table, _ := hosting.NewTable(hostingtest.Tree(c.dirs, 'a'), hosting.Settings{})
			_, found := hosting.Render(c.targets, table)
			if diff := cmp.Diff(c.want, rules(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
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

// A host that sends the same headers to everybody is not given several origins.
func TestRenderOrigins(t *testing.T) {
	several := []string{"https://a.example", "https://b.example"}
	for _, target := range hosting.Targets() {
		for _, origins := range [][]string{nil, several[:1], several} {
			table, _ := hosting.NewTable(hostingtest.Tree([]string{""}, 'a'), hosting.Settings{Origins: origins})
			outputs, found := hosting.Render([]string{target}, table)
			refused := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Pointer == "/cors/origins" })
			switch target {
			case "azure", "cloudflare", "firebase", "netlify", "vercel":
				if refused != (len(origins) > 1) {
					t.Errorf("%s, %d origins: %v", target, len(origins), found)
				}
			case "github-pages":
				if refused != (origins != nil) {
					t.Errorf("%s, %d origins: %v", target, len(origins), found)
				}
				continue
			default:
				if refused {
					t.Errorf("%s, %d origins: %v", target, len(origins), found)
				}
			}
			var text string
			for _, o := range outputs {
				text += string(o.Data)
			}
			if strings.Contains(text, hosting.RequestOrigin) {
				t.Errorf("%s, %d origins: writes %s", target, len(origins), hosting.RequestOrigin)
			}
			for _, origin := range origins {
				if !refused && !strings.Contains(strings.ReplaceAll(text, `\`, ""), origin) {
					t.Errorf("%s, %d origins: nothing names %s", target, len(origins), origin)
				}
			}
		}
	}
}

// What fills the limit of a host is what the hint is about.
func TestRenderHintOfSkills(t *testing.T) {
	files := hostingtest.Tree([]string{""}, 'a')
	for i := range 120 {
		files = append(files, card(fmt.Sprintf(".well-known/skills/pdf/a%03d.md", i)))
	}
	table, _ := hosting.NewTable(files, hosting.Settings{})
	for _, target := range []string{"azure", "cloudflare"} {
		_, found := hosting.Render([]string{target}, table)
		if len(found) != 1 || !strings.Contains(found[0].Hint, "paths are files of skills: set agentSkills.legacy to false") {
			t.Errorf("%s: %v", target, found)
		}
	}
}

func rules(found diag.List) []string {
	var list []string
	for _, d := range found {
		list = append(list, d.Rule+" "+d.Severity.String())
	}
	return list
}

// Whatever an id, a host or a setting says, it is refused or stays within the
// place it was given: no target gets a line more than for a harmless one.
func FuzzRender(f *testing.F) {
	f.Add("code-review", "public, max-age=60", "dist", false)
	f.Add("review.acme.example", "no-store", "build/dist", true)
	f.Add("a\"; return 200 pwned; #", "x\nX-Evil: 1", "d\nrm -rf ~", false)
	f.Add("a' }}> {$HOME} $uri %{ENV:PATH}", "max-age=`id`", "$(id)", true)
	f.Add("*", "", ":splat", false)
	f.Add("..", "\x00", "..", true)
	f.Fuzz(func(t *testing.T, id, cacheControl, out string, hosts bool) {
		render := func(id string, s hosting.Settings) ([]hosting.Output, diag.List) {
			s.HostLayout = hosts
			table, found := hosting.NewTable([]tree.File{
				{Path: id + "/.well-known/agent-card.json", Data: []byte("{}")},
				{Path: id + "/.well-known/agent.json", Data: []byte("{}")},
			}, s)
			outputs, _ := hosting.Render(hosting.Targets(), table)
			return outputs, found
		}
		got, found := render(id, hosting.Settings{CacheControl: cacheControl, Out: out})
		if found.Worst() == diag.Error {
			return
		}
		want, _ := render("plain", hosting.Settings{})
		if len(got) != len(want) {
			t.Fatalf("%d files, want %d", len(got), len(want))
		}
		for i := range got {
			if g, w := bytes.Count(got[i].Data, []byte("\n")), bytes.Count(want[i].Data, []byte("\n")); g != w {
				t.Errorf("%s: %d lines, want %d", got[i].Path, g, w)
			}
			control := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
			if bytes.ContainsFunc(got[i].Data, control) || !fs.ValidPath(got[i].Path) {
				t.Errorf("%s: holds what it must not", got[i].Path)
			}
			if path.Ext(got[i].Path) == ".json" && !json.Valid(got[i].Data) {
				t.Errorf("%s: is no JSON", got[i].Path)
			}
		}
	})
}

// Cloudflare Pages lets every origin read everything, unless a rule takes that away.
func TestCloudflareWithoutCORS(t *testing.T) {
	for _, closed := range []bool{false, true} {
		table, _ := hosting.NewTable(hostingtest.Tree([]string{""}, 'a'), hosting.Settings{NoCORS: closed})
		outputs, _ := hosting.Render([]string{"cloudflare"}, table)
		text := string(outputs[0].Data)
		taken, given := strings.Count(text, "  ! Access-Control-Allow-Origin\n"),
			strings.Count(text, "  Access-Control-Allow-Origin: *\n")
		want := len(table.Sites[0].Entries)
		if closed && (taken != want || given != 0) || !closed && (taken != want || given != want) {
			t.Errorf("NoCORS %v: taken away %d times and given %d times, of %d:\n%s", closed, taken, given, want, text)
		}
	}
}

// A function of CloudFront that has become too large is reported, and not before.
func TestCloudFrontTakesNoLargerFunction(t *testing.T) {
	for moved, want := range map[int]int{1: 0, 100: 1} {
		s := hostingtest.Settings("path")
		s.Moved = nil
		for i := range moved {
			s.Moved = append(s.Moved, hosting.Moved{From: fmt.Sprintf("former/%d", i), To: "billing"})
		}
		table, _ := hosting.NewTable(hostingtest.Tree([]string{"billing"}, 'a'), s)
		_, found := hosting.Render([]string{"s3"}, table)
		got := 0
		for _, d := range found {
			if d.Rule == "hosting-limit" {
				got++
			}
		}
		if got != want {
			t.Errorf("%d former directories: %d findings, want %d", moved, got, want)
		}
	}
}
