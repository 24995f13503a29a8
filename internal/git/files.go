package git

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
)

const (
	// mostListed and mostContent limit, in bytes, the list of files in a commit
	// and the content that git prints.
	mostListed  = 64 << 20
	mostContent = 256 << 20
)

// File is a file in a commit.
type File struct {
	Path string // slash path relative to the root of the work tree
	Size int    // bytes
	Link bool   // a symbolic link
	Data []byte // nil for a link, and for more bytes than were asked for
	id   string
}

// Files returns the files of a commit that are wanted, at or below the paths, in
// bytewise order. Paths are slash paths relative to the root, "." for all of it.
// Files of more bytes than bound come without their data.
func (r Repository) Files(ctx context.Context, commit string, paths []string, bound int,
	wanted func(file string) bool,
) ([]File, error) {
	files, err := r.list(ctx, commit, paths, wanted)
	if err != nil {
		return nil, err
	}
	return files, r.fill(ctx, files, bound)
}

func (r Repository) list(ctx context.Context, commit string, paths []string, wanted func(string) bool) ([]File, error) {
	if slices.Contains(paths, ".") {
		paths = nil
	}
	out, err := r.run(ctx, nil, mostListed, slices.Concat([]string{"ls-tree", "-r", "-z", "--long", commit, "--"},
		paths)...)
	if err != nil {
		return nil, r.explain(err)
	}
	var files []File
	for entry := range strings.SplitSeq(string(out), "\x00") {
		meta, file, _ := strings.Cut(entry, "\t")
		words := strings.Fields(meta) // mode, type, id, size
		if len(words) != 4 || words[1] != "blob" || !wanted(file) || !objectID().MatchString(words[2]) {
			continue
		}
		size, err := strconv.Atoi(words[3])
		if err != nil {
			return nil, lacking(file)
		}
		files = append(files, File{Path: file, id: words[2], Size: size, Link: words[0] == "120000"})
	}
	return files, nil
}

// fill reads the files, except links and files above the limit.
func (r Repository) fill(ctx context.Context, files []File, bound int) error {
	var ids bytes.Buffer
	var asked []*File
	total := 0
	for i := range files {
		if f := &files[i]; !f.Link && f.Size <= bound {
			fmt.Fprintln(&ids, f.id)
			asked, total = append(asked, f), total+f.Size+1<<7
		}
	}
	if total > mostContent {
		return failure("name a directory with fewer cards", "the cards in the commit have more than %d bytes", mostContent)
	}
	if len(asked) == 0 {
		return nil
	}
	out, err := r.run(ctx, ids.Bytes(), total, "cat-file", "--batch")
	if err != nil {
		return r.explain(err)
	}
	for _, f := range asked {
		header, rest, _ := bytes.Cut(out, []byte("\n"))
		if string(header) != fmt.Sprintf("%s blob %d", f.id, f.Size) || len(rest) <= f.Size {
			return lacking(f.Path)
		}
		f.Data, out = rest[:f.Size], rest[f.Size+1:]
	}
	return nil
}

// lacking says that a partial clone has a file in name only.
func lacking(file string) error {
	return failure("fetch the whole commit, without --filter", "git does not have the content of %s", diag.Quote(file))
}
