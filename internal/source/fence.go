package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// chunk is how much is read at a time: one holds the whole of most headers.
const chunk = 4 << 10

var errHeaderTooLarge = errors.New("header too large")

// normal reads a file with LF for CRLF and CR, which end a line of YAML like an LF
// (YAML 1.2.2, section 5.4). It keeps what it has read, so that a file without a
// header can be described, and stops where that is more than any header may have.
type normal struct {
	src      io.Reader
	most     int // bytes
	buf      []byte
	err      error
	carriage bool // the last byte read was a CR, so an LF behind it belongs to it
}

// Read implements [io.Reader].
func (r *normal) Read(p []byte) (int, error) {
	if len(r.buf) > r.most {
		return 0, errHeaderTooLarge
	}
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.src.Read(p)
	r.err = err
	if !r.carriage && bytes.IndexByte(p[:n], '\r') < 0 {
		r.buf = append(r.buf, p[:n]...)
		return n, err
	}
	kept := p[:0]
	for _, c := range p[:n] {
		switch {
		case c == '\n' && r.carriage:
		case c == '\r':
			kept = append(kept, '\n')
		default:
			kept = append(kept, c)
		}
		r.carriage = c == '\r'
	}
	r.buf = append(r.buf, kept...)
	return len(kept), err
}

// opening is the line that opens a header.
type opening struct {
	number   int // from 1; 0 if there is none
	end      int // in the file, line break included
	indented bool
	odd      string // what it says, when that is more than three dashes
}

// findOpening looks for the opening in what the reader holds, up to and with the first
// line that is not blank, and skips a byte order mark. For the library, which wants
// three dashes alone, an odd one loses the rest.
func findOpening(lines *bufio.Reader) (o opening) {
	marked, _ := lines.Peek(len(byteOrderMark))
	if string(marked) == byteOrderMark {
		o.end, _ = lines.Discard(len(byteOrderMark))
	}
	start, number := 0, 1
	for {
		held, _ := lines.Peek(lines.Buffered())
		line, _, whole := bytes.Cut(held[start:], []byte("\n"))
		text := bytes.TrimSpace(line) // as the library does
		switch {
		case whole && len(text) == 0:
			start, number = start+len(line)+1, number+1
			continue
		case !whole:
			if more, _ := lines.Peek(len(held) + 1); len(more) > len(held) {
				continue
			}
		}
		dashes := string(text) == "---"
		if !dashes && !isOddFence(text) {
			return opening{}
		}
		if !dashes {
			o.odd = string(text)
			copy(text[len("---"):], bytes.Repeat([]byte(" "), len(text)))
		}
		o.number, o.indented = number, dashes && line[0] != '-'
		o.end += start + len(line)
		if whole {
			o.end++
		}
		return o
	}
}

// isOddFence reports whether a line opens a header for readers that only look at
// how it begins.
func isOddFence(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("---"))
	if !ok || len(rest) == 0 {
		return false
	}
	rest = bytes.TrimSpace(rest)
	return len(bytes.Trim(rest, "-")) == 0 || string(rest) == "yaml" || string(rest) == "yml"
}
