package mapping

import (
	"strings"
	"unicode"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// present returns the first node that has a text, or nil: empty is absent.
func present(nodes ...*source.Node) *source.Node {
	for _, n := range nodes {
		if text(n) != "" {
			return n
		}
	}
	return nil
}

// text returns the text of a scalar with LF for every line break, no blanks at
// the ends of lines and no white space around it. That of any other node is "".
func text(n *source.Node) string {
	if !n.Scalar() {
		return ""
	}
	return tidy(n.Text)
}

func tidy(s string) string {
	if strings.IndexByte(s, '\n') >= 0 || strings.IndexByte(s, '\r') >= 0 { // ContainsAny takes ten times as long
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			lines[i] = strings.TrimRightFunc(line, unicode.IsSpace)
		}
		s = strings.Join(lines, "\n")
	}
	return strings.TrimSpace(s)
}

// split says what separates the entries of a list that is written as text.
type split string

const (
	splitLines split = "\n"
	splitAll   split = "\n,"
)

// entry is one entry of a list.
type entry struct {
	text string
	span diag.Span
}

// entries returns the entries of a list, empty ones left out. A list may be an
// array, its JSON text, "[a, b]", or text with one entry a line; commas
// separate as well where how says so.
func entries(n *source.Node, how split) []entry {
	if list := parseJSON(n); list.Is(source.Array) {
		n = list
	}
	var out []entry
	if n.Is(source.Array) {
		for _, item := range n.Items {
			if t := text(item); t != "" {
				out = append(out, entry{t, item.Span})
			}
		}
		return out
	}
	all := text(n)
	if how == splitAll && strings.HasPrefix(all, "[") && strings.HasSuffix(all, "]") {
		all = all[1 : len(all)-1]
	}
	if how == splitAll && strings.HasPrefix(all, "- ") { // a list that begins on the line of its key
		all = strings.ReplaceAll(all, " - ", "\n- ")
	}
	for t := range strings.FieldsFuncSeq(all, func(r rune) bool { return strings.ContainsRune(string(how), r) }) {
		t = strings.TrimSpace(t)
		if item, ok := strings.CutPrefix(t, "- "); ok {
			t = strings.TrimSpace(item)
		}
		if how == splitAll {
			t = unquote(t)
		}
		if t != "" {
			out = append(out, entry{t, n.Span})
		}
	}
	return out
}

// unquote takes off a pair of quotes around s.
func unquote(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return strings.TrimSpace(s[1 : len(s)-1])
	}
	return s
}

// parseJSON returns the object or array whose JSON text n is, or nil. It all
// has the place of n.
func parseJSON(n *source.Node) *source.Node {
	t := text(n)
	if !n.Is(source.String) || !strings.HasPrefix(t, "{") && !strings.HasPrefix(t, "[") {
		return nil
	}
	tree, _ := source.ParseJSON("", []byte(t), source.Limits{})
	move(tree, n.Span)
	return tree
}

// move gives a tree one place.
func move(n *source.Node, span diag.Span) {
	if n == nil {
		return
	}
	n.Span = span
	for i := range n.Members {
		n.Members[i].KeySpan = span
		move(n.Members[i].Value, span)
	}
	for _, item := range n.Items {
		move(item, span)
	}
}
