package report

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// WithoutSecrets masks the credentials that findings quote from input, and those in
// the names of files and in pointers.
func WithoutSecrets(found diag.List) diag.List {
	out := slices.Clone(found)
	known := map[string]string{} // hints, owners and files repeat
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
		d.Message, d.Hint, d.Owner = mask(d.Message), mask(d.Hint), mask(d.Owner)
		d.Span.File, d.Pointer = mask(d.Span.File), maskedKey(d.Pointer)
		d.Derived = MaskedNode(source.NewTexts(d.Derived)).Words()
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
