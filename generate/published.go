package generate

import (
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/tree"
)

// Published is what earlier runs have published, as it is on disk. Nil is for nothing.
type Published struct {
	dir      string // of the public tree, as findings spell it
	read     func(private bool, path string) []byte
	manifest func() tree.Manifest
	digests  func() map[string]tree.Digest // that it lists, by path
}

// NewPublished returns the files of the public tree, in a directory that findings spell
// like that, and of the private one, as read finds them: nil for one that is not there.
func NewPublished(dir string, read func(private bool, path string) []byte) *Published {
	p := &Published{dir: dir, read: read}
	p.manifest = sync.OnceValue(func() (manifest tree.Manifest) {
		if data := read(false, tree.ManifestName); data != nil {
			manifest, _ = tree.ParseManifest(tree.ManifestName, data)
		}
		return manifest
	})
	p.digests = sync.OnceValue(func() map[string]tree.Digest {
		digests := map[string]tree.Digest{}
		for _, e := range p.manifest().Files {
			digests[e.Path] = e.Digest
		}
		return digests
	})
	return p
}

// publishedFiles are those of a public tree that is in memory.
func publishedFiles(files []tree.File) *Published {
	data := make(map[string][]byte, len(files))
	for _, f := range files {
		data[f.Path] = f.Data
	}
	return &Published{
		read:     func(_ bool, name string) []byte { return data[name] },
		manifest: func() tree.Manifest { return tree.Manifest{Files: tree.Entries(files)} },
	}
}

// File returns a file of the public or private tree, nil when there is none.
func (p *Published) File(private bool, path string) []byte {
	if p == nil {
		return nil
	}
	return p.read(private, path)
}

// Manifest is that of the public tree, empty when there is none to rely on.
func (p *Published) Manifest() tree.Manifest {
	if p == nil {
		return tree.Manifest{}
	}
	return p.manifest()
}

// edited returns the place of a public file that is not what the manifest lists.
func (p *Published) edited(name string, data []byte) (at diag.Span, edited bool) {
	digest, listed := p.digests()[name]
	return diag.Top(files.Join(p.dir, name)), listed && digest != tree.DigestOf(data)
}
