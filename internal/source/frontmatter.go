package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/adrg/frontmatter"
	"gopkg.in/yaml.v3"

	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// headerNesting is how deep a header may be nested. The deepest of tens of
// thousands of real ones has a fraction of it.
const headerNesting = 16

// FrontmatterOptions says how headers are read.
type FrontmatterOptions struct {
	NoRepair bool // refuse what is not YAML as it stands
}

// ReadFrontmatter reads the YAML header of a Markdown file, and no more of the
// file than the chunk that the header ends in. It returns the header as an
// Object with positions in the file, every scalar spelled as the author wrote
// it, or nil if there is no header that can be read. The findings, all of them
// warnings, name each fault and each repair.
func ReadFrontmatter(r io.Reader, file string, o FrontmatterOptions) (*Node, diag.List) {
	h := header{file: file, noRepair: o.NoRepair, input: headerReader{src: r}}
	format := frontmatter.NewFormat("---", "---", func(block []byte, _ any) error {
		h.block, h.input.done = string(block), true // the rest of the file is not read
		return nil
	})
	_, err := frontmatter.MustParse(&h.input, nil, format)
	return h.tree(err), h.found.list
}

// header is the header of one file on its way from bytes to a tree.
type header struct {
	file     string
	noRepair bool
	input    headerReader
	block    string // between the fences
	found    findings
}

// tree returns the header, or reports why there is none.
func (h *header) tree(err error) *Node {
	before, begin := h.opening()
	notFound, tooLarge := errors.Is(err, frontmatter.ErrNotFound), errors.Is(err, errHeaderTooLarge)
	switch {
	case begin == 0 && (notFound || tooLarge):
		message, hint := missing(string(h.input.kept))
		h.warn(diag.SourceFrontmatterMissing, 1, message, hint)
	case err == nil && len(h.block) > MaxHeader, tooLarge:
		h.warn(diag.SourceTooLarge, 1, fmt.Sprintf(
			`the header is longer than %d bytes, or the "---" that closes it is missing`, MaxHeader), closeIt)
	case notFound:
		h.warn(diag.SourceFrontmatterUnclosed, before, "the header is never closed", closeIt)
	case err != nil:
		h.warn(diag.SourceUnreadable, 0, "the file cannot be read: "+files.Reason(err), "check the file and its permissions")
	case h.input.kept[begin+len(h.block)] != '-':
		h.warn(diag.SourceFrontmatterUnclosed, before+1+strings.Count(h.block, "\n"),
			`the "---" that closes the header is indented, so it may be part of the text above`,
			`begin the closing "---" in the first column`)
	default:
		return h.parse(before)
	}
	return nil
}

const closeIt = `close the header with the line "---"`

func (h *header) warn(rule diag.RuleID, line int, message, hint string) {
	h.found.add(diag.New(rule, diag.Span{File: h.file, Line: line, Column: min(line, 1)}, "%s", message).WithHint(hint))
}

// opening returns the line of the "---" that opens the header, and where the block behind
// it begins; 0 and 0 where none opens it. As for the library, blank lines may come before
// it.
func (h *header) opening() (line, begin int) {
	at := 0
	for text := range bytes.Lines(h.input.kept) {
		line++
		at += len(text)
		switch string(bytes.TrimSpace(text)) {
		case "":
		case "---":
			return line, at
		default:
			return 0, 0
		}
	}
	return 0, 0
}

// parse reads the block, which begins behind a number of lines.
func (h *header) parse(before int) *Node {
	r := yamlReader{
		cursor: newCursor(h.file, h.block), before: before,
		invalid: diag.SourceYAMLInvalid, nesting: headerNesting, spelling: true,
	}
	r.line += before
	root, ok := parseYAML(h.block)
	if !ok && !h.noRepair {
		m := repairer{file: h.file, before: before, lines: strings.Split(h.block, "\n")}
		if root, ok = parseYAML(m.repair()); ok {
			h.found = m.found
		}
	}
	var tree *Node
	switch {
	case !ok:
		r.blame()
	case root == nil:
		h.warn(diag.SourceFrontmatterMissing, before, "the header is empty", "write name: and description: between its lines")
	case root.Kind != yaml.MappingNode:
		r.refuse(r.place(root), "the header is not a list of keys with values",
			"write name: and description: there, or start the file with its header")
	default:
		tree = r.tree(root)
	}
	h.found.list = append(h.found.list, r.found.list...)
	return tree
}

// missing says what a file has where a header should begin.
func missing(text string) (message, hint string) {
	const form = `begin the file with the line "---", then name: and description:, then the line "---"`
	if message, hint := notText(text); message != "" {
		return message, hint
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if text == "" {
		return "the file is empty or begins with nothing but white space, expected a header", form
	}
	return fmt.Sprintf(`the file has no header: it begins with %q, expected "---"`,
		diag.Clip(strings.TrimSpace(text))), form
}

var errHeaderTooLarge = errors.New("header too large")

// headerReader reads a file with LF for CRLF and CR, which end a line of YAML like an LF
// (YAML 1.2.2, section 5.4), and without a byte order mark. It keeps what it has read, so
// that places in the file are known and a file without a header can be described. It ends
// when the header is found, and fails where the file has more than a header may have.
type headerReader struct {
	src      io.Reader
	kept     []byte
	done     bool
	carriage bool // the last byte read was a CR, so an LF behind it belongs to it
	marks    int  // bytes of a byte order mark so far
}

// Read implements [io.Reader].
func (r *headerReader) Read(p []byte) (int, error) {
	const rest = 8 << 10 // beside the block: the fences, and the chunk that it ends in
	switch {
	case r.done:
		return 0, io.EOF
	case len(r.kept) > MaxHeader+rest:
		return 0, errHeaderTooLarge
	}
	n, err := r.src.Read(p)
	if n > 0 && r.plain(p[:n]) {
		r.kept = append(r.kept, p[:n]...)
		return n, err
	}
	out := p[:0]
	for _, c := range p[:n] {
		lineFeed := c == '\n' && r.carriage
		r.carriage = c == '\r'
		switch {
		case lineFeed:
		case len(r.kept)+len(out) == 0 && r.marks < len(byteOrderMark) && c == byteOrderMark[r.marks]:
			r.marks++
		case c == '\r':
			out = append(out, '\n')
		default:
			out = append(out, c)
		}
	}
	r.kept = append(r.kept, out...)
	return len(out), err
}

// plain reports whether a chunk, as most are, has nothing that is read otherwise.
func (r *headerReader) plain(chunk []byte) bool {
	begins := len(r.kept) == 0 && (r.marks > 0 || chunk[0] == byteOrderMark[0])
	return !begins && !r.carriage && bytes.IndexByte(chunk, '\r') < 0
}
