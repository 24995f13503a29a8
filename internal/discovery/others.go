package discovery

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Listed reads a card of others, of any version or dialect, as an agent that is listed
// here and published elsewhere. It is nil where that cannot be done.
func Listed(file string, data []byte, limits source.Limits) (*Agent, diag.List) {
	root, found := source.ParseJSONLenient(file, data, limits)
	if root == nil || found.Worst() == diag.Error {
		return nil, found
	}
	for i := range found {
		found[i].Severity = diag.Info
	}
	reading := dialect.Read(root, dialect.ReadOptions{})
	found = slices.Concat(found, reading.Found, reading.Missing)
	if reading.Card == nil || len(reading.Missing) > 0 {
		return nil, found
	}
	a := &Agent{ID: NameID(reading.Card.Name), Card: reading.Card, Data: data, Span: diag.Span{File: file}}
	if len(found) > 0 { // the catalog holds what was made of it
		node, losses := dialect.Convert(reading, reading.Card.Protocol(), schema.WireOptions{})
		if found = append(found, losses...); node == nil {
			return nil, found
		}
		a.Data = schema.Write(node)
	}
	for _, d := range lint.Card(root, lint.Options{}) {
		switch d.Rule {
		case "secret-value", "text-instruction", "text-invisible", "text-lookalike":
			d.Severity = diag.Warning // it is somebody else's, and public already
			found = append(found, d)
		}
	}
	publisher, from := PublisherOf(a.Card, "")
	d := diag.New("catalog-publisher", a.Span, "the publisher is %s, from %s", diag.Quote(publisher), from)
	switch {
	case publisher == "":
		d.Severity, d.Message = diag.Error, "the publisher of the card is unknown, but its identifier must begin with it"
	case !IsDomain(publisher):
		d.Severity = diag.Warning
		d.Message += ", which is not a domain name"
	}
	a.Publisher = publisher
	return a, append(found, d)
}
