package source

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// chunk is how much is read at a time: one holds the whole of most headers.
const chunk = 4 << 10

var errHeaderTooLarge = errors.New("header too large")

// fence reads the lines of a file up to the one that closes its header, and
// never beyond the chunk that holds it. It keeps what it has read, so that a
// file without a header can be described.
type fence struct {
	src   io.Reader
	limit int // bytes between the fences

	buf   []byte
	sent  int // how much of buf has been handed out
	next  int // where the line begins that has not been looked at
	lines int // how many have been
	err   error

	carriage bool // the last byte read was a CR, so an LF behind it belongs to it

	opening, closing fenceLine
}

// fenceLine is a line that holds nothing but three dashes.
type fenceLine struct {
	number     int // from 1; 0 if there is none
	start, end int // in buf, line break included
	indented   bool
	odd        string // what it says, when that is more than three dashes
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

// Read implements [io.Reader]. It hands out the file without its byte order
// mark and with LF for CRLF and CR, which end a line of YAML like an LF (YAML
// 1.2.2, section 5.4). It ends where the header ends or cannot begin any more.
func (f *fence) Read(p []byte) (int, error) {
	for f.sent == f.next {
		if f.err != nil {
			return 0, f.err
		}
		f.fill()
	}
	n := copy(p, f.buf[f.sent:f.next])
	f.sent += n
	return n, nil
}

// fill reads one chunk and looks at the lines that are whole by then.
func (f *fence) fill() {
	if len(f.buf) == cap(f.buf) {
		f.buf = slices.Grow(f.buf, chunk)
	}
	n, err := f.src.Read(f.buf[len(f.buf):cap(f.buf)])
	f.keep(f.buf[len(f.buf) : len(f.buf)+n])
	for f.err == nil {
		rest := f.buf[f.next:]
		size := bytes.IndexByte(rest, '\n') + 1
		if size == 0 {
			whole := err != nil || f.opening.number == 0 && len(rest) >= chunk // far too long for a fence
			if len(rest) == 0 || !whole {
				break
			}
			size = len(rest)
		}
		f.line(rest[:size])
		f.next += size
	}
	if f.err == nil {
		f.err = err
	}
	end := len(f.buf)
	if f.closing.number != 0 {
		end = f.closing.start
	}
	if end-f.opening.end > f.limit && (f.opening.number != 0 || f.err == nil) {
		f.err, f.next = errHeaderTooLarge, f.sent
	}
}

// keep appends what was read to buf, which it already stands behind.
func (f *fence) keep(read []byte) {
	if !f.carriage && bytes.IndexByte(read, '\r') < 0 {
		f.buf = f.buf[:len(f.buf)+len(read)]
		return
	}
	for _, c := range read {
		switch {
		case c == '\n' && f.carriage:
		case c == '\r':
			f.buf = append(f.buf, '\n')
		default:
			f.buf = append(f.buf, c)
		}
		f.carriage = c == '\r'
	}
}

// text returns all that was read behind the opening fence, up to the closing
// one where there is one.
func (f *fence) text() string {
	if f.closing.number != 0 {
		return string(f.buf[f.opening.end:f.closing.start])
	}
	return string(f.buf[f.opening.end:])
}

// line looks at the line that begins at f.next.
func (f *fence) line(line []byte) {
	f.lines++
	this := fenceLine{number: f.lines, start: f.next, end: f.next + len(line)}
	if f.lines == 1 && bytes.HasPrefix(line, []byte(byteOrderMark)) {
		f.sent = len(byteOrderMark)
		line = line[f.sent:]
	}
	text := bytes.TrimSpace(line) // as the library does
	dashes, opened := string(text) == "---", f.opening.number != 0
	this.indented = dashes && line[0] != '-'
	if !opened && isOddFence(text) {
		this.odd = string(text)
		copy(text[len("---"):], bytes.Repeat([]byte(" "), len(text))) // what the library wants
	}
	switch {
	case (dashes || this.odd != "") && !opened:
		f.opening = this
	case dashes:
		f.closing, f.err = this, io.EOF
	case !opened && len(text) > 0:
		f.err = io.EOF
	}
}
