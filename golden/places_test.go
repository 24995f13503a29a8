package golden_test

import (
	"bytes"
	"maps"
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
			project := loaded(t, c.workspace)
			keys := keys(t, project)
			plain, _ := made(project, config.Options{}, keys)
			unchanged := bytes.ToLower(cardBytes(plain)) // as tags are
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
					result, found := made(with, config.Options{}, keys)
					if !bytes.Contains(cardBytes(result), []byte(invisible)) {
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

// loaded is a workspace in memory.
func loaded(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	project := fstest.MapFS{}
	for file, text := range treeOnDisk(t, filepath.Join("..", "testdata", "workspaces", name)) {
		project[file] = &fstest.MapFile{Data: []byte(text)}
	}
	return project
}

// cardBytes returns the bytes of all files of a result, one behind the other.
func cardBytes(result generate.Result) (cards []byte) {
	for _, f := range slices.Concat(result.Public, result.Private) {
		cards = append(cards, f.Data...)
	}
	return cards
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
