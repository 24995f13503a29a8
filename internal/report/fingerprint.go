package report

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"cardwright/internal/diag"
)

// fingerprints tell findings of one run apart, and find them again in the next:
// by rule, file and what stands on the line, whatever its number is. A difference
// between cards is found by its identity, wherever it stands.
//
// They have a name of their own: the one that GitHub reads,
// primaryLocationLineHash, its upload action computes, and warns of others.
type fingerprints struct {
	source excerpts
	seen   map[string]int // how often a line drew a finding of a rule
}

// of returns the fingerprint of a finding in a file.
func (f *fingerprints) of(d diag.Diagnostic, file string) string {
	parts := []string{d.Rule, file, f.text(d.Span)}
	if i := d.Identity; i != (diag.Identity{}) {
		parts = []string{d.Rule, i.Agent, i.Key, i.Old, i.New}
	}
	key := strings.Join(parts, "\x00")
	f.seen[key]++
	sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(f.seen[key])))
	return hex.EncodeToString(sum[:16])
}

// text returns the line of a span without its white space. Of a long line, such
// as a card without line breaks, it is what stands around the place.
func (f *fingerprints) text(s diag.Span) string {
	line, ok := f.source.line(s)
	if !ok {
		return ""
	}
	const long, around = 400, 50
	if len(line) > long {
		before, _, rest := f.source.split(line, s)
		line = last(before, around) + first(line[len(line)-len(rest):], around)
	}
	return strings.Join(strings.Fields(line), " ")
}
