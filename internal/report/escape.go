package report

import (
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// Escape makes a line that may quote input safe to print. Characters that a
// terminal would act on, or that a reader cannot see, show as \u escapes:
// controls, bidirectional and zero-width characters, tags, variation selectors,
// line and paragraph separators. A tab stays. What GitHub Actions would take for
// a workflow command is escaped as well: "::" at the beginning of a line, white
// space aside, and "##[" anywhere.
func Escape(line string) string {
	line = inline(line)
	if rest := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		line = strings.TrimSuffix(line, rest) + `\u003a` + rest[1:]
	}
	return line
}

// Line prints a line without credentials, and with control characters shown escaped.
func Line(w io.Writer, text string) error {
	_, err := io.WriteString(w, line(text))
	return err
}

func line(text string) string { return Escape(secret.MaskText(text)) + "\n" }

// inline is [Escape] for text that does not begin a line.
func inline(s string) string {
	if strings.ContainsFunc(s, hidden) || strings.Contains(s, "##[") {
		return strings.Join(cells(s), "")
	}
	return s
}

// cells returns how each character of s is shown.
func cells(s string) []string {
	shown := make([]string, 0, len(s))
	for _, r := range s {
		n := len(shown)
		if r == '[' && n >= 2 && shown[n-1] == "#" && shown[n-2] == "#" {
			shown = append(shown, diag.Escape(r))
			continue
		}
		shown = append(shown, visible(r))
	}
	return shown
}

func visible(r rune) string {
	switch {
	case !hidden(r):
		return string(r)
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	}
	return diag.Escape(r)
}

// hidden reports whether a reader cannot see r as what it is. Bytes that are no
// UTF-8 count as U+FFFD.
func hidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r != '\t' && (r < ' ' || r == 0x7f)
	}
	return r == utf8.RuneError || diag.Invisible(r)
}

// withoutSecrets masks the credentials that findings quote from input, and those in
// the names of files and in pointers.
func withoutSecrets(found diag.List) diag.List {
	out := slices.Clone(found)
	known := map[string]string{} // hints and files repeat
	mask := func(text string) string {
		masked, ok := known[text]
		if !ok {
			masked = secret.MaskText(text)
			known[text] = masked
		}
		return masked
	}
	for i := range out {
		d := &out[i]
		d.Message, d.Hint = mask(d.Message), mask(d.Hint)
		d.Span.File, d.Pointer = mask(d.Span.File), maskedKey(d.Pointer)
		d.Related = slices.Clone(d.Related)
		for j := range d.Related {
			r := &d.Related[j]
			r.Message, r.Span.File = mask(r.Message), mask(r.Span.File)
		}
	}
	return out
}

// maskedKey returns a pointer without the credentials in its names.
func maskedKey(key string) string {
	if !strings.HasPrefix(key, "/") {
		return secret.MaskText(key)
	}
	var out string
	for token := range source.Tokens(key) {
		out = source.Pointer(out, secret.MaskText(token))
	}
	return out
}

// MaskedNode returns a value without the credentials in its texts and in the names of
// its members.
func MaskedNode(n *source.Node) *source.Node {
	if n == nil {
		return nil
	}
	out := *n
	if n.Kind == source.String {
		out.Text = secret.MaskText(n.Text)
	}
	out.Items = make([]*source.Node, len(n.Items))
	for i, item := range n.Items {
		out.Items[i] = MaskedNode(item)
	}
	out.Members = slices.Clone(n.Members)
	for i, m := range n.Members {
		out.Members[i].Key, out.Members[i].Value = secret.MaskText(m.Key), MaskedNode(m.Value)
	}
	return &out
}
