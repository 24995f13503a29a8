package publish

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/site"
)

func TestWriteCreates(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site", "dist")
	files := append(project("review", "one"), textFile("index.html", "hello\n"))
	report := publish(t, dir, files, Options{})
	equal(t, contents(files), snapshot(t, dir))
	equal(t, 8, report.Count(Created))
	equal(t, 8, len(report))
	equal(t, Result{Path: "cardwright.manifest.json", State: Created}, report[0])
}

// Only their owner reads private files and directories, whatever was there.
func TestWritePrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "private")
	for _, text := range []string{"one", "two"} {
		publish(t, dir, project("review", text), Options{Private: true})
		walk(t, dir, func(p, name string, info os.FileInfo) {
			if info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has the mode %v", name, info.Mode())
			}
			if !info.IsDir() && name != site.ManifestName {
				must(t, os.Chmod(p, 0o644))
			}
		})
	}
}

func TestWriteLeavesEqualFilesAlone(t *testing.T) {
	dir := t.TempDir()
	files := project("review", "one", "billing", "two")
	publish(t, dir, files, Options{})
	age(t, dir)
	before := times(t, dir)
	report := publish(t, dir, files, Options{})
	equal(t, before, times(t, dir))
	equal(t, len(report), report.Count(Unchanged))
}

func TestWriteUpdatesOnlyWhatChanged(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, project("review", "one", "billing", "two"), Options{})
	age(t, dir)
	before := times(t, dir)
	files := project("review", "another", "billing", "two")
	report := publish(t, dir, files, Options{})
	equal(t, contents(files), snapshot(t, dir))
	equal(t, 6, report.Count(Updated)) // card, legacy copy, their sidecars
	equal(t, 7, report.Count(Unchanged))
	after := times(t, dir)
	for _, f := range Tree(project("billing", "two"), "") {
		if f.Path != site.ManifestName {
			equal(t, before[f.Path], after[f.Path])
		}
	}
}

func TestWriteKeepsEditedStaleFiles(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, project("review", "one", "billing", "two"), Options{})
	put(t, dir, "billing/.well-known/agent-card.json", "mine")
	before := snapshot(t, dir)
	left := project("review", "one")

	_, found, err := writeTree(t.Context(), at(t, dir), left, Options{})
	must(t, err)
	const card = "billing/.well-known/agent-card.json"
	equal(t, []string{"output-edited " + card, "output-edited " + card + ".etag", "output-edited " + card + ".sha256"},
		rulesOf(found, dir))
	equal(t, diag.Warning, found.Worst())
	want := with(contents(left), map[string]string{
		"billing": "(directory)", "billing/.well-known": "(directory)", card: "mine",
		card + ".etag": before[card+".etag"], card + ".sha256": before[card+".sha256"],
	})
	equal(t, want, snapshot(t, dir))

	publish(t, dir, left, Options{}) // it is reported once, and left alone from then on
	equal(t, want, snapshot(t, dir))
}

func TestWriteRefusesForeignFiles(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "review/.well-known/agent-card.json", "mine")
	put(t, dir, "index.html", "mine too")
	put(t, dir, "index.css", "not in the way")
	files := append(project("review", "one"), textFile("index.html", "hello\n"))
	found := refuse(t, dir, files, Options{})
	equal(t, []string{"output-foreign index.html", "output-foreign review/.well-known/agent-card.json"},
		rulesOf(found, dir))

	report := publish(t, dir, files, Options{Force: true})
	equal(t, with(contents(files), map[string]string{"index.css": "not in the way"}), snapshot(t, dir))
	equal(t, 2, report.Count(Updated))
}

func TestWriteIntoNamedPlaces(t *testing.T) {
	files := project("review", "one")
	top := t.TempDir()
	must(t, os.Mkdir(filepath.Join(top, "real"), 0o755))
	must(t, os.Symlink("real", filepath.Join(top, "dist")))
	publish(t, filepath.Join(top, "dist"), files, Options{})
	equal(t, contents(files), snapshot(t, filepath.Join(top, "real")))
	for _, out := range []string{"file", "file/dist"} {
		dir := t.TempDir()
		put(t, dir, "file", "")
		_, found, err := writeTree(t.Context(), at(t, filepath.Join(dir, out)), files, Options{})
		must(t, err)
		equal(t, []string{"output-path file"}, rulesOf(found, dir))
		equal(t, map[string]string{"file": ""}, snapshot(t, dir))
	}
}

