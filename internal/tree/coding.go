package tree

import (
	"slices"
	"strings"
)

// Coding is a content coding (RFC 9110 section 8.4.1) in which lists are published
// besides.
type Coding struct {
	Name   string // as in Content-Encoding
	Suffix string // of the path of the file beside the list
}

// Codings are all of them, in the order in which a server prefers them.
func Codings() []Coding { return slices.Clone(codings) }

var codings = []Coding{{"br", ".br"}, {"gzip", ".gz"}}

// Decoded returns the path of the list that the file at p is in a coding, and the name
// of that, or p and "".
func Decoded(p string) (list, coding string) {
	for _, c := range codings {
		if list, ok := strings.CutSuffix(p, c.Suffix); ok && IsList(list) {
			return list, c.Name
		}
	}
	return p, ""
}

// IsList reports whether the file at p lists agents or skills. These are the files that
// grow, and so those that are published in codings.
func IsList(p string) bool { return outputs[rowOf(p)].turn == IndexTurn }
