package golden_test

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/mapping"
)

// textual matches a line that may say something for a card, and composite one
// whose value becomes part of others, which are at fault then.
var (
	textual   = regexp.MustCompile(`^\s*(- )?[\w-]+: .*[\pL\pN.]["']?$`)
	composite = regexp.MustCompile(`^\s*(baseUrl|idp|kid): `)
)

// A fault in any member of any project is reported in the line that it was put
// into: wherever a text gets onto a card, a character that no one sees is put
// behind it, and found there.
func TestPlaces(t *testing.T) {
	const invisible = "\u200b"
	done := map[string]bool{}
	for _, c := range cases(t) {
		if done[c.workspace] || c.workspace == "signed" { // whose members others have, and signing takes its time
			continue
		}
		done[c.workspace] = true
		t.Run(c.workspace, func(t *testing.T) {
			project := loaded(t, filepath.Join("..", "testdata", "workspaces", c.workspace))
			keys := keys(t, project)
			unchanged, _ := made(project, keys)
			unchanged = bytes.ToLower(unchanged) // as tags are
			checked, often := 0, map[string]int{}
			for _, name := range slices.Sorted(maps.Keys(project)) { // the first of equal lines is tried, or three
				file := project[name]
				if ext := filepath.Ext(name); ext != ".yaml" && ext != ".md" {
					continue
				}
				lines := strings.Split(string(file.Data), "\n")
				for i, line := range lines {
					if !textual.MatchString(line) || composite.MatchString(line) {
						continue
					}
					key, _, _ := strings.Cut(strings.TrimLeft(line, "- "), ":")
					if often[key]++; often[key] > fixture.Rounds(1, 3) {
						continue // in other skills and agents it is the same
					}
					at := len(strings.TrimRight(line, `"'`))
					last := line[:at][strings.LastIndexAny(line[:at], ` "'`)+1:]
					if !fixture.Long() && !bytes.Contains(unchanged, []byte(strings.ToLower(last))) {
						continue // it is no text of a card
					}
					changed := slices.Clone(lines)
					changed[i] = line[:at] + invisible + line[at:]
					with := maps.Clone(project)
					with[name] = &fstest.MapFile{Data: []byte(strings.Join(changed, "\n"))}
					cards, found := made(with, keys)
					if !bytes.Contains(cards, []byte(invisible)) {
						continue // it is no text of a card
					}
					checked++
					there := func(d diag.Diagnostic) bool {
						return d.Rule == diag.TextInvisible && d.Span.File == name && d.Span.Line == i+1
					}
					if !slices.ContainsFunc(found, there) {
						t.Errorf("%s:%d: a fault in %q is reported elsewhere: %v", name, i+1, line, places(found))
					}
				}
			}
			if checked == 0 {
				t.Error("no line of the project says anything for a card")
			}
		})
	}
}

// loaded is a project in memory.
func loaded(t *testing.T, dir string) fstest.MapFS {
	t.Helper()
	project := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		project[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return project
}

// made makes the cards of a project that may have faults, and returns their
// bytes, one behind the other.
func made(dir fs.FS, keys *generate.KeyRing) ([]byte, diag.List) {
	data, _ := fs.ReadFile(dir, "cardwright.yaml")
	cfg, found := config.Load(data, config.Options{File: "cardwright.yaml"})
	if cfg == nil || found.Worst() == diag.Error {
		return nil, found
	}
	open := func(path string, _ diag.Span) (mapping.Tree, error) {
		return mapping.Tree{FS: dir, Root: path, Show: func(name string) string { return name }}, nil
	}
	result, more, err := generate.Run(context.Background(),
		generate.Request{Config: cfg, Open: open, Keys: keys, Notes: true})
	if err != nil {
		return nil, found
	}
	var cards []byte
	for _, f := range slices.Concat(result.Public, result.Private) {
		cards = append(cards, f.Data...)
	}
	return cards, append(found, more...)
}

func places(found diag.List) []string {
	var out []string
	for _, d := range found {
		if d.Rule == diag.TextInvisible {
			out = append(out, d.Span.String()+" "+d.Pointer)
		}
	}
	return out
}
