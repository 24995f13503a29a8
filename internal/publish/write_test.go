package publish

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/tree"
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
	equal(t, 7, report.Count(Updated)) // card, legacy copy, their sidecars, manifest
	equal(t, 6, report.Count(Unchanged))
	after := times(t, dir)
	for _, f := range Tree(project("billing", "two"), "") {
		if f.Path != tree.ManifestName {
			equal(t, before[f.Path], after[f.Path])
		}
	}
}

func TestWriteMendsEditedFiles(t *testing.T) {
	dir := t.TempDir()
	files := project("review", "one")
	publish(t, dir, files, Options{})
	put(t, dir, "review/.well-known/agent-card.json", "{}\n")
	must(t, os.Remove(filepath.Join(dir, "review/.well-known/agent.json.etag")))
	report := publish(t, dir, files, Options{})
	equal(t, contents(files), snapshot(t, dir))
	equal(t, 1, report.Count(Updated))
	equal(t, 1, report.Count(Created))
}

func TestWriteRemovesStaleFiles(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, project("review", "one", "billing", "two"), Options{})
	put(t, dir, "billing/notes.txt", "mine")
	publish(t, dir, project("review", "one", "billing", "two", "support", "three"), Options{})
	left := project("review", "one")
	report := publish(t, dir, left, Options{})
	equal(t, with(contents(left), map[string]string{"billing": "(directory)", "billing/notes.txt": "mine"}),
		snapshot(t, dir))
	equal(t, 12, report.Count(Removed))
}

func TestWriteKeepsEditedStaleFiles(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, project("review", "one", "billing", "two"), Options{})
	put(t, dir, "billing/.well-known/agent-card.json", "mine")
	left := project("review", "one")

	_, found, err := Write(t.Context(), at(t, dir), left, Options{})
	must(t, err)
	equal(t, []string{"output-edited billing/.well-known/agent-card.json"}, rulesOf(found, dir))
	equal(t, diag.Warning, found.Worst())
	want := with(contents(left), map[string]string{
		"billing": "(directory)", "billing/.well-known": "(directory)", "billing/.well-known/agent-card.json": "mine",
	})
	equal(t, want, snapshot(t, dir))

	publish(t, dir, left, Options{}) // it is told once, and left alone from then on
	equal(t, want, snapshot(t, dir))
}

func TestWriteAdoptsEqualFiles(t *testing.T) {
	dir := t.TempDir()
	files := project("review", "one")
	publish(t, dir, files, Options{})
	must(t, os.Remove(filepath.Join(dir, tree.ManifestName)))
	report := publish(t, dir, files, Options{})
	equal(t, contents(files), snapshot(t, dir))
	equal(t, 1, report.Count(Created))
	equal(t, 6, report.Count(Unchanged))
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

func TestWriteHeedsMarkers(t *testing.T) {
	const ours = "# written by us\n"
	marked := func(text string) tree.File {
		return tree.File{Path: ".htaccess", Data: []byte(ours + text), Marker: "written by us"}
	}
	for name, earlier := range map[string][]tree.File{
		"not in the manifest": project("review", "one"),
		"in the manifest":     append(project("review", "one"), marked("old")),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			publish(t, dir, earlier, Options{})
			put(t, dir, ".htaccess", "# mine now\n")
			files := append(project("review", "one"), marked("new"))
			equal(t, []string{"output-foreign .htaccess"}, rulesOf(refuse(t, dir, files, Options{}), dir))
			equal(t, []string{"output-foreign .htaccess"}, rulesOf(refuse(t, dir, files, Options{Force: true}), dir))

			put(t, dir, ".htaccess", ours+"edited\n")
			publish(t, dir, files, Options{})
			equal(t, contents(files), snapshot(t, dir))
			publish(t, dir, project("review", "one"), Options{})
			equal(t, contents(project("review", "one")), snapshot(t, dir))
		})
	}
}

// others keeps the files of all agents but one.
func others(one string) func(agent, file string) bool {
	return func(agent, _ string) bool { return agent != one }
}

