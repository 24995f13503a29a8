package tree

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
)

// MaxFile bounds a file of an output tree that is read back, in bytes: no archive of a
// skill and no list of many agents is so large.
const MaxFile = 64 << 20

// MaxManifest bounds a manifest that is read, in bytes: what 10,000 cards need.
const MaxManifest = 32 << 20

// ManifestRule is the rule of findings about a manifest that cannot be relied on.
const ManifestRule = "output-manifest"

const manifestHint = "restore the file, or use --force; old files are then kept"

// Manifest is what a manifest says of a tree.
type Manifest struct {
	Environment string  // of the configuration that the tree was made for, "" for none
	Files       []Entry // sorted by path
}

// Entry is what the manifest says about one file.
type Entry struct {
	Path   string // slash path relative to the root of the tree
	Agent  string // id of the agent, "" for files of the whole tree
	Size   int    // bytes
	Digest Digest
	URL    string // where it is published, "" when unknown
	Age    int    // see [File]
	Server string // see [File]
}

// Entries returns the entries of files, in their order.
func Entries(files []File) []Entry {
	entries := make([]Entry, len(files))
	for i, f := range files {
		entries[i] = Entry{f.Path, f.Agent, len(f.Data), f.Digest(), f.URL, f.Age, f.Server}
	}
	return entries
}

// Merged returns the entries of two lists sorted by path. Where both know a
// path, the first list counts.
func Merged(first, second []Entry) []Entry {
	all := slices.Concat(first, second)
	slices.SortStableFunc(all, func(a, b Entry) int { return cmp.Compare(a.Path, b.Path) })
	return slices.CompactFunc(all, func(a, b Entry) bool { return a.Path == b.Path })
}

// Node returns the document of the manifest.
func (m Manifest) Node() *source.Node {
	return source.ObjectOf("version", 1, "environment", m.Environment, "files", source.ListOf(m.Files, Entry.node))
}

// MadeFor says in a sentence which environment a tree was made for, "" for none.
func MadeFor(environment string) string {
	if environment == "" {
		return "without an environment"
	}
	return "for the environment " + diag.Quote(environment)
}

// EnvironmentFault says why a manifest cannot name an environment, "" where it can.
func EnvironmentFault(name string) string {
	const longest = 100
	switch {
	case name == "":
		return "is empty"
	case utf8.RuneCountInString(name) > longest:
		return fmt.Sprintf("has more than %d characters", longest)
	case strings.ContainsFunc(name, diag.Invisible):
		return "has invisible characters"
	}
	return ""
}

func (e Entry) node() *source.Node {
	var age *source.Node
	if e.Age > 0 {
		age = source.NewInt(e.Age)
	}
	return source.ObjectOf(
		"path", e.Path,
		"agent", e.Agent,
		"size", e.Size,
		"sha256", e.Digest.String(),
		"etag", e.Digest.ETag(),
		"contentType", ContentType(e.Path),
		"url", e.URL,
		"previous", age,
		"server", e.Server,
	)
}

// ParseManifest reads a manifest that may come from anywhere; file is what it is
// called in findings. It returns either what it says, with paths that stay inside the
// tree and values that a configuration could have, or findings.
func ParseManifest(file string, data []byte) (Manifest, diag.List) {
	root, found := source.ParseJSON(file, data, source.Limits{Card: MaxManifest})
	r := manifestReader{}
	if root != nil {
		r.manifest(root)
	}
	for _, d := range found {
		r.fault(d.Span, "%s", d.Message)
	}
	if r.found != nil {
		return Manifest{}, r.found.Sorted()
	}
	return r.read, nil
}

// ManifestIn is the manifest of the tree whose files are read like that, or nothing where
// there is none that can be relied on.
func ManifestIn(read func(name string, limit int) ([]byte, error)) Manifest {
	data, err := read(ManifestName, MaxManifest)
	if err != nil {
		return Manifest{}
	}
	m, _ := ParseManifest(ManifestName, data)
	return m
}

// Listing returns the entries of a manifest by path, as [ParseManifest] reads it.
func Listing(file string, data []byte) (map[string]Entry, diag.List) {
	m, found := ParseManifest(file, data)
	files := make(map[string]Entry, len(m.Files))
	for _, e := range m.Files {
		files[e.Path] = e
	}
	return files, found
}

type manifestReader struct {
	read  Manifest
	seen  map[string]diag.Span
	found diag.List
}

func (r *manifestReader) fault(at diag.Span, format string, args ...any) {
	r.found = append(r.found, diag.New(ManifestRule, at, "the manifest is not valid: %s", fmt.Sprintf(format, args...)).
		WithHint(manifestHint))
}

