package generate

import (
	"context"
	"fmt"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
)

// Policy is a house rule that cards are checked against.
type Policy struct {
	config.Policy
	schema jsonschema.Validator
}

// NewPolicy makes a policy of its schema. It is nil where there are errors among the
// findings, which point into the schema.
func NewPolicy(p config.Policy, schema *source.Node, work *jsonschema.Work) (*Policy, diag.List) {
	validator, faults := jsonschema.Policy(schema, "the card", work)
	var found diag.List
	for _, f := range faults {
		at, _ := schema.Find(f.Pointer)
		found = append(found, diag.New("config-value", at.Span, "the schema of the policy %q cannot be used: %s", p.ID,
			f.Message).WithPointer(f.Pointer).WithHint(f.Hint))
	}
	if faults != nil {
		return nil, found
	}
	return &Policy{p, validator}, nil
}

// Judge checks the wire form of a card against the policy. The findings have
// pointers into the card, but no places. An error is that of the context, or
// [jsonschema.ErrMatched].
func (p *Policy) Judge(ctx context.Context, card *source.Node) (found diag.List, err error) {
	faults, err := p.schema.Judge(ctx, card)
	for _, f := range faults {
		pointer := f.Pointer
		if f.Missing != "" {
			pointer = source.Pointer(pointer, f.Missing)
		}
		message, hint := p.Message, f.Message
		if message == "" {
			message, hint = fmt.Sprintf("the policy %q: %s", p.ID, f.Message), ""
		}
		if f.Hint != "" {
			hint = strings.TrimPrefix(hint+"; "+f.Hint, "; ")
		}
		found = append(found, diag.New(p.ID, diag.Span{}, "%s", message).WithSeverity(p.Severity).WithPointer(pointer).
			WithHint(hint))
	}
	return found, err
}