func TestWriteRefusesWhatIsNoFile(t *testing.T) {
	const card = "review/.well-known/agent-card.json"
	files := project("review", "one")
	cardText := string(files[0].Data)
	for name, test := range map[string]struct {
		make func(dir, p string) error
		at   string
		want []string
	}{
		"link to a file outside": {linkTo("../../../outside/file"), card, []string{"output-link " + card}},
		"link to a file inside":  {linkTo("agent.json"), card, []string{"output-link " + card}},
		"link to an equal file":  {linkTo("../../../outside/equal"), card, []string{"output-link " + card}},
		"dangling link":          {linkTo("nowhere"), card, []string{"output-link " + card}},
		"link to a device":       {linkTo("/dev/zero"), card, []string{"output-link " + card}},
		"link at a sidecar": {
			linkTo("../../../outside/file"), card + ".etag",
			[]string{"output-link " + card + ".etag"},
		},
		"link at the manifest": {
			linkTo("../outside/file"), site.ManifestName,
			[]string{"output-link " + site.ManifestName},
		},
		"directory is a link outside": {
			linkTo("../../outside"), "review/.well-known",
			[]string{"output-link review/.well-known"},
		},
		"directory is a link inside": {linkTo("elsewhere"), "review", []string{"output-link review"}},
		"directory": {
			func(_, p string) error { return os.Mkdir(p, 0o755) }, card,
			[]string{"output-path " + card},
		},
		"manifest is a directory": {
			func(_, p string) error { return os.Mkdir(p, 0o755) }, site.ManifestName,
			[]string{"output-path " + site.ManifestName},
		},
		"file where a directory goes": {
			func(_, p string) error { return os.WriteFile(p, nil, 0o644) }, "review",
			[]string{"output-path review"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			put(t, top, "outside/file", "secret")
			put(t, top, "outside/equal", cardText)
			dir := filepath.Join(top, "dist")
			must(t, os.MkdirAll(filepath.Join(dir, "elsewhere", ".well-known"), 0o755))
			p := filepath.Join(dir, filepath.FromSlash(test.at))
			must(t, os.MkdirAll(filepath.Dir(p), 0o755))
			must(t, test.make(dir, p))
			for _, force := range []bool{false, true} {
				equal(t, test.want, rulesOf(refuse(t, dir, files, Options{Force: force}), dir))
			}
			before := snapshot(t, top)
			_, found := Check(at(t, dir), files, Options{})
			equal(t, test.want, rulesOf(found, dir))
			equal(t, before, snapshot(t, top))
		})
	}
}

func linkTo(target string) func(dir, p string) error {
	return func(_, p string) error { return os.Symlink(target, p) }
}

func TestWriteRefusesPaths(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct {
		paths []string
		want  string
	}{
		"outside":          {[]string{"../x"}, "output-path"},
		"git":              {[]string{"a/.GIT/hooks/x"}, "output-path"},
		"the manifest":     {[]string{site.ManifestName}, "output-path"},
		"twice":            {[]string{"a", "a"}, "output-path"},
		"letter case":      {[]string{"Review/x", "review/x"}, "output-path"},
		"normalization":    {[]string{"caf\u00e9", "cafe\u0301"}, "output-path"},
		"full case":        {[]string{"straße", "STRASSE"}, "output-path"},
		"file above":       {[]string{"A", "a/b"}, "output-path"},
		"file further up":  {[]string{"a/b/c", "a"}, "output-path"},
		"manifest as path": {[]string{site.ManifestName + "/a"}, "output-path"},
	} {
		t.Run(name, func(t *testing.T) {
			var files []site.File
			for _, p := range test.paths {
				files = append(files, textFile(p, "x"))
			}
			found := refuse(t, dir, files, Options{Force: true})
			equal(t, []string{test.want}, slices.Compact(ruleIDs(found)))
			_, found = Check(at(t, dir), files, Options{})
			equal(t, []string{test.want}, slices.Compact(ruleIDs(found)))
		})
	}
}

func ruleIDs(found diag.List) []string {
	ids := make([]string, len(found))
	for i, d := range found {
		ids[i] = d.Rule.String()
	}
	return ids
}

func TestWriteInterrupted(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, project("a", "old", "b", "old"), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	files := project("a", "new", "b", "new", "c", "new")
	writes := 0
	var mu sync.Mutex
	_, found, err := writeTree(ctx, at(t, dir), files, Options{fault: func(op, _ string) error {
		mu.Lock()
		defer mu.Unlock()
		if op == "writing" {
			if writes++; writes == 5 {
				cancel()
			}
		}
		return nil
	}})
	if found != nil || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "interrupted: ") {
		t.Fatalf("found %v, error %v", found, err)
	}
	for p := range snapshot(t, dir) {
		if strings.HasPrefix(path.Base(p), ".cardwright-") {
			t.Errorf("%s was left", p)
		}
	}
	publish(t, dir, files, Options{})
	equal(t, contents(files), snapshot(t, dir))
}

