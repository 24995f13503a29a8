package source

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// WriteYAML returns a value as a YAML document in block style. Where remark is
// not nil, what it returns for a scalar or an empty list or map stands behind
// that as a comment.
func WriteYAML(n *Node, remark func(*Node) string) []byte {
	w := yamlWriter{remark: remark}
	w.value(n, 0, false)
	return w.out.Bytes()
}

type yamlWriter struct {
	out    bytes.Buffer
	remark func(*Node) string
}

// value writes a value. inline tells that something stands on its line already.
func (w *yamlWriter) value(n *Node, indent int, inline bool) {
	switch {
	case n.Is(Object) && len(n.Members) > 0:
		w.open(inline)
		for _, m := range n.Members {
			w.indent(indent)
			w.out.WriteString(yamlText(m.Key) + ":")
			w.value(m.Value, indent+1, true)
		}
	case n.Is(Array) && len(n.Items) > 0:
		w.open(inline)
		for _, item := range n.Items {
			w.indent(indent)
			w.out.WriteByte('-')
			if item.Is(Object) && len(item.Members) > 0 {
				w.entry(item, indent+1)
				continue
			}
			w.value(item, indent+1, true)
		}
	default:
		w.scalar(n, inline)
	}
}

// entry writes an object of a list, its first member behind the dash.
func (w *yamlWriter) entry(n *Node, indent int) {
	for i, m := range n.Members {
		if i == 0 {
			w.out.WriteByte(' ')
		} else {
			w.indent(indent)
		}
		w.out.WriteString(yamlText(m.Key) + ":")
		w.value(m.Value, indent+1, true)
	}
}

func (w *yamlWriter) open(inline bool) {
	if inline {
		w.out.WriteByte('\n')
	}
}

func (w *yamlWriter) indent(levels int) { w.out.WriteString(strings.Repeat("  ", levels)) }

func (w *yamlWriter) scalar(n *Node, inline bool) {
	if inline {
		w.out.WriteByte(' ')
	}
	switch {
	case n == nil || n.Kind <= Null:
		w.out.WriteString("null")
	case n.Kind == Object:
		w.out.WriteString("{}")
	case n.Kind == Array:
		w.out.WriteString("[]")
	case n.Kind == String:
		w.out.WriteString(yamlText(n.Text))
	default:
		w.out.WriteString(n.Text)
	}
	if w.remark != nil && n != nil {
		if text := w.remark(n); text != "" {
			w.out.WriteString(" # " + text)
		}
	}
	w.out.WriteByte('\n')
}

var (
	// yamlPlain matches texts that need no quotes wherever they stand.
	yamlPlain = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9_./+-]*(:[A-Za-z0-9_./+-]+)*( [A-Za-z0-9_./+,()-]+)*$`)
	// yamlWord matches texts that some parser takes for no text.
	yamlWord = regexp.MustCompile(`(?i)^(true|false|null|yes|no|on|off|y|n)$`)
)

// yamlText spells a text, in double quotes where that is safer.
func yamlText(s string) string {
	if yamlPlain.MatchString(s) && !yamlWord.MatchString(s) {
		return s
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always can be
	return strings.TrimSuffix(b.String(), "\n")
}
