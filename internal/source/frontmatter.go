package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/adrg/frontmatter"
	"gopkg.in/yaml.v3"

	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// Rules of the findings about headers.
const (
	ruleMissing    = "source-frontmatter-missing"
	ruleOpening    = "source-frontmatter-opening"
	ruleUnclosed   = "source-frontmatter-unclosed"
	ruleInvalid    = "source-yaml-invalid"
	ruleRepaired   = "source-yaml-repaired"
	ruleEscape     = "source-escape-dropped"
	ruleTwice      = "source-yaml-duplicate"
	ruleTooLarge   = "source-too-large"
	ruleUnreadable = "source-unreadable"
)

// headerNesting is how deep a header may be nested. The deepest of tens of
// thousands of real ones has a fraction of it.
const headerNesting = 16

// FrontmatterOptions says how headers are read.
type FrontmatterOptions struct {
	Limits   Limits
	NoRepair bool // leave out what cannot be read as it stands
}

// ReadFrontmatter reads the YAML header of a Markdown file, and no more of the
// file than the chunk that the header ends in. It returns the header as an
// Object with positions in the file, every scalar spelled as the author wrote
// it, or nil if there is no header that can be read or repaired. The findings,
// all of them warnings, name each fault and each repair. Where there are any,
// the Text of the header is all that its lines say, for those who must not rely
// on a repair, each at its place among the lines of the file.
func ReadFrontmatter(r io.Reader, file string, o FrontmatterOptions) (*Node, diag.List) {
	s, _ := scratches.Get().(*scratch)
	if s == nil {
		s = &scratch{lines: bufio.NewReaderSize(nil, chunk)}
	}
	defer scratches.Put(s)
	h := header{
		file:     file,
		noRepair: o.NoRepair,
		limit:    o.Limits.WithDefaults().Frontmatter,
	}
	h.input = normal{src: r, most: h.limit + 2*chunk, buf: s.kept[:0]}
	s.lines.Reset(&h.input)
	tree := h.read(s.lines)
	s.lines.Reset(nil)
	if found := Conflict(file, h.input.buf); found != nil { // which a repair would read as text
		return nil, found
	}
	if tree != nil && h.found.list != nil {
		tree.Text = strings.Repeat("\n", h.opening.number) + h.text
	}
	return tree, h.found.list
}

// scratch is what reading one file takes and the next one can use again: a
// third of all memory, where tens of thousands of small files are read.
type scratch struct {
	kept  [chunk]byte
	lines *bufio.Reader
}

var scratches sync.Pool

// header is the header of one file on its way from bytes to a tree.
type header struct {
	file     string
	noRepair bool
	limit    int // bytes between the fences
	input    normal
	opening  opening
	text     string // between the fences, or all behind the opening where none closes it
	found    findings
}

func (h *header) read(lines *bufio.Reader) *Node {
	h.opening = findOpening(lines)
	keep := func(data []byte, _ any) error {
		h.text = string(data)
		return errKept
	}
	_, err := frontmatter.MustParse(lines, nil, frontmatter.NewFormat("---", "---", keep))
	closed := errors.Is(err, errKept)
	if closed {
		err = nil
	} else {
		h.text = string(h.input.buf[h.opening.end:])
	}
	if len(h.text) > h.limit && (closed || errors.Is(err, frontmatter.ErrNotFound)) {
		err = errHeaderTooLarge
	}
	opening, closing := h.opening, h.opening.number+strings.Count(h.text, "\n")+1
	switch {
	case opening.number == 0 && (closed || errors.Is(err, frontmatter.ErrNotFound) || errors.Is(err, errHeaderTooLarge)):
		line, message, hint := missing(string(bytes.TrimPrefix(h.input.buf, []byte(byteOrderMark))))
		h.warn(ruleMissing, h.line(line), message, hint)
	case errors.Is(err, errHeaderTooLarge):
		h.warn(ruleTooLarge, h.line(1),
			fmt.Sprintf(`the header is longer than %d bytes, or the "---" that closes it is missing`, h.limit),
			`close the header with the line "---", or `+raise("frontmatter"))
	case errors.Is(err, frontmatter.ErrNotFound):
		return h.unclosed(h.text)
	case err != nil:
		h.warn(ruleUnreadable, diag.Span{File: h.file}, "the file cannot be read: "+files.Reason(err),
			"check the file and its permissions")
	case h.input.buf[opening.end+len(h.text)] != '-':
		h.warn(ruleUnclosed, h.line(closing),
			`the "---" that closes the header is indented, so it may be part of the text above`,
			`begin the closing "---" in the first column`)
	case opening.odd != "" && h.noRepair:
		h.warn(ruleMissing, h.line(opening.number), fmt.Sprintf(`the header begins with %q, expected "---"`,
			diag.Clip(opening.odd)), `write "---" there`)
	case (opening.number > 1 || opening.indented) && h.noRepair:
		h.warn(ruleMissing, h.line(opening.number), `the header does not begin with "---" in the first column of line 1`,
			"remove the white space before it")
	default:
		if opening.odd != "" {
			h.warn(ruleOpening, h.line(opening.number), fmt.Sprintf(`the header begins with %q, it is read as "---"`,
				diag.Clip(opening.odd)), `write "---" there`)
		}
		if opening.number > 1 || opening.indented {
			h.warn(ruleOpening, h.line(opening.number),
				`the header does not begin in the first column of line 1, it is read as if it did`,
				"remove the white space before it")
		}
		return h.tree(h.text)
	}
	return nil
}

