package publish

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

const (
	// maxDiffSize and maxDiffLines bound the files, in bytes, and the stretch of
	// them between the first and last difference, in lines, that are compared
	// line by line: the time for that grows with the square of the lines.
	maxDiffSize  = 8 << 20
	maxDiffLines = 10_000

	diffContext = 3
)

// unified returns the number of the first line in which before and after
// differ, and the lines of a unified diff between them without their ends.
func unified(name string, before, after []byte) (line int, diff []string) {
	a, b := splitLines(before), splitLines(after)
	head := commonPrefix(a, b)
	tail := commonSuffix(a[head:], b[head:])
	diff = []string{"--- " + name, "+++ " + name + " (generated)"}
	if max(len(before), len(after)) > maxDiffSize || max(len(a), len(b))-head-tail > maxDiffLines {
		return head + 1, append(diff, fmt.Sprintf("@@ -%d +%d @@ too much differs to compare line by line", head+1, head+1))
	}
	skip, keep := max(head-diffContext, 0), max(tail-diffContext, 0)
	h := hunks{a: a[skip : len(a)-keep], b: b[skip : len(b)-keep], skip: skip, lines: diff}
	for _, group := range difflib.NewMatcher(h.a, h.b).GetGroupedOpCodes(diffContext) {
		h.hunk(group)
	}
	return head + 1, h.lines
}

// hunks prints a diff of a and b, in front of which skip lines are left out.
type hunks struct {
	a, b  []string
	skip  int
	lines []string
}

func (h *hunks) hunk(group []difflib.OpCode) {
	first, last := group[0], group[len(group)-1]
	h.lines = append(h.lines, fmt.Sprintf("@@ -%s +%s @@", h.span(first.I1, last.I2), h.span(first.J1, last.J2)))
	for _, op := range group {
		if op.Tag == 'e' {
			h.print(" ", h.a[op.I1:op.I2])
			continue
		}
		h.print("-", h.a[op.I1:op.I2])
		h.print("+", h.b[op.J1:op.J2])
	}
}

// span is a range of lines as a hunk's header has it: an empty one names the
// line before it.
func (h *hunks) span(from, to int) string {
	n := to - from
	from += h.skip
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return strconv.Itoa(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, n)
}

func (h *hunks) print(mark string, lines []string) {
	for _, line := range lines {
		text, ended := strings.CutSuffix(line, "\n")
		h.lines = append(h.lines, mark+text)
		if !ended {
			h.lines = append(h.lines, `\ No newline at end of file`)
		}
	}
}

// splitLines returns the lines of a file, each with its end.
func splitLines(data []byte) []string {
	lines := strings.SplitAfter(string(data), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
