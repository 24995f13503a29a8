package probe

import (
	"context"
	"slices"
	"time"

	"cardwright/internal/cardfile"
	"cardwright/internal/contract"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/diff"
	"cardwright/internal/source"
)

// CaptureOptions say which card is captured.
type CaptureOptions struct {
	URL      string
	Given    *cardfile.Promise     // a card that the user has fetched, in place of a URL
	Headers  []contract.Credential // that the extended card is asked for with
	Extended bool                  // the card for authenticated clients
	Timeout  time.Duration
	NewID    func() string // a fresh UUID
}

// Captured is a card that an agent serves, as a source file has it.
type Captured struct {
	Node   *source.Node
	Found  diag.List // what the source file does not say
	Form   string    // what the card is written in
	Skills int
}

// Capture asks an agent for its card.
func Capture(ctx context.Context, o CaptureOptions) (*Captured, error) {
	served, err := o.Given, error(nil)
	if served == nil {
		served, err = cardfile.Served(ctx, o.URL, o.Timeout)
	}
	if err != nil {
		return nil, err
	}
	reading := served.Reading
	if o.Extended {
		if reading, err = o.extended(ctx, served); err != nil {
			return nil, err
		}
	}
	node, found := CapturedSource(reading.Card, served.From)
	found = slices.Concat(reading.Found, found).Sorted()
	for i := range found {
		found[i].Span = diag.Span{} // the file has other lines
		found[i].Severity = min(found[i].Severity, diag.Warning)
	}
	return &Captured{Node: node, Found: found, Form: reading.Form, Skills: len(reading.Card.Skills)}, nil
}

// extended is the card for authenticated clients.
func (o CaptureOptions) extended(ctx context.Context, served *cardfile.Promise) (*dialect.Reading, error) {
	options := contract.Options{Card: served.Card, Credentials: o.Headers, NewID: o.NewID, Timeout: o.Timeout}
	options.From(served.From)
	node, err := contract.Extended(ctx, options)
	if err != nil {
		return nil, diag.UsageError("cardwright contract "+o.URL+" says more", "%s", err)
	}
	r := dialect.Read(node, dialect.ReadOptions{})
	if r.Card == nil {
		return nil, diag.UsageError("", "the extended card of the agent is not a card")
	}
	return r, nil
}

// Differences are what differs between a card that was captured before and what is
// served now.
func (c *Captured) Differences(before *cardfile.Promise) []diff.Comparison {
	now := dialect.Read(c.Node, dialect.ReadOptions{})
	return diff.Agents(map[string]diff.Side{"": {Card: before.Card}}, map[string]diff.Side{"": {Card: now.Card}})
}