// errKept ends the reading of a file whose header is known, before the library makes
// room for the rest of it.
var errKept = errors.New("header kept")

func (h *header) warn(rule string, span diag.Span, message, hint string) {
	h.found.add(diag.New(rule, span, "%s", message).WithHint(hint))
}

// line returns the place of a line of the file.
func (h *header) line(n int) diag.Span { return diag.Span{File: h.file, Line: n, Column: 1} }

// missing tells what a file has where a header should begin, and on which line.
func missing(text string) (line int, message, hint string) {
	const form = `begin the file with the line "---", then name: and description:, then the line "---"`
	if path, ok := linkTarget(text); ok {
		const linked = "the file holds nothing but the path %q: git writes such a file in the place of a symbolic link"
		return 1, fmt.Sprintf(linked, diag.Clip(path)),
			"check the repository out with core.symlinks=true, or exclude the file"
	}
	if message, hint := notText(text); message != "" {
		return 1, message, hint
	}
	if strings.TrimSpace(text) == "" {
		return 1, "the file is empty or begins with nothing but white space, expected a header", form
	}
	lines := strings.Split(text, "\n")
	begin := slices.IndexFunc(lines, func(line string) bool { return strings.TrimSpace(line) != "" })
	found := diag.Clip(strings.TrimSpace(lines[begin]))
	fenced := opensCode(lines[begin])
	inside := fenced
	for i := begin + 1; i+1 < len(lines); i++ {
		bare := strings.TrimSpace(lines[i])
		_, _, key := splitKey(lines[i+1])
		switch {
		case opensCode(bare):
			inside = !inside
			fenced = false
		case bare != "---" || !key:
		case fenced:
			return begin + 1, fmt.Sprintf("the header is in a code block that %q opens, expected it on line 1", found),
				"delete that line, and the one that closes the block"
		case !inside:
			return i + 1, fmt.Sprintf(`the "---" of the header comes after other text, %q, expected it on line 1`, found),
				"move that text below the header"
		}
	}
	return begin + 1, fmt.Sprintf(`the file has no header: it begins with %q, expected "---"`, found), form
}

// unclosed reads a header of which only the beginning is known, if its end can
// be guessed.
func (h *header) unclosed(text string) *Node {
	if block, ok := beforeBody(text); ok && !h.noRepair {
		if tree := h.tree(block); tree != nil {
			h.found.add(h.guessed(block))
			return tree
		}
		h.found = findings{} // one reason is enough
	}
	h.warn(ruleUnclosed, h.line(h.opening.number), "the header is never closed", closeIt)
	return nil
}

const closeIt = `close the header with the line "---"`

// guessed is the finding that block is read as a whole header, although no line
// closes it.
func (h *header) guessed(block string) diag.Diagnostic {
	opening := h.opening.number
	return diag.New(ruleUnclosed, h.line(opening),
		`the header is not closed before the text begins, it is read as if "---" stood on line %d`,
		opening+1+strings.Count(block, "\n")).
		WithHint(closeIt)
}

// tree reads the block between the fences.
func (h *header) tree(block string) *Node {
	r := h.reader(block)
	root, ok := r.parse()
	if !ok {
		if plain := likeJSON(block); plain != block {
			block = plain
			r = h.reader(block)
			root, ok = r.parse()
		}
	}
	if ok && hasOddIndent(root) {
		ok = false // a key seems to be where it is not
	}
	if !ok && !h.noRepair {
		if repaired, to := h.repair(block); to != nil {
			r, root, ok = repaired, to, true
		}
	}
	var tree *Node
	switch {
	case !ok:
		r.blame()
	case root == nil:
		h.warn(ruleMissing, h.line(h.opening.number), "the header is empty",
			"write name: and description: between its lines")
	case root.Kind != yaml.MappingNode:
		r.refuse(r.place(root), "the header is not a list of keys with values",
			"write name: and description: there, or start the file with its header")
	default:
		tree = r.tree(root)
	}
	for _, d := range r.found.list {
		h.found.add(d)
	}
	return tree
}

// reader returns the reader for the text of the block.
func (h *header) reader(text string) *yamlReader {
	rules := yamlRules{
		invalid: ruleInvalid, duplicate: ruleTwice,
		nesting: headerNesting, raiseNesting: "write it flatter",
		spelling: true, before: h.opening.number,
	}
	if !h.noRepair {
		rules.repaired = ruleRepaired
	}
	return newYAMLReader(h.file, text, rules)
}

// beforeBody returns the part of text that precedes the first line "..." or
// the first blank line before a Markdown heading.
func beforeBody(text string) (string, bool) {
	end, blank := 0, -1 // of the lines so far; where the last blank lines begin
	for line := range strings.Lines(text) {
		switch bare := strings.TrimSpace(line); {
		case bare == "..." && line[0] == '.':
			return text[:end], true
		case bare == "" && blank < 0:
			blank = end
		case bare == "":
		case blank >= 0 && heading(line):
			return text[:blank], true
		default:
			blank = -1
		}
		end += len(line)
	}
	return "", false
}

// heading reports whether line is a Markdown heading.
func heading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	level := len(line) - len(rest)
	return level > 0 && level <= 6 && strings.HasPrefix(rest, " ")
}