func TestKept(t *testing.T) {
	dir := t.TempDir()
	some := Options{Keep: others("review")}
	files, found := Kept(at(t, filepath.Join(dir, "none")), some)
	equal(t, nil, files)
	equal(t, nil, found)
	files, found = Kept(at(t, dir), some)
	equal(t, nil, files)
	equal(t, nil, found)

	rest := append(project("billing", "two"), textFile("index.html", "both\n"))
	publish(t, dir, append(project("review", "one"), rest...), Options{})
	files, found = Kept(at(t, dir), some)
	equal(t, nil, found)
	equal(t, rest, files)
	files, _ = Kept(at(t, dir), Options{})
	equal(t, nil, files)

	put(t, dir, "review/.well-known/agent-card.json", "mine")
	put(t, dir, "billing/.well-known/agent.json", "mine")
	_, found = Kept(at(t, dir), some)
	equal(t, []string{"output-changed billing/.well-known/agent.json"}, rulesOf(found, dir))
}

func TestWriteForSomeAgents(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, append(project("review", "one", "billing", "two"), textFile("index.html", "both\n")), Options{})
	publish(t, dir, project("review", "another"), Options{Keep: others("review")})
	all := append(project("review", "another", "billing", "two"), textFile("index.html", "both\n"))
	equal(t, contents(all), snapshot(t, dir))

	equal(t, Drift(nil), drift(t, dir, project("review", "another"), Options{Keep: others("review")}))
	publish(t, dir, nil, Options{Keep: others("billing")})
	equal(t, contents(append(project("review", "another"), textFile("index.html", "both\n"))), snapshot(t, dir))
}

// What the run before knows of the manifest counts as long as it stands there.
func TestWriteAgain(t *testing.T) {
	dir, last := t.TempDir(), &Last{}
	page := textFile("index.html", "both\n")
	some := Options{Keep: others("review"), Last: last}
	publish(t, dir, append(project("review", "one", "billing", "two"), page), Options{Last: last})
	publish(t, dir, project("review", "three"), some)
	publish(t, dir, project("review", "four"), some)
	equal(t, contents(append(project("review", "four", "billing", "two"), page)), snapshot(t, dir))

	publish(t, dir, append(project("review", "four", "billing", "two", "support", "five"), page), Options{})
	publish(t, dir, project("review", "six"), some)
	equal(t, contents(append(project("review", "six", "billing", "two", "support", "five"), page)), snapshot(t, dir))

	put(t, dir, tree.ManifestName, "mine")
	_, found, err := Write(t.Context(), at(t, dir), project("review", "seven"), some)
	must(t, err)
	equal(t, []string{"output-manifest cardwright.manifest.json"}, rulesOf(found, dir))
}

// Where a kept file is published is not for a committed manifest to say.
func TestWriteForSomeAgentsKnowsURLs(t *testing.T) {
	dir := t.TempDir()
	at := func(base string) func(string) string { return func(file string) string { return base + file } }
	files := project("review", "one", "billing", "two")
	for i := range files {
		files[i].URL = at("https://elsewhere.example/")(files[i].Path)
	}
	publish(t, dir, files, Options{})
	publish(t, dir, project("review", "one"), Options{Keep: others("review"), URL: at("https://acme.example/")})
	manifest := snapshot(t, dir)["cardwright.manifest.json"]
	if strings.Contains(manifest, "elsewhere") || !strings.Contains(manifest,
		`"https://acme.example/billing/.well-known/agent-card.json"`) {
		t.Error(manifest)
	}
}

