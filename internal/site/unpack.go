package site

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"cardwright/internal/tree"
)

// MaxArchive is how large an archive may be that is read, in bytes: what Pack makes of
// the largest skill.
const MaxArchive = MostSkillBytes + MostSkillFiles*mostHeader

// mostHeader is what an archive has beside the content of a file, at most, in bytes:
// headers, and what fills up a block.
const mostHeader = 2 << 10

// PublishedFile is what the path of a file in an output tree says of it.
type PublishedFile struct {
	Site  string // slash path of the root of its site, "" for that of the tree
	Skill string // name of its skill
	Path  string // below the directory of the skill, "" for an archive of all files
	// Format is that of such an archive.
	Format Format
	Legacy bool // it is for readers of the index before 0.2.0
}

// FileOfSkill returns what the path of a file in an output tree says, and whether it
// is a file of a published skill: indexes, sidecars and what is for Apache are not.
func FileOfSkill(file string) (f PublishedFile, ok bool) {
	site, rest, ok := strings.Cut("/"+file, "/"+tree.SkillsDir+"/")
	if !ok {
		site, rest, f.Legacy = strings.Cut("/"+file, "/"+tree.LegacySkillsDir+"/")
	}
	f.Site = strings.TrimPrefix(site, "/")
	if strings.HasSuffix(rest, tree.ETagSuffix) || strings.HasSuffix(rest, tree.ChecksumSuffix) ||
		path.Base(rest) == ".htaccess" { // a skill's own is in archives only
		return f, false
	}
	if f.Skill, f.Path, ok = strings.Cut(rest, "/"); ok {
		return f, true
	}
	for _, f.Format = range []Format{TarGz, Zip} {
		if f.Skill, ok = strings.CutSuffix(rest, "."+string(f.Format)); ok && !f.Legacy {
			return f, true
		}
	}
	return f, false
}

var errMembers = fmt.Errorf("it has more than %d files", MostSkillFiles)

// Members returns the names of the files in an archive, sorted. Who made it is not
// known: one that holds more than a skill may, or that cannot be read whole, is an
// error.
func (f Format) Members(archive []byte) ([]string, error) {
	members := tarMembers
	if f == Zip {
		members = zipMembers
	}
	names, err := members(archive)
	if err != nil {
		return nil, fmt.Errorf("reading an archive: %w", err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "/") })
	slices.Sort(names)
	return slices.Compact(names), nil
}

// mostRatio is how much larger than an archive its content may be. Texts are some ten
// times as large, and what was made to fill a memory a thousand times.
const mostRatio = 100

func tarMembers(archive []byte) (names []string, err error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	in := &io.LimitedReader{R: unpacked, N: int64(min(MaxArchive, 64<<10+mostRatio*len(archive)))}
	for r := tar.NewReader(in); len(names) <= MostSkillFiles; {
		header, err := r.Next()
		switch {
		case in.N <= 0:
			return nil, errors.New("its content is too large")
		case errors.Is(err, io.EOF):
			return names, nil
		case err != nil:
			return nil, err
		}
		names = append(names, header.Name)
	}
	return nil, errMembers
}

func zipMembers(archive []byte) (names []string, err error) {
	in := &boundedReader{bytes.NewReader(archive), MostSkillFiles * mostHeader}
	r, err := zip.NewReader(in, int64(len(archive)))
	switch {
	case err != nil:
		return nil, err
	case len(r.File) > MostSkillFiles:
		return nil, errMembers
	}
	for _, member := range r.File {
		names = append(names, member.Name)
	}
	return names, nil
}

// boundedReader reads no more bytes than it has left: a directory of a zip archive may
// claim millions of files.
type boundedReader struct {
	io.ReaderAt
	left int
}

func (r *boundedReader) ReadAt(p []byte, at int64) (int, error) {
	if r.left -= len(p); r.left < 0 {
		return 0, errors.New("its list of files is too long")
	}
	return r.ReaderAt.ReadAt(p, at)
}
