package site

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// MaxFile bounds a file of an output tree that is read back, in bytes.
const MaxFile = 64 << 20

// MaxManifest bounds a manifest that is read, in bytes.
const MaxManifest = 32 << 20

// Manifest lists the files of a tree. It holds no digests, so it changes only when files
// come or go.
type Manifest struct {
	Environment string   // of the configuration that the tree was made for, "" for none
	Files       []string // slash paths relative to the root of the tree, sorted
}

// Node returns the document of the manifest.
func (m Manifest) Node() *source.Node {
	return source.ObjectOf("version", 1, "environment", m.Environment, "files", source.NewTexts(m.Files))
}

// Union returns the manifest with the files of another one too.
func (m Manifest) Union(other Manifest) Manifest {
	m.Files = slices.Concat(m.Files, other.Files)
	slices.Sort(m.Files)
	m.Files = slices.Compact(m.Files)
	return m
}

// ParseManifest reads a manifest of an untrusted pull request; file is its name in
// findings. It returns either the manifest, with paths that stay inside the tree, or
// findings. Of one that git has merged with conflicts it returns what both sides list.
func ParseManifest(file string, data []byte) (Manifest, diag.List) {
	if ours, theirs := source.Sides(data); ours != nil {
		m, found := ParseManifest(file, ours)
		other, more := ParseManifest(file, theirs)
		return m.Union(other), append(found, more...)
	}
	root, found := source.ParseJSONUpTo(file, data, MaxManifest)
	var m Manifest
	fault := func(at *source.Node, format string, args ...any) {
		found = append(found, diag.New(diag.OutputManifest, at.Span, format, args...))
	}
	version, environment, list := root.Get("version"), root.Get("environment"), root.Get("files")
	switch {
	case root == nil:
	case !root.Is(source.Object):
		fault(root, "it is not a JSON object")
	case !version.Is(source.Number) || version.Text != "1":
		fault(root, "its version is not 1, the only one that this release supports")
	case environment != nil && !environment.Is(source.String):
		fault(environment, "environment is not a string")
	case !list.Is(source.Array):
		fault(root, "files is not an array")
	default:
		m = Manifest{environment.Word(), list.Words()}
		for _, f := range list.Items {
			switch wrong := files.PathFault(f.Word()); {
			case !f.Is(source.String):
				fault(f, "an entry of files is not a string")
			case wrong != "":
				fault(f, "the path %q %s", diag.Clip(f.Text), wrong)
			case f.Text == ManifestName:
				fault(f, "it lists itself")
			}
		}
	}
	for i := range found {
		found[i].Rule = diag.OutputManifest
		found[i].Message = "the manifest is not valid: " + found[i].Message
		found[i].Hint = "restore the file, or use --force; files that are no longer generated are then kept"
	}
	if found != nil {
		return Manifest{}, found.Sorted()
	}
	return m.Union(Manifest{}), nil
}

// ManifestIn returns the manifest of a tree whose files are read like that, empty where
// there is none that can be relied on.
func ManifestIn(read func(name string, limit int) ([]byte, error)) Manifest {
	data, err := read(ManifestName, MaxManifest)
	if err != nil {
		return Manifest{}
	}
	m, _ := ParseManifest(ManifestName, data)
	return m
}