func TestWriteIntoNamedPlaces(t *testing.T) {
	files := project("review", "one")
	t.Run("dot", func(t *testing.T) {
		dir := t.TempDir()
		t.Chdir(dir)
		publish(t, ".", files, Options{})
		equal(t, contents(files), snapshot(t, dir))
	})
	t.Run("link to a directory", func(t *testing.T) {
		dir := t.TempDir()
		must(t, os.Mkdir(filepath.Join(dir, "real"), 0o755))
		must(t, os.Symlink("real", filepath.Join(dir, "dist")))
		publish(t, filepath.Join(dir, "dist"), files, Options{})
		equal(t, contents(files), snapshot(t, filepath.Join(dir, "real")))
	})
	for name, test := range map[string]struct {
		prepare func(t *testing.T, dir string)
		out     string
		want    string
	}{
		"a file": {
			func(t *testing.T, dir string) { t.Helper(); put(t, dir, "dist", "") }, "dist",
			"output-blocked dist",
		},
		"below a file": {
			func(t *testing.T, dir string) { t.Helper(); put(t, dir, "file", "") }, "file/dist",
			"output-blocked file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			test.prepare(t, dir)
			before := snapshot(t, dir)
			_, found, err := Write(t.Context(), at(t, filepath.Join(dir, test.out)), files, Options{})
			must(t, err)
			equal(t, []string{test.want}, rulesOf(found, dir))
			equal(t, before, snapshot(t, dir))
		})
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
			linkTo("../outside/file"), tree.ManifestName,
			[]string{"output-link " + tree.ManifestName},
		},
		"directory is a link outside": {
			linkTo("../../outside"), "review/.well-known",
			[]string{"output-link review/.well-known"},
		},
		"directory is a link inside": {linkTo("elsewhere"), "review", []string{"output-link review"}},
		"directory": {
			func(_, p string) error { return os.Mkdir(p, 0o755) }, card,
			[]string{"output-blocked " + card},
		},
		"manifest is a directory": {
			func(_, p string) error { return os.Mkdir(p, 0o755) }, tree.ManifestName,
			[]string{"output-blocked " + tree.ManifestName},
		},
		"file where a directory goes": {
			func(_, p string) error { return os.WriteFile(p, nil, 0o644) }, "review",
			[]string{"output-blocked review"},
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

func TestWriteKeepsStaleFilesBehindLinks(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "dist")
	publish(t, dir, project("review", "one", "billing", "two"), Options{})
	must(t, os.Rename(filepath.Join(dir, "billing"), filepath.Join(top, "billing")))
	must(t, os.Symlink("../billing", filepath.Join(dir, "billing")))
	outside := snapshot(t, filepath.Join(top, "billing"))

	_, found, err := Write(t.Context(), at(t, dir), project("review", "one"), Options{})
	must(t, err)
	equal(t, 6, found.Count(diag.Warning))
	equal(t, outside, snapshot(t, filepath.Join(top, "billing")))
}