func (r *manifestReader) manifest(root *source.Node) {
	if !root.Is(source.Object) {
		r.fault(root.Span, "it is not a JSON object")
		return
	}
	if v := root.Get("version"); !v.Is(source.Number) || v.Text != "1" {
		r.fault(spanOf(v, root), "its version is not 1, the only one that this release supports")
		return
	}
	if v := root.Get("environment"); v != nil {
		r.read.Environment = r.text(root, "environment")
		if fault := EnvironmentFault(r.read.Environment); fault != "" && v.Is(source.String) {
			r.fault(v.Span, "the environment %s %s", diag.Quote(v.Text), fault)
		}
	}
	files := root.Get("files")
	if !files.Is(source.Array) {
		r.fault(spanOf(files, root), "files is not an array")
		return
	}
	r.read.Files = make([]Entry, 0, len(files.Items))
	r.seen = make(map[string]diag.Span, len(files.Items))
	for _, f := range files.Items {
		r.file(f)
	}
}

func (r *manifestReader) file(f *source.Node) {
	if !f.Is(source.Object) {
		r.fault(f.Span, "an entry of files is not an object")
		return
	}
	e := Entry{
		Path: r.text(f, "path"), Agent: r.text(f, "agent"), Digest: r.digest(f), URL: r.text(f, "url"),
		Size: r.number(f, "size", "a number of bytes"), Server: r.text(f, "server"),
	}
	if f.Get("previous") != nil {
		e.Age = r.number(f, "previous", "a number of releases")
	}
	at := spanOf(f.Get("path"), f)
	switch fault := PathFault(e.Path); {
	case fault != "":
		r.fault(at, "the path %q %s", diag.Clip(e.Path), fault)
	case e.Path == ManifestName:
		r.fault(at, "it lists itself")
	case r.seen[e.Path] != diag.Span{}:
		r.fault(at, "the path %q is there twice, first on line %d", diag.Clip(e.Path), r.seen[e.Path].Line)
	default:
		r.check(f, e)
	}
	r.seen[e.Path] = at
	r.read.Files = append(r.read.Files, e)
}

// check holds the members that other files are made from to what a configuration
// may say in their place.
func (r *manifestReader) check(f *source.Node, e Entry) {
	at := func(key string) diag.Span { return spanOf(f.Get(key), f) }
	if e.Agent != "" && !jsonschema.HasFormat("agent-id", e.Agent) {
		r.fault(at("agent"), "the agent %q is not an id", diag.Clip(e.Agent))
	}
	if e.Server != "" && !jsonschema.HasFormat("agent-id", e.Server) {
		r.fault(at("server"), "the server %q is not one that configuration is written for", diag.Clip(e.Server))
	}
	if e.URL != "" && (!jsonschema.HasFormat("base-url", e.URL) || !strings.HasSuffix(e.URL, "/"+e.Path)) {
		r.fault(at("url"), "the url %q is not an http or https URL that ends in the path of its file", diag.Clip(e.URL))
	}
	if t := r.text(f, "contentType"); t != "" && !knownContentType(t) {
		r.fault(at("contentType"), "cardwright does not write the contentType %q", diag.Clip(t))
	}
	if tag := r.text(f, "etag"); tag != "" && tag != e.Digest.ETag() {
		r.fault(at("etag"), "the etag is not the sha256 in double quotes")
	}
}

// text returns the text of a member, "" where it is missing.
func (r *manifestReader) text(f *source.Node, key string) string {
	v := f.Get(key)
	if v == nil {
		return ""
	}
	if v.Kind != source.String {
		r.fault(v.Span, "%s is not a string", key)
		return ""
	}
	return v.Text
}

func (r *manifestReader) digest(f *source.Node) Digest {
	v := f.Get("sha256")
	if v.Is(source.String) {
		if d, ok := ParseDigest(v.Text); ok {
			return d
		}
	}
	r.fault(spanOf(v, f), "sha256 is not 64 lower-case hexadecimal digits")
	return Digest{}
}

func (r *manifestReader) number(f *source.Node, key, what string) int {
	v := f.Get(key)
	if !v.Is(source.Number) {
		r.fault(spanOf(v, f), "%s is not a number", key)
		return 0
	}
	n, err := strconv.Atoi(v.Text)
	if err != nil || n < 0 {
		r.fault(v.Span, "%s is not %s", key, what)
	}
	return n
}

// spanOf returns the place of n, or of what should hold it when it is missing.
func spanOf(n, parent *source.Node) diag.Span {
	if n == nil {
		return parent.Span
	}
	return n.Span
}
