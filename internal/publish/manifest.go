package publish

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// MaxManifest bounds a manifest that is read, in bytes: what 10,000 cards need.
const MaxManifest = 32 << 20

const manifestHint = "restore the file, or take the directory over with --force, which then removes no file of an earlier run"

// entry is what the manifest says about one file.
type entry struct {
	path, agent string
	size        int // bytes
	sum         schema.Digest
	contentType string
	url         string
}

// entriesOf returns the entries of the files of a tree, in their order.
func entriesOf(tree []schema.File) []entry {
	entries := make([]entry, len(tree))
	for i, f := range tree {
		entries[i] = entry{
			path: f.Path, agent: f.Agent, size: len(f.Data), sum: f.Digest(),
			contentType: f.ContentType, url: f.URL,
		}
	}
	return entries
}

// merged returns the entries of two lists sorted by path. Where both know a
// path, the first list counts.
func merged(first, second []entry) []entry {
	all := slices.Concat(first, second)
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.path, b.path) })
	return slices.CompactFunc(all, func(a, b entry) bool { return a.path == b.path })
}

// manifestFile returns the manifest that lists entries, which are sorted.
func manifestFile(entries []entry) schema.File {
	files := &source.Node{Kind: source.Array, Items: make([]*source.Node, len(entries))}
	for i, e := range entries {
		files.Items[i] = e.node()
	}
	manifest := &source.Node{Kind: source.Object}
	manifest.Set("version", source.NewInt(1))
	manifest.Set("files", files)
	return schema.File{Path: ManifestName, Data: schema.Write(manifest), ContentType: "application/json"}
}

func (e entry) node() *source.Node {
	n := &source.Node{Kind: source.Object, Members: make([]source.Member, 0, 7)}
	n.SetText("path", e.path)
	n.SetText("agent", e.agent)
	n.Set("size", source.NewInt(e.size))
	n.SetText("sha256", e.sum.String())
	n.SetText("etag", e.sum.ETag())
	n.SetText("contentType", e.contentType)
	n.SetText("url", e.url)
	return n
}

// Listed is what a manifest says of a file.
type Listed struct {
	Agent string // "" for files of the whole tree
	URL   string // where it is published, "" when unknown
}

// Listing returns the files that a manifest lists, by path. The manifest may
// come from anywhere: it gives either paths that stay inside the tree, or
// findings.
func Listing(file string, data []byte) (map[string]Listed, diag.List) {
	entries, found := parseManifest(file, data)
	files := make(map[string]Listed, len(entries))
	for _, e := range entries {
		files[e.path] = Listed{e.agent, e.url}
	}
	return files, found
}

// parseManifest reads a manifest that may come from anywhere. It returns either
// entries, each with a path that stays inside the tree, or findings.
func parseManifest(file string, data []byte) ([]entry, diag.List) {
	root, found := source.ParseJSON(file, data, source.Limits{Card: MaxManifest})
	r := manifestReader{}
	if root != nil {
		r.manifest(root)
	}
	for _, d := range found {
		r.fault(d.Span, "%s", d.Message)
	}
	if r.found != nil {
		return nil, r.found.Sorted()
	}
	return r.entries, nil
}

type manifestReader struct {
	entries []entry
	seen    map[string]diag.Span
	found   diag.List
}

func (r *manifestReader) fault(at diag.Span, format string, args ...any) {
	r.found = append(r.found, diag.Diagnostic{
		Rule: ruleManifest, Severity: diag.Error, Span: at,
		Message: "the manifest cannot be relied on: " + fmt.Sprintf(format, args...),
		Hint:    manifestHint,
	})
}

func (r *manifestReader) manifest(root *source.Node) {
	if !root.Is(source.Object) {
		r.fault(root.Span, "it is no JSON object")
		return
	}
	if v := root.Get("version"); !v.Is(source.Number) || v.Text != "1" {
		r.fault(spanOf(v, root), "its version is not 1, the only one that this release knows")
		return
	}
	files := root.Get("files")
	if !files.Is(source.Array) {
		r.fault(spanOf(files, root), "files is no array")
		return
	}
	r.entries = make([]entry, 0, len(files.Items))
	r.seen = make(map[string]diag.Span, len(files.Items))
	for _, f := range files.Items {
		r.file(f)
	}
}

func (r *manifestReader) file(f *source.Node) {
	if !f.Is(source.Object) {
		r.fault(f.Span, "an entry of files is no object")
		return
	}
	r.text(f, "etag")
	e := entry{
		path: r.text(f, "path"), agent: r.text(f, "agent"), sum: r.digest(f),
		contentType: r.text(f, "contentType"), url: r.text(f, "url"), size: r.size(f),
	}
	at := spanOf(f.Get("path"), f)
	switch fault := pathFault(e.path); {
	case fault != "":
		r.fault(at, "the path %q %s", clip(e.path), fault)
	case e.path == ManifestName:
		r.fault(at, "it lists itself")
	case r.seen[e.path] != diag.Span{}:
		r.fault(at, "the path %q stands there twice, first on line %d", clip(e.path), r.seen[e.path].Line)
	}
	r.seen[e.path] = at
	r.entries = append(r.entries, e)
}

// text returns the text of a member, "" where it is missing.
func (r *manifestReader) text(f *source.Node, key string) string {
	v := f.Get(key)
	if v == nil {
		return ""
	}
	if v.Kind != source.String {
		r.fault(v.Span, "%s is no string", key)
		return ""
	}
	return v.Text
}

func (r *manifestReader) digest(f *source.Node) schema.Digest {
	v := f.Get("sha256")
	if v.Is(source.String) {
		if d, ok := schema.ParseDigest(v.Text); ok {
			return d
		}
	}
	r.fault(spanOf(v, f), "sha256 is not 64 lower-case hexadecimal digits")
	return schema.Digest{}
}

func (r *manifestReader) size(f *source.Node) int {
	v := f.Get("size")
	if !v.Is(source.Number) {
		r.fault(spanOf(v, f), "size is no number")
		return 0
	}
	n, err := strconv.Atoi(v.Text)
	if err != nil || n < 0 {
		r.fault(v.Span, "size is no count of bytes")
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

// clip shortens text from outside for a message.
func clip(s string) string {
	const most = 60
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + "…"
}
