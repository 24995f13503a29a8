package report

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// WithoutSecrets masks the credentials that findings quote from input.
func WithoutSecrets(found diag.List) diag.List {
	out := slices.Clone(found)
	for i := range out {
		d := &out[i]
		d.Message, d.Hint, d.Owner = secret.MaskText(d.Message), secret.MaskText(d.Hint), secret.MaskText(d.Owner)
		d.Related = slices.Clone(d.Related)
		for j := range d.Related {
			d.Related[j].Message = secret.MaskText(d.Related[j].Message)
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