func TestWriteRefusesPaths(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct {
		paths []string
		want  string
	}{
		"outside":          {[]string{"../x"}, "output-path"},
		"absolute":         {[]string{"/etc/passwd"}, "output-path"},
		"backslash":        {[]string{`a\b`}, "output-path"},
		"newline":          {[]string{"a\nb"}, "output-path"},
		"not UTF-8":        {[]string{"a\xff"}, "output-path"},
		"git":              {[]string{"a/.GIT/hooks/x"}, "output-path"},
		"drive letter":     {[]string{"C:/x"}, "output-path"},
		"drive alone":      {[]string{"C:x"}, "output-path"},
		"other stream":     {[]string{"a/card.json:evil"}, "output-path"},
		"UNC":              {[]string{"//server/share/x"}, "output-path"},
		"UNC, backslashes": {[]string{`\\server\share\x`}, "output-path"},
		"device":           {[]string{"CON/x"}, "output-path"},
		"device and more":  {[]string{"a/NUL.md"}, "output-path"},
		"trailing dot":     {[]string{"a./x"}, "output-path"},
		"trailing space":   {[]string{"a /x"}, "output-path"},
		"wildcard":         {[]string{"a/*.json"}, "output-path"},
		"the manifest":     {[]string{tree.ManifestName}, "output-collision"},
		"twice":            {[]string{"a", "a"}, "output-collision"},
		"letter case":      {[]string{"Review/x", "review/x"}, "output-collision"},
		"normalization":    {[]string{"caf\u00e9", "cafe\u0301"}, "output-collision"},
		"full case":        {[]string{"straße", "STRASSE"}, "output-collision"},
		"file above":       {[]string{"A", "a/b"}, "output-collision"},
		"file further up":  {[]string{"a/b/c", "a"}, "output-collision"},
		"manifest as path": {[]string{tree.ManifestName + "/a"}, "output-collision"},
	} {
		t.Run(name, func(t *testing.T) {
			var files []tree.File
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

// A directory in the place of a file is told once, whatever is below it.
func TestCheckTellsABlockedDirectoryOnce(t *testing.T) {
	_, found := Check(at(t, t.TempDir()), []tree.File{textFile("a", "x"), textFile("a/b", "x"), textFile("a/c/d", "x")},
		Options{})
	if len(found) != 1 || found[0].Message != `the output path "a" is a file, but "a/b" needs a directory there` {
		t.Errorf("%v", found)
	}
}

func ruleIDs(found diag.List) []string {
	ids := make([]string, len(found))
	for i, d := range found {
		ids[i] = d.Rule
	}
	return ids
}

// On a file system that ignores case, two spellings are one file, as two hard
// links are on any other.
func TestWriteKnowsItsFilesInAnotherCase(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, []tree.File{textFile("Review.txt", "one")}, Options{})
	if err := os.Link(filepath.Join(dir, "Review.txt"), filepath.Join(dir, "review.txt")); err != nil {
		t.Skip("no hard links here")
	}
	report := publish(t, dir, []tree.File{textFile("review.txt", "two")}, Options{})
	equal(t, 0, report.Count(Removed))
	equal(t, 2, report.Count(Updated))
	equal(t, "one", snapshot(t, dir)["Review.txt"])
}

func TestWriteRemovesLeftovers(t *testing.T) {
	dir := t.TempDir()
	files := project("review", "one")
	publish(t, dir, files, Options{})
	temp := tempName()
	put(t, dir, temp, "half a mani")
	put(t, dir, "review/.well-known/"+temp, "half a ca")
	mine := map[string]string{
		".cardwright-notes.tmp":                   "mine",
		"review/.well-known/." + temp:             "mine",
		"review/.well-known/.cardwright-draft.md": "mine",
	}
	for p, text := range mine {
		put(t, dir, p, text)
	}
	publish(t, dir, files, Options{})
	equal(t, with(contents(files), mine), snapshot(t, dir))
}

// What has the tags of other files is not there before them: the sidecars of a
// card, a catalog, and what configures a server although it sorts first.
func TestWriteTakesTurns(t *testing.T) {
	var order []string
	o := Options{fault: func(op, p string) error {
		if op == "rename" {
			order = append(order, p)
		}
		return nil
	}}
	files := append(project("b", "one", "a", "two"),
		tree.File{Path: ".htaccess", Data: []byte("# tags\n"), Turn: tree.ServerTurn},
		tree.File{Path: ".well-known/list.json", Data: []byte("{}\n"), Sidecars: true, Turn: tree.IndexTurn})
	publish(t, t.TempDir(), files, o)
	equal(t, []string{
		tree.JournalName, // claims what follows
		"a/.well-known/agent-card.json",
		"a/.well-known/agent.json",
		"b/.well-known/agent-card.json",
		"b/.well-known/agent.json",
		"a/.well-known/agent-card.json.etag",
		"a/.well-known/agent-card.json.sha256",
		"a/.well-known/agent.json.etag",
		"a/.well-known/agent.json.sha256",
		"b/.well-known/agent-card.json.etag",
		"b/.well-known/agent-card.json.sha256",
		"b/.well-known/agent.json.etag",
		"b/.well-known/agent.json.sha256",
		".well-known/list.json",
		".well-known/list.json.etag",
		".well-known/list.json.sha256",
		".htaccess", tree.ManifestName,
	}, order)
}

func TestWriteInterrupted(t *testing.T) {
	dir := t.TempDir()
	old := contents(project("a", "old", "b", "old"))
	publish(t, dir, project("a", "old", "b", "old"), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	files := project("a", "new", "b", "new", "c", "new")
	writes := 0
	var mu sync.Mutex
	_, found, err := Write(ctx, at(t, dir), files, Options{fault: func(op, _ string) error {
		mu.Lock()
		defer mu.Unlock()
		if op == "write" {
			if writes++; writes == 5 {
				cancel()
			}
		}
		return nil
	}})
	if found != nil || !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "interrupted: ") {
		t.Fatalf("found %v, error %v", found, err)
	}
	isOldOrNew(t, dir, old, contents(files))
	noTemps(t, dir)
	publish(t, dir, files, Options{})
	equal(t, contents(files), snapshot(t, dir))
}

func TestWriteInterruptedBefore(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, found, err := Write(ctx, at(t, dir), project("a", "new"), Options{})
	if found != nil || !errors.Is(err, context.Canceled) {
		t.Fatalf("findings %v, error %v", found, err)
	}
	equal(t, map[string]string{}, snapshot(t, dir))
}

func TestWriteAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	trees := [][]tree.File{project("a", "1", "b", "1"), project("b", "2", "c", "2")}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if _, found, err := Write(t.Context(), at(t, dir), trees[i%2], Options{}); found != nil || err != nil {
				t.Errorf("findings %v, error %v", found, err)
			}
		})
	}
	wg.Wait()
	got := snapshot(t, dir)
	if got["a"] != "" {
		equal(t, contents(trees[0]), got)
	} else {
		equal(t, contents(trees[1]), got)
	}
}
