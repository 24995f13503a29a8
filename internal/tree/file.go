package tree

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// File is one file of an output tree.
type File struct {
	Path     string // slash path relative to the root of the tree
	Data     []byte
	Agent    string // id of the agent it belongs to, "" for files of the whole tree
	URL      string // where it will be found, "" when unknown
	Sidecars bool   // publish a .etag and a .sha256 beside it
	Marker   string // see [File.MayReplace]
	Turn     Turn   // when it is put in place

	digest *Digest // once it is known
}

// Turn is when a file is put in place: after all that it has a tag or a digest of.
// The other order lets a client keep old bytes under their new tag for ever, since
// every later question is answered with 304.
type Turn int

// The turns of the files of a tree, whose manifest comes after all of them.
const (
	ContentTurn      Turn = iota // cards, key sets and whatever else tells of no file
	SidecarTurn                  // what has the tag of one of them
	IndexTurn                    // catalogs and pages
	IndexSidecarTurn             // what has the tag of one of these
	ServerTurn                   // what has the tags of all files that are served
)

// contentType is the media type of the files whose slash path, with a slash before
// it, ends in suffix and has the part in it, if there is one.
type contentType struct{ part, suffix, name string }

// Where a host publishes skills with their files, and where it did so before.
const (
	SkillsDir       = ".well-known/agent-skills"
	LegacySkillsDir = ".well-known/skills"
)

// InSkills tells whether a file of an output tree belongs to what is published of
// skills: it is none of ours then, whatever its name is.
func InSkills(file string) bool {
	file = "/" + file
	return strings.Contains(file, inSkills) || strings.Contains(file, inOldSkills)
}

// contentTypes has the media type of every file of an output tree. The first
// suffix that fits decides.
var contentTypes = []contentType{
	{inSkills, ".tar.gz", "application/gzip"},
	{inSkills, ".zip", "application/zip"},
	{inSkills, ".md", "text/markdown; charset=utf-8"},
	{inSkills, ".json", "application/json"},
	{inSkills, "", plainText}, // whatever a skill holds, a browser does not run it
	{inOldSkills, ".md", "text/markdown; charset=utf-8"},
	{inOldSkills, ".json", "application/json"},
	{inOldSkills, "", plainText},
	{"", "/ai-catalog.json", "application/ai-catalog+json"},
	{"", "/server-card.json", "application/mcp-server-card+json"},
	{"", "/jwks.json", "application/jwk-set+json"},
	{"", ".json", "application/json"},
	{"", ".html", "text/html; charset=utf-8"},
	{"", ".js", "text/javascript"},
	{"", "", "text/plain"},
}

const (
	inSkills, inOldSkills = "/" + SkillsDir + "/", "/" + LegacySkillsDir + "/"
	plainText             = "text/plain; charset=utf-8"
)

// ContentType returns the media type that the file at p is served as. It follows
// from the path alone, so that no committed file can say anything else.
func ContentType(p string) string {
	p = "/" + p
	i := slices.IndexFunc(contentTypes, func(t contentType) bool {
		return strings.HasSuffix(p, t.suffix) && strings.Contains(p, t.part)
	})
	return contentTypes[i].name
}

// KnownContentType tells whether any file of an output tree is served as name.
func KnownContentType(name string) bool {
	return slices.ContainsFunc(contentTypes, func(t contentType) bool { return t.name == name })
}

// ContentType returns the media type that f is served as.
func (f File) ContentType() string { return ContentType(f.Path) }

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

// MarkerReach is how many bytes of a file are searched for its marker.
const MarkerReach = 512

// MayReplace tells whether f may take the place of a file that begins like
// that. A file with a marker has it within the first [MarkerReach] bytes; one
// without it, in the same place, is somebody else's.
func (f File) MayReplace(beginning []byte) bool {
	return bytes.Contains(beginning[:min(len(beginning), MarkerReach)], []byte(f.Marker))
}

// What is appended to the path of a file to name its sidecars.
const (
	ETagSuffix     = ".etag"
	ChecksumSuffix = ".sha256"
)

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
