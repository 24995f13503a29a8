package starter_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"cardwright/internal/cli"
)

var update = flag.Bool("update", false, "rewrite what testdata expects")

// TestShapes runs init and generate with nothing typed in repositories of many shapes.
func TestShapes(t *testing.T) {
	names, err := filepath.Glob("testdata/shapes/*.txtar")
	if err != nil || len(names) < 30 {
		t.Fatal(len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if last := archive.Files[len(archive.Files)-1]; last.Name == "want" {
				want, archive.Files = string(last.Data), archive.Files[:len(archive.Files)-1]
			}
			got := started(t, archive)
			if *update {
				archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Error("(-want +got):\n" + diff)
			}
		})
	}
}

// started returns what init writes and says in a repository, and the cards and the
// findings above info that generate then makes.
func started(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "house-tools")
	for _, f := range archive.Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, report bytes.Buffer
	if code := cli.Run([]string{"-C", dir, "init"}, cli.Streams{Out: &out, Err: &out}, ""); code != 0 {
		t.Fatalf("init: %d\n%s", code, &out)
	}
	if lines := strings.Count(out.String(), "\n"); lines > 10 {
		t.Errorf("init prints %d lines", lines)
	}
	config, err := os.ReadFile(filepath.Join(dir, "cardwright.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&out, "\n%s\n", config)
	_ = filepath.WalkDir(dir, func(name string, _ os.DirEntry, _ error) error {
		if data, err := os.ReadFile(name); err == nil && filepath.Base(name) == ".gitignore" && filepath.Dir(name) != dir {
			fmt.Fprintf(&out, "%s: %s\n", filepath.Base(filepath.Dir(name)), strings.Fields(string(data))[14:])
		}
		return nil
	})
	code := cli.Run([]string{"-C", dir, "generate", "--format", "json"}, cli.Streams{Out: &report, Err: &bytes.Buffer{}},
		"")
	fmt.Fprintf(&out, "generate: %d\n", code)
	findings(t, &out, report.Bytes())
	cards(t, &out, dir)
	return strings.ReplaceAll(out.String(), dir, "DIR")
}

// findings prints those above info but for the missing URL.
func findings(t *testing.T, out *bytes.Buffer, report []byte) {
	t.Helper()
	var r struct {
		Diagnostics []struct{ Rule, Severity, Message, File string }
	}
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		if d.Severity != "info" && d.Rule != "interface-placeholder" {
			fmt.Fprintf(out, "%s: %s: %s\n", d.File, d.Severity, d.Rule)
		}
	}
}

// cards prints what callers see of each card.
func cards(t *testing.T, out *bytes.Buffer, dir string) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*", ".well-known", "agent-card.json"))
	below, _ := filepath.Glob(filepath.Join(dir, "*", "*", ".well-known", "agent-card.json"))
	for _, name := range append(names, below...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var card struct {
			Name, Description, Version, URL string
			Provider                        struct{ Organization, URL string }
			Skills                          []struct{ ID, Name string }
			SupportedInterfaces             []struct{ URL string }
		}
		if err := json.Unmarshal(data, &card); err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, name)
		fmt.Fprintf(out, "%s: %s %s: %s\n  %v %v\n  %v\n", filepath.ToSlash(rel), card.Name, card.Version, card.Description,
			card.Provider, card.SupportedInterfaces, card.Skills)
	}
}
