package convert

import (
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Options say how the text of a card is converted.
type Options struct {
	// To is the version, or the versions, that the card is written for.
	To schema.Protocol
	// Set holds members that count before what the document says, by the names
	// that [schema.Settable] lists.
	Set map[string]string
	// DropUnknown leaves out the members that no version of A2A knows.
	DropUnknown bool
	// Strict makes an error of every value that would be assumed.
	Strict bool
}

// Text converts the text of a card. It returns nil where no valid card comes out,
// and all findings.
func Text(file string, data []byte, o Options) (*source.Node, diag.List) {
	root, found := source.ParseJSONLenient(file, data)
	if root == nil || found.Worst() == diag.Error {
		return nil, found
	}
	for i := range found {
		found[i].Severity = diag.Info // such repairs lose nothing
	}
	reading := Read(root, ReadOptions{Set: o.Set, DropUnknown: o.DropUnknown})
	node, losses := Convert(reading, o.To)
	found = slices.Concat(found, reading.Found, reading.Missing, losses)
	for i := range found {
		found[i] = o.judged(found[i])
	}
	if node == nil || found.Worst() == diag.Error {
		return nil, found
	}
	if most := max(source.MaxCard, 4*len(data)); schema.Size(node) > most {
		return nil, append(found, diag.New(diag.SourceInvalid, diag.Span{File: file},
			"the converted card has more than %d bytes, because it is deeply nested", most))
	}
	return node, found
}

// judged returns a finding as the options want it, with the flag that sets what is
// missing or assumed.
func (o Options) judged(d diag.Diagnostic) diag.Diagnostic {
	assumed := d.Rule == diag.ConvertAssumed || d.Rule == diag.ConvertEndpoints && d.Severity == diag.Warning
	if o.Strict && assumed {
		d.Severity = diag.Error
	}
	key := strings.TrimPrefix(d.Pointer, "/")
	if (assumed || d.Severity == diag.Error) && slices.Contains(schema.Settable(), key) {
		d.Hint = fmt.Sprintf("set it with --set %s=…", key)
	}
	return d
}

// ParseSet reads members that are set, each KEY=VALUE.
func ParseSet(assignments []string) (map[string]string, error) {
	set := map[string]string{}
	for _, s := range assignments {
		key, value, _ := strings.Cut(s, "=")
		if !slices.Contains(schema.Settable(), key) {
			hint := diag.Hint(key, schema.Settable(), "one of "+strings.Join(schema.Settable(), ", "))
			return nil, diag.UsageError(hint, "unknown key %s for --set", diag.Quote(key))
		}
		if value == "" {
			return nil, diag.UsageError("", "--set %s needs a value", key)
		}
		set[key] = value
	}
	return set, nil
}
