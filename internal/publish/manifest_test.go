package publish

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/tree"
)

func TestParseManifestReadsItsOwn(t *testing.T) {
	for _, environment := range []string{"", "staging", "Prüfung 2"} {
		want := tree.Manifest{
			Environment: environment,
			Files:       tree.Entries(withSidecars(project("review", "one", "billing", "two"))),
		}
		got, found := tree.ParseManifest("m", manifestFile(want).Data)
		equal(t, nil, found)
		equal(t, want, got)
		if len(got.Files) != 12 {
			t.Fatalf("%d entries, want 12", len(got.Files))
		}
	}
}

// hostileManifests are manifests that must not be relied on, each with the
// place and the reason.
var hostileManifests = map[string]struct{ text, want string }{
	"empty": {"", "dist/cardwright.manifest.json the file is empty, expected a JSON document"},
	"array": {"[]", "dist/cardwright.manifest.json:1:1 it is not a JSON object"},
	"no version": {
		`{"files": []}`,
		"dist/cardwright.manifest.json:1:1 its version is not 1, the only one that this release supports",
	},
	"version as text": {
		`{"version": "1", "files": []}`,
		"dist/cardwright.manifest.json:1:13 its version is not 1, the only one that this release supports",
	},
	"later version": {
		`{"version": 2, "files": []}`,
		"dist/cardwright.manifest.json:1:13 its version is not 1, the only one that this release supports",
	},
	"no files":           {`{"version": 1}`, "dist/cardwright.manifest.json:1:1 files is not an array"},
	"files is an object": {`{"version": 1, "files": {}}`, "dist/cardwright.manifest.json:1:25 files is not an array"},
	"environment is a number": {
		`{"version": 1, "environment": 1, "files": []}`, "dist/cardwright.manifest.json:1:31 environment is not a string",
	},
	"empty environment": {
		`{"version": 1, "environment": "", "files": []}`,
		`dist/cardwright.manifest.json:1:31 the environment "" is empty`,
	},
	"invisible environment": {
		`{"version": 1, "environment": "a\u202eb", "files": []}`,
		`dist/cardwright.manifest.json:1:31 the environment "a\u202eb" has invisible characters`,
	},
	"long environment": {
		`{"version": 1, "environment": "` + strings.Repeat("a", 101) + `", "files": []}`,
		`dist/cardwright.manifest.json:1:31 the environment "` + strings.Repeat("a", 60) +
			`…" has more than 100 characters`,
	},
	"entry is a text": {
		`{"version": 1, "files": ["x"]}`,
		"dist/cardwright.manifest.json:1:26 an entry of files is not an object",
	},
	"outside": {
		listing("../x"),
		`dist/cardwright.manifest.json:3:10 the path "../x" has an empty element, a . or a ..`,
	},
	"outside in between": {
		listing("a/../../x"),
		`dist/cardwright.manifest.json:3:10 the path "a/../../x" has an empty element, a . or a ..`,
	},
	"absolute": {
		listing("/etc/passwd"),
		`dist/cardwright.manifest.json:3:10 the path "/etc/passwd" is absolute`,
	},
	"backslash":     {listing(`..\\x`), `dist/cardwright.manifest.json:3:10 the path "..\\x" holds a backslash`},
	"the directory": {listing("."), `dist/cardwright.manifest.json:3:10 the path "." names no file`},
	"no path":       {listing(""), `dist/cardwright.manifest.json:3:10 the path "" names no file`},
	"control character": {
		listing(`a\u0000b`),
		`dist/cardwright.manifest.json:3:10 the path "a\x00b" holds a control character or is not UTF-8`,
	},
	"git directory": {
		listing("sub/.git/HEAD"),
		`dist/cardwright.manifest.json:3:10 the path "sub/.git/HEAD" is in a .git directory`,
	},
	"itself": {listing(tree.ManifestName), "dist/cardwright.manifest.json:3:10 it lists itself"},
	"long path": {listing("/" + strings.Repeat("x", 5000)), `dist/cardwright.manifest.json:3:10 the path "/` +
		strings.Repeat("x", 59) + `…" is absolute`},
	"long name": {listing("x/" + strings.Repeat("y", 256)), `dist/cardwright.manifest.json:3:10 the path "x/` +
		strings.Repeat("y", 58) + `…" is too long: a name may have 255 bytes, a path 1000`},
	"many names": {listing(strings.Repeat("yy/", 1500) + "y"), `dist/cardwright.manifest.json:3:10 the path "` +
		strings.Repeat("yy/", 20) + `…" is too long: a name may have 255 bytes, a path 1000`},
	"twice": {
		listing("a", "a"),
		`dist/cardwright.manifest.json:4:10 the path "a" is there twice, first on line 3`,
	},
	"path is a number": {
		strings.Replace(listing("a"), `"a"`, "7", 1),
		`dist/cardwright.manifest.json:3:10 path is not a string`,
	},
	"hash of another kind": {
		strings.Replace(listing("a"), anyDigest, "d41d8cd98f00b204e9800998ecf8427e", 1),
		"dist/cardwright.manifest.json:3:36 sha256 is not 64 lower-case hexadecimal digits",
	},
	"hash in capitals": {
		strings.Replace(listing("a"), anyDigest, strings.Repeat("A", 64), 1),
		"dist/cardwright.manifest.json:3:36 sha256 is not 64 lower-case hexadecimal digits",
	},
	"negative size": {
		strings.Replace(listing("a"), `"size": 1`, `"size": -1`, 1),
		"dist/cardwright.manifest.json:3:23 size is not a number of bytes",
	},
	"size as text": {
		strings.Replace(listing("a"), `"size": 1`, `"size": "1"`, 1),
		"dist/cardwright.manifest.json:3:23 size is not a number",
	},
	"endless size": {
		strings.Replace(listing("a"), `"size": 1`, `"size": 1e999999999`, 1),
		"dist/cardwright.manifest.json:3:23 size is not a number of bytes",
	},
	"url is a list": {
		strings.Replace(listing("a"), `"size": 1`, `"size": 1, "url": []`, 1),
		"dist/cardwright.manifest.json:3:33 url is not a string",
	},
	"agent is a path": {
		member("agent", "../other"),
		`dist/cardwright.manifest.json:3:35 the agent "../other" is not an id`,
	},
	"agent is a line": {
		member("agent", `a\nb`),
		`dist/cardwright.manifest.json:3:35 the agent "a\nb" is not an id`,
	},
	"content type of a script": {
		member("contentType", `text/plain\"\nErrorLog \"|touch pwned`),
		`dist/cardwright.manifest.json:3:41 cardwright does not write the contentType ` +
			`"text/plain\"\nErrorLog \"|touch pwned"`,
	},
	"content type of others": {
		member("contentType", "application/x-httpd-php"),
		`dist/cardwright.manifest.json:3:41 cardwright does not write the contentType "application/x-httpd-php"`,
	},
	"content type with a tail": {
		member("contentType", "application/json "),
		`dist/cardwright.manifest.json:3:41 cardwright does not write the contentType "application/json "`,
	},
	"script as url": {
		member("url", "javascript:alert(1)//a"),
		`dist/cardwright.manifest.json:3:33 the url "javascript:alert(1)//a" is not an http or https URL ` +
			`that ends in the path of its file`,
	},
	"url of another file": {
		member("url", "https://acme.example/b"),
		`dist/cardwright.manifest.json:3:33 the url "https://acme.example/b" is not an http`,
	},
	"url with a password": {
		member("url", "https://me:pw@acme.example/a"),
		`dist/cardwright.manifest.json:3:33 the url "https://me:pw@acme.example/a" is not an http`,
	},
	"url with a query": {
		member("url", "https://acme.example/?/a"),
		`dist/cardwright.manifest.json:3:33 the url "https://acme.example/?/a" is not an http`,
	},
	"tag of other bytes": {
		member("etag", `\"x\"`),
		`dist/cardwright.manifest.json:3:34 the etag is not the sha256 in double quotes`,
	},
	"two files": {
		strings.Replace(listing("a"), `"version": 1,`, `"version": 1, "files": [],`, 1),
		`dist/cardwright.manifest.json:2:2 member "files" is defined twice`,
	},
	"trailing data":  {listing("a") + "{}", "dist/cardwright.manifest.json:4:3 found \"{\", expected the end of the file"},
	"merge conflict": {"<<<<<<< HEAD\n" + listing("a"), "dist/cardwright.manifest.json:1:1"},
	"deep":           {strings.Repeat("[", 1000), "dist/cardwright.manifest.json:1:"},
}

