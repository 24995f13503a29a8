package preview

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"cardwright/internal/tree"
)

// sidecar is the tag that stands beside a file, "" when there is none that a
// server could use.
func (h *handler) sidecar(name string) string {
	name += tree.ETagSuffix
	if !h.regular(name) {
		return ""
	}
	f, err := h.tree.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	text := make([]byte, len(tree.SidecarText("", tree.ETagSuffix, tree.Digest{})))
	if _, err := io.ReadFull(f, text); err != nil {
		return ""
	}
	digest, ok := tree.ParseDigest(strings.Trim(string(text), "\"\n"))
	if !ok || string(text) != tree.SidecarText("", tree.ETagSuffix, digest) {
		return ""
	}
	return digest.ETag()
}

// computed is the tag of a file that has no sidecar. It leaves the file at its
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
