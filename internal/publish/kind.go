package publish

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/schema"
)

// isOfKind reports whether data is of the kind that the name of a file of an output tree
// promises, so that the file may be removed once it is no longer generated.
func isOfKind(p string, data []byte) bool {
	main, suffix := sidecarOf(p)
	switch base := path.Base(p); {
	case suffix != "":
		return isSidecar(main, suffix, data)
	case base == site.PagePath:
		return bytes.Contains(data, []byte(site.PageMark))
	case base == site.SkillName, base == site.SkillsIndexName, site.IsOutput(base):
		return names(p, data) != nil
	case site.InSkills(p):
		return bytes.HasPrefix(data, []byte("\x1f\x8b")) // gzip
	}
	return bytes.Contains(data[:min(len(data), site.MarkerReach)], []byte(site.Marker))
}

// replaces reports whether a file may take the place of an unlisted one: of a card of the
// same agent, or of the sidecar, copy or list of such a card.
func replaces(f site.File, data []byte) bool {
	if ours, _ := source.Sides(data); ours != nil {
		data = ours // git has merged it with conflicts
	}
	if !isOfKind(f.Path, data) {
		return false
	}
	before, now := names(f.Path, data), names(f.Path, f.Data)
	return before == nil || slices.ContainsFunc(before, func(n string) bool { return slices.Contains(now, n) })
}

// lists are the members of lists that hold what is listed, each with the members that
// name one of these.
var lists = map[string][]string{
	path.Base(site.KeySetPath):  {"keys", "kid", "x", "n"},
	path.Base(site.CatalogPath): {"entries", "identifier", "url"},
	site.SkillsIndexName:        {"skills", "name"},
}

// names returns what a card, a list or a published skill is about: the name of the agent,
// the keys of a key set, the entries of a catalog, the names of skills. It is nil for a
// file that is none of these, whatever it is called.
func names(p string, data []byte) []string {
	base := path.Base(p)
	if base == site.SkillName && bytes.HasPrefix(data, []byte("---")) {
		return []string{string(nameLine.Find(data))}
	}
	root, found := source.ParseJSONUpTo(p, data, site.MaxFile)
	keys, isList := lists[base]
	switch {
	case found != nil:
		return nil
	case !isList && root.Get("name").Is(source.String):
		return []string{root.Get("name").Text}
	case !isList || !root.Get(keys[0]).Is(source.Array):
		return nil
	}
	texts := []string{}
	for _, item := range root.Get(keys[0]).Items {
		for _, key := range keys[1:] {
			if text := item.Get(key).Word(); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

var nameLine = regexp.MustCompile(`(?m)^name:.*$`)

var (
	etagText     = regexp.MustCompile(`^"[0-9a-f]{64}"\r?\n$`)
	checksumText = regexp.MustCompile(`^[0-9a-f]{64}  (.*?)\r?\n$`)
)

// isSidecar reports whether data is a sidecar of the file at main, whatever the bytes of
// that file are.
func isSidecar(main, suffix string, data []byte) bool {
	if suffix == site.ETagSuffix {
		return etagText.Match(data)
	}
	checksum := checksumText.FindSubmatch(data)
	return checksum != nil && string(checksum[1]) == path.Base(main)
}

// sidecarOf returns the file that p is a sidecar of, by its name, and what is
// appended to that.
func sidecarOf(p string) (file, suffix string) {
	for _, suffix := range []string{site.ETagSuffix, site.ChecksumSuffix} {
		if file, ok := strings.CutSuffix(p, suffix); ok {
			return file, suffix
		}
	}
	return p, ""
}

// manifestOf returns the manifest of files with their sidecars.
func manifestOf(all []site.File, environment string) site.Manifest {
	m := site.Manifest{Environment: environment, Files: make([]string, len(all))}
	for i, f := range all {
		m.Files[i] = f.Path
	}
	return m
}

// manifestFile returns the file of a manifest.
func manifestFile(m site.Manifest) site.File {
	return site.File{Path: site.ManifestName, Data: schema.Write(m.Node())}
}