var anyDigest = strings.Repeat("0", 64)

// listing returns a manifest with the given paths, as JSON spells them.
func listing(paths ...string) string {
	entries := make([]string, len(paths))
	for i, p := range paths {
		entries[i] = `{"path": "` + p + `", "size": 1, "sha256": "` + anyDigest + `"}`
	}
	return "{\"version\": 1,\n \"files\": [\n" + strings.Join(entries, ",\n") + "\n]}"
}

// member returns a manifest with the path a, in whose entry one more member
// stands.
func member(key, value string) string {
	return strings.Replace(listing("a"), `"size": 1`, fmt.Sprintf(`"size": 1, %q: "%s"`, key, value), 1)
}

func TestHostileManifests(t *testing.T) {
	const prefix = "the manifest is not valid: "
	for name, test := range hostileManifests {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			put(t, ".", "x", "outside")
			put(t, "dist", tree.ManifestName, test.text)
			put(t, "dist", "a", "0")
			files := project("review", "one")
			found := refuse(t, "dist", files, Options{})
			d := found[0]
			if got := d.Span.String() + " " + strings.TrimPrefix(d.Message, prefix); !strings.HasPrefix(got, test.want) {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if d.Rule != tree.ManifestRule || d.Hint == "" || !strings.HasPrefix(d.Message, prefix) {
				t.Errorf("finding %+v", d)
			}
			_, found = Check(at(t, "dist"), files, Options{})
			equal(t, diag.Error, found.Worst())

			publish(t, "dist", files, Options{Force: true})
			equal(t, with(contents(files), map[string]string{"a": "0"}), snapshot(t, "dist"))
		})
	}
}

