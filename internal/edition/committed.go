package edition

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"cardwright/internal/git"
)

// committedConfig shows the files that a configuration may consist of as they are
// in a commit.
func committedConfig(ctx context.Context, repo git.Repository, commit string, config git.File) (fs.FS, error) {
	files := []git.File{config}
	if bytes.Contains(config.Data, []byte("include")) || bytes.Contains(config.Data, []byte("extends")) {
		const limit = 1 << 20 // of a source
		var err error
		files, err = repo.Files(ctx, commit, []string{"."}, limit, func(file string) bool {
			return slices.Contains([]string{".yaml", ".yml"}, path.Ext(file)) ||
				bytes.Contains(config.Data, []byte(path.Base(file)))
		})
		if err != nil {
			return nil, gitError(err)
		}
	}
	return packed(files)
}

// packed returns a file system that holds files of a commit, but no links and
// none that are too large to have been read.
func packed(files []git.File) (fs.FS, error) {
	var data bytes.Buffer
	w := zip.NewWriter(&data)
	for _, f := range files {
		if f.Data == nil {
			continue
		}
		entry, err := w.CreateHeader(&zip.FileHeader{Name: f.Path, Method: zip.Store})
		if err == nil {
			_, err = entry.Write(f.Data)
		}
		if err != nil {
			return nil, fmt.Errorf("packing %s: %w", f.Path, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("packing the configuration: %w", err)
	}
	return zip.NewReader(bytes.NewReader(data.Bytes()), int64(data.Len()))
}
