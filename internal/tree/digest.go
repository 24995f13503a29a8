package tree

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest is the SHA-256 of the bytes of a file.
type Digest [sha256.Size]byte

// DigestOf returns the digest of data.
func DigestOf(data []byte) Digest { return sha256.Sum256(data) }

// ParseDigest reads what [Digest.String] returns, and nothing else.
func ParseDigest(text string) (Digest, bool) {
	var d Digest
	n, err := hex.Decode(d[:], []byte(text[:min(len(text), 2*len(d))]))
	return d, err == nil && n == len(d) && d.String() == text
}

// String returns the digest in lower-case hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// ETag returns the strong entity tag (RFC 9110 section 8.8.3) of the bytes.
func (d Digest) ETag() string { return `"` + d.String() + `"` }
