package schema

import (
	"bytes"
	"strings"

	"cardwright/internal/parallel"
	"cardwright/internal/source"
)

// WriteYAML returns a value as a YAML document in block style. Where remark is
// not nil, what it returns for a scalar or an empty list or map stands behind
// that as a comment.
func WriteYAML(n *source.Node, remark func(*source.Node) string) []byte {
	w := yamlWriter{remark: remark}
	w.value(n, 0, false)
	return w.out.Bytes()
}

type yamlWriter struct {
	out    bytes.Buffer
	remark func(*source.Node) string
}

// value writes a value. inline tells that something stands on its line already.
func (w *yamlWriter) value(n *source.Node, indent int, inline bool) {
	switch {
	case n.Is(source.Object) && len(n.Members) > 0:
		w.open(inline)
		w.members(n, indent, false)
	case n.Is(source.Array) && len(n.Items) > 0:
		w.open(inline)
		for _, item := range n.Items {
			w.indent(indent)
			w.out.WriteByte('-')
			if item.Is(source.Object) && len(item.Members) > 0 {
				w.members(item, indent+1, true)
				continue
			}
			w.value(item, indent+1, true)
		}
	default:
		w.scalar(n, inline)
	}
}

// members writes those of an object, the first of them behind the dash of a list
// where there is one.
func (w *yamlWriter) members(n *source.Node, indent int, dash bool) {
	for i, m := range n.Members {
		if i == 0 && dash {
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

func (w *yamlWriter) scalar(n *source.Node, inline bool) {
	if inline {
		w.out.WriteByte(' ')
	}
	switch {
	case n.Is(source.String):
		w.out.WriteString(yamlText(n.Text))
	case n.Scalar():
		w.out.WriteString(n.Text)
	default:
		w.out.WriteString(WriteCompact(n))
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
	yamlPlain = parallel.Regexp(`^[A-Za-z/][A-Za-z0-9_./+-]*(:[A-Za-z0-9_./+-]+)*( [A-Za-z0-9_./+,()-]+)*$`)
	// yamlWord matches texts that some parser takes for no text.
	yamlWord = parallel.Regexp(`(?i)^(true|false|null|yes|no|on|off|y|n)$`)
)

// yamlText spells a text, in double quotes where that is safer.
func yamlText(s string) string {
	if yamlPlain().MatchString(s) && !yamlWord().MatchString(s) {
		return s
	}
	return string(appendText(nil, s))
}
