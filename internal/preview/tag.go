package preview

import (
	"crypto/sha256"
	"fmt"
	"io"

	"cardwright/internal/tree"
)

// computed is the tag of a file. It leaves the file at its
// beginning.
func computed(content io.ReadSeeker) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return "", fmt.Errorf("reading a file of the tree: %w", err)
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("reading a file of the tree again: %w", err)
	}
	return tree.Digest(sum.Sum(nil)).ETag(), nil
}
