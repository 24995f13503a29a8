package project_test

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/project"
	files "cardwright/internal/tree"
	"cardwright/internal/walk"
)

var update = flag.Bool("update", false, "rewrite what is expected of the shapes")

// Each shape of a repository gives the card that its owner means, without an edit: the
// files below want/ are the configuration, what init says, and the cards.
func TestShapes(t *testing.T) {
	names, err := filepath.Glob("testdata/shapes/*.txtar")
	if err != nil || len(names) < 25 {
		t.Fatalf("%d shapes: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			root := fstest.MapFS{}
			whole := &txtar.Archive{Comment: archive.Comment}
			for _, f := range archive.Files {
				if !strings.HasPrefix(f.Name, "want/") {
					root[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
					whole.Files = append(whole.Files, f)
				}
			}
			whole.Files = append(whole.Files, initAndGenerate(t, root)...)
			got := txtar.Format(whole)
			if *update {
				if err := os.WriteFile(name, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Errorf("%s (-want +got):\n%s", name, d)
			}
		})
	}
}

func initAndGenerate(t *testing.T, root fs.FS) []txtar.File {
	t.Helper()
	s, err := project.NewStarter(context.Background(), root, project.StarterOptions{
		Directory: "harbor-desk", File: "cardwright.yaml",
		Blocked: func(string, []files.File) diag.List { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	cfg, found := config.Load(s.Text, config.Options{File: "cardwright.yaml"})
	open := func(name string, _ diag.Span) (walk.Tree, error) {
		return walk.Tree{FS: root, Root: name, Show: func(file string) string { return file }}, nil
	}
	result, more, err := generate.Run(context.Background(), generate.Request{Config: cfg, Open: open})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range append(found, more...) {
		// Forge describes no tool, and shows those of CrewAI only when it builds.
		forges := d.Span.File == "forge.yaml" && (d.Rule == "skill-description-stopgap" || d.Rule == "source-incomplete")
		if d.Severity > diag.Info && d.Rule != "interface-placeholder" && !forges {
			t.Errorf("%s:%d: %s [%s]", d.Span.File, d.Span.Line, d.Message, d.Rule)
		}
	}
	said := strings.Join(s.Summary(false), "\n") + "\n"
	if strings.Count(said, "\n") > 10 {
		t.Errorf("init prints %d lines", strings.Count(said, "\n"))
	}
	_, text, _ := strings.Cut(string(s.Text), "# baseUrl:")
	_, text, _ = strings.Cut(text, "\n")
	out := []txtar.File{{Name: "want/said", Data: []byte(said)}, {Name: "want/cardwright.yaml", Data: []byte(text)}}
	for _, f := range result.Public {
		if path.Base(f.Path) == "agent-card.json" {
			out = append(out, txtar.File{Name: "want/" + f.Path, Data: f.Data})
		}
	}
	for _, f := range out {
		if strings.Contains(string(f.Data), "TODO") {
			t.Errorf("%s holds TODO", f.Name)
		}
	}
	if len(out) == 2 {
		t.Error(fmt.Sprint("no card: ", more))
	}
	return out
}
