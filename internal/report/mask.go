package report

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// WithoutSecrets masks the credentials that findings quote from input.
func WithoutSecrets(found diag.List) diag.List {
	out := slices.Clone(found)
	for i := range out {
		d := &out[i]
		d.Message, d.Hint = secret.MaskText(d.Message), secret.MaskText(d.Hint)
		d.Related = slices.Clone(d.Related)
		for j := range d.Related {
			d.Related[j].Message = secret.MaskText(d.Related[j].Message)
		}
	}
	return out
}

// masked returns a value without the credentials in its texts.
func masked(n *source.Node) *source.Node {
	if n == nil {
		return nil
	}
	out := *n
	if n.Kind == source.String {
		out.Text = secret.MaskText(n.Text)
	}
	out.Items = make([]*source.Node, len(n.Items))
	for i, item := range n.Items {
		out.Items[i] = masked(item)
	}
	out.Members = slices.Clone(n.Members)
	for i, m := range n.Members {
		out.Members[i].Value = masked(m.Value)
	}
	return &out
}
