package publish

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// claim is one file that an interrupted run may have left: its path, and the bytes
// that the run was about to write there. Of one path there may be several.
type claim struct {
	path string
	sum  tree.Digest
}

// A journal names what the runs since the last complete one were about to write, in
// the lines of sha256sum. It is there before the first of these files, each run that
// is interrupted adds to it, and the run that ends well removes it. So whatever was
// begun how often, all that may stand there is known.
func journalFile(claims []claim) tree.File {
	slices.SortFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.path, b.path), bytes.Compare(a.sum[:], b.sum[:]))
	})
	var text []byte
	for _, c := range slices.Compact(claims) {
		text = fmt.Appendf(text, "%s  %s\n", c.sum, c.path)
	}
	return tree.File{Path: tree.JournalName, Data: text}
}

// readClaims reads a journal. Like every committed file it is input: a line that
// names no file of a tree claims nothing.
func readClaims(journal []byte) []claim {
	var claims []claim
	for line := range strings.Lines(string(journal)) {
		sum, p, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "  ")
		if d, ok := tree.ParseDigest(sum); ok && tree.PathFault(p) == "" {
			claims = append(claims, claim{p, d})
		}
	}
	return claims
}

// conflicted reports whether git has left a conflict in a file.
func conflicted(data []byte) bool {
	ours, _ := source.Sides(data)
	return ours != nil
}