// On a file system that ignores case, two spellings are one file, as two hard
// links are on any other.
func TestWriteKnowsItsFilesInAnotherCase(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, []site.File{textFile("Index.html", site.PageMark)}, Options{})
	if err := os.Link(filepath.Join(dir, "Index.html"), filepath.Join(dir, "index.html")); err != nil {
		t.Skip("no hard links here")
	}
	report := publish(t, dir, []site.File{textFile("index.html", "two")}, Options{})
	equal(t, 0, report.Count(Removed))
	equal(t, 2, report.Count(Updated))
}

func TestWriteSweepsTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	files := project("review", "one")
	publish(t, dir, files, Options{})
	put(t, dir, ".cardwright-"+"ABCDEFGHIJKLMNOPQRSTUVWXYZ"+".tmp", "half a ca")
	put(t, dir, ".cardwright-notes.tmp", "mine")
	publish(t, dir, files, Options{})
	equal(t, with(contents(files), map[string]string{".cardwright-notes.tmp": "mine"}), snapshot(t, dir))
}

// The manifest lists the old and the new files before the first change, and what lists
// or describes other files comes after them.
func TestWriteTakesTurns(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, project("b", "one", "old", "one"), Options{})
	var steps []string
	files := append(project("b", "one", "a", "two"),
		site.File{Path: ".htaccess", Data: []byte("# tags\n"), Turn: site.ServerTurn},
		site.File{Path: ".well-known/list.json", Data: []byte("{}\n"), Sidecars: true, Turn: site.IndexTurn})
	var mu sync.Mutex
	o := Options{fault: func(op, p string) error {
		mu.Lock()
		defer mu.Unlock()
		if op == "writing" {
			p = map[bool]string{true: "card", false: p}[strings.HasSuffix(p, ".json") && strings.HasPrefix(p, "a/")]
			p = map[bool]string{true: "sidecar", false: p}[strings.HasPrefix(p, "a/")]
		}
		if strings.HasPrefix(p, "old/") {
			p = "old"
		}
		if step := op + " " + p; op != "creating" && (len(steps) == 0 || steps[len(steps)-1] != step) {
			steps = append(steps, step)
		}
		return nil
	}}
	publish(t, dir, files, o)
	slices.Sort(steps[4:6]) // two sidecars, which are written at the same time
	equal(t, []string{
		"writing " + site.ManifestName, "writing card", "writing sidecar", "writing .well-known/list.json",
		"writing .well-known/list.json.etag", "writing .well-known/list.json.sha256", "writing .htaccess",
		"removing old", "writing " + site.ManifestName,
	}, steps)
}

// Runs that write at the same time leave whole files, and the run after them the tree.
func TestWriteAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			_, found, err := writeTree(t.Context(), at(t, dir), project("a", "1", "b", []string{"1", "2"}[i%2]), Options{})
			if found != nil || err != nil {
				t.Errorf("findings %v, error %v", found, err)
			}
		})
	}
	wg.Wait()
	publish(t, dir, project("a", "1", "b", "1"), Options{})
	equal(t, contents(project("a", "1", "b", "1")), snapshot(t, dir))
}

// Whenever a run ends, no file is half-written, and the next run completes the work,
// also towards another tree.
func TestWriteKilledTwice(t *testing.T) {
	killed := errors.New("killed")
	kill := func(n int) Options {
		var mu sync.Mutex
		return Options{fault: func(_, _ string) error {
			mu.Lock()
			defer mu.Unlock()
			if n--; n < 0 {
				return killed
			}
			return nil
		}}
	}
	first := project("a", "new", "b", "new", "d", "new", "x", "1", "y", "1")
	second := project("a", "newer", "c", "old", "e", "new", "x", "1", "y", "1")
	for n := 0; ; n += fixture.Rounds(3, 1) {
		dir := t.TempDir()
		publish(t, dir, project("a", "old", "b", "old", "c", "old", "x", "1", "y", "1"), Options{})
		_, _, err := writeTree(t.Context(), at(t, dir), first, kill(n))
		_, found, again := writeTree(t.Context(), at(t, dir), second, kill(n))
		if found.Worst() == diag.Error {
			t.Fatalf("after %d changes: %v", n, found)
		}
		publish(t, dir, second, Options{})
		equal(t, contents(second), snapshot(t, dir))
		if err == nil && again == nil {
			return
		}
	}
}