func TestLargeManifest(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, tree.ManifestName, "")
	must(t, os.Truncate(filepath.Join(dir, tree.ManifestName), tree.MaxManifest+1))
	_, found, err := Write(t.Context(), at(t, dir), project("review", "one"), Options{})
	must(t, err)
	equal(t, []string{"output-manifest " + tree.ManifestName}, rulesOf(found, dir))
}

// A manifest that the next run would not read is not written.
func TestTooManyFiles(t *testing.T) {
	long := strings.Repeat("a", tree.MaxManifest/2) // so that few files are enough
	files := []tree.File{{Path: "a.json", URL: long}, {Path: "b.json", URL: long}}
	missing := filepath.Join(t.TempDir(), "dist") // is not made for it
	_, found, err := Write(t.Context(), at(t, missing), files, Options{})
	must(t, err)
	equal(t, []string{"output-manifest " + tree.ManifestName}, rulesOf(found, missing))
	if _, err := os.Stat(missing); err == nil {
		t.Error("the directory was made")
	}
}

// A manifest may list anything inside the tree, but only what still has the
// hash that stands there is ever removed.
func TestManifestCannotRemoveWhatItDoesNotKnow(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "index.html", "mine")
	put(t, dir, "empty/keep", "mine")
	put(t, dir, tree.ManifestName, listing("index.html", "empty/keep", "nowhere/x", "index.html/x"))
	files := project("review", "one")
	_, found, err := Write(t.Context(), at(t, dir), files, Options{})
	must(t, err)
	equal(t, diag.Warning, found.Worst())
	equal(t, with(contents(files), map[string]string{
		"index.html": "mine", "empty": "(directory)", "empty/keep": "mine",
	}), snapshot(t, dir))
}

// FuzzManifest wants every manifest to be refused with a place inside it, or to
// list paths that stay inside the tree and to survive being written again.
func FuzzManifest(f *testing.F) {
	files := tree.Entries(withSidecars(project("review", "one")))
	f.Add(string(manifestFile(tree.Manifest{Environment: "staging", Files: files}).Data))
	f.Add(listing("a", "b/c"))
	for _, m := range hostileManifests {
		f.Add(m.text)
	}
	for _, manifest := range fixture.Files(f, "golden/**/cardwright.manifest.json") {
		f.Add(string(manifest))
	}
	root := path.Join("/", "out")
	f.Fuzz(func(t *testing.T, text string) {
		read, found := tree.ParseManifest("m", []byte(text))
		for _, d := range found {
			if read.Files != nil || read.Environment != "" || d.Span.File != "m" || d.Span.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("entries %v, finding %+v", read, d)
			}
		}
		if found != nil {
			return
		}
		for _, e := range read.Files {
			if !strings.HasPrefix(path.Join(root, e.Path), root+"/") || !filepath.IsLocal(filepath.FromSlash(e.Path)) {
				t.Fatalf("%q leads outside", e.Path)
			}
		}
		n := len(read.Files)
		read.Files = tree.Merged(read.Files, nil)
		again, found := tree.ParseManifest("m", manifestFile(read).Data)
		if found != nil || len(again.Files) != n {
			t.Fatalf("%v does not survive: %v", read, found)
		}
		equal(t, read, again)
	})
}
