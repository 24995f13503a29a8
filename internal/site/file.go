package site

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
)

// File is one file of an output tree.
type File struct {
	Path     string // slash path relative to the root of the tree
	Data     []byte
	Agent    string // id of the agent it belongs to, "" for files of the whole tree
	URL      string // where it will be found, "" when unknown
	Sidecars bool   // publish a .etag and a .sha256 beside it
	Marker   string // that it has in its first [MarkerReach] bytes, of server configuration
	Turn     Turn   // when it is put in place

	digest *Digest // once it is known
}

// Turn is when a file is put in place: after all that it has a tag or a digest of.
// The other order lets a client keep old bytes under their new tag for ever, since
// every later question is answered with 304.
type Turn int

// The turns of the files of a tree, whose manifest comes after all of them.
const (
	ContentTurn      Turn = iota // cards, key sets and whatever else names no file
	SidecarTurn                  // what has the tag of one of them
	IndexTurn                    // catalogs and pages
	IndexSidecarTurn             // what has the tag of one of these
	ServerTurn                   // what has the tags of all files that are served
)

// Digest returns the digest of the bytes of f.
func (f File) Digest() Digest {
	if f.digest != nil {
		return *f.digest
	}
	return DigestOf(f.Data)
}

// Hashed returns f with its digest at hand, for those who ask for it several
// times. The bytes of f must not change any more.
func (f File) Hashed() File {
	digest := f.Digest()
	f.digest = &digest
	return f
}

// Marker is in the first [MarkerReach] bytes of server configuration, and PageMark in
// a page, that cardwright wrote.
const (
	Marker   = "cardwright:generated"
	PageMark = `<meta name="generator" content="cardwright">`
)

// MarkerReach is how many bytes of a file are searched for its marker.
const MarkerReach = 512

// What is appended to the path of a file to name its sidecars.
const (
	ETagSuffix     = ".etag"
	ChecksumSuffix = ".sha256"
)

// IsSidecar reports whether a path names a sidecar, which no host serves.
func IsSidecar(p string) bool {
	ext := path.Ext(p)
	return ext == ETagSuffix || ext == ChecksumSuffix
}

// SidecarFiles returns the files to publish beside f, none when it asks for
// none. They have no URL: they are there for the server, not for its clients.
func (f File) SidecarFiles() []File {
	if !f.Sidecars {
		return nil
	}
	digest := f.Digest()
	var files []File
	for _, suffix := range []string{ETagSuffix, ChecksumSuffix} {
		files = append(files, File{
			Path: f.Path + suffix, Data: []byte(SidecarText(f.Path, suffix, digest)), Agent: f.Agent,
			Turn: f.Turn + 1,
		})
	}
	return files
}

// SidecarText returns what the sidecar of the file at p, named by its suffix,
// says about the digest of that file: its entity tag, as Caddy reads it, or the
// line that sha256sum -c reads in the directory of the file.
func SidecarText(p, suffix string, d Digest) string {
	if suffix == ETagSuffix {
		return d.ETag() + "\n"
	}
	return d.String() + "  " + path.Base(p) + "\n"
}

// Digest is the SHA-256 of the bytes of a file.
type Digest [sha256.Size]byte

// DigestOf returns the digest of data.
func DigestOf(data []byte) Digest { return sha256.Sum256(data) }

// String returns the digest in lower-case hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// ETag returns the strong entity tag (RFC 9110 section 8.8.3) of the bytes.
func (d Digest) ETag() string { return `"` + d.String() + `"` }
