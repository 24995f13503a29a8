package report

import (
	"io"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// JSON prints findings as one object, described by the JSON Schema
// "diagnostics". Extra members stand between the findings and the summary.
func JSON(w io.Writer, found diag.List, extra ...source.Member) error {
	summary := &source.Node{Kind: source.Object}
	summary.Set("errors", source.NewInt(found.Count(diag.Error)))
	summary.Set("warnings", source.NewInt(found.Count(diag.Warning)))
	summary.Set("infos", source.NewInt(found.Count(diag.Info)))

	root := &source.Node{Kind: source.Object}
	root.Set("version", source.NewInt(1))
	root.Members = append(root.Members, Findings("diagnostics", found))
	root.Members = append(root.Members, extra...)
	root.Set("summary", summary)
	return Document(w, root)
}

// Findings returns a member of [JSON] that holds findings.
func Findings(key string, found diag.List) source.Member {
	list := &source.Node{Kind: source.Array}
	for _, d := range found {
		list.Items = append(list.Items, finding(d))
	}
	return source.Member{Key: key, Value: list}
}

func finding(d diag.Diagnostic) *source.Node {
	n := &source.Node{Kind: source.Object}
	n.SetText("rule", d.Rule)
	n.SetText("severity", d.Severity.String())
	n.SetText("message", d.Message)
	n.SetText("file", d.Span.File)
	setKnown(n, "line", d.Span.Line)
	setKnown(n, "column", d.Span.Column)
	setKnown(n, "endLine", d.Span.EndLine)
	setKnown(n, "endColumn", d.Span.EndColumn)
	n.SetText("pointer", d.Pointer)
	n.SetText("hint", d.Hint)
	n.SetText("owner", d.Owner)
	if len(d.Related) > 0 {
		related := &source.Node{Kind: source.Array}
		for _, r := range d.Related {
			item := &source.Node{Kind: source.Object}
			item.SetText("file", r.Span.File)
			setKnown(item, "line", r.Span.Line)
			setKnown(item, "column", r.Span.Column)
			item.SetText("message", r.Message)
			related.Items = append(related.Items, item)
		}
		n.Set("related", related)
	}
	n.SetTexts("derived", d.Derived)
	return n
}

// setKnown sets a line or column unless it is unknown.
func setKnown(n *source.Node, key string, value int) {
	if value != 0 {
		n.Set(key, source.NewInt(value))
	}
}

// writeJSON prints a value. What [Escape] makes visible is spelled as JSON
// escapes: the same to a parser, and inert in a terminal or a log. Such
// characters stand in strings only, JSON itself has none.
func writeJSON(w io.Writer, root *source.Node) error {
	_, err := w.Write(legible(schema.Write(root)))
	return err
}

// Document prints a value as JSON, without credentials.
func Document(w io.Writer, root *source.Node) error { return writeJSON(w, MaskedNode(root)) }

// YAML prints a value as YAML, without credentials. remark is as for
// [schema.WriteYAML].
func YAML(w io.Writer, root *source.Node, remark func(*source.Node) string) error {
	_, err := w.Write(legible(schema.WriteYAML(MaskedNode(root), remark)))
	return err
}

// legible spells what nobody sees as JSON escapes.
func legible(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r != '\n' && hidden(r), r == '[' && i >= 2 && data[i-1] == '#' && data[i-2] == '#':
			out = append(out, diag.EscapeJSON(r)...)
		default:
			out = append(out, data[i:i+size]...)
		}
		i += size
	}
	return out
}
