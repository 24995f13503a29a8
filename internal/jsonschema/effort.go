package jsonschema

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/source"
)

// What judging one card by one policy may take. Strangers write both, and the
// work grows with the product of the two.
const (
	mostRuns    = 1_000_000   // checks of a value against a schema
	mostSteps   = 50_000_000  // values of the policy times values of the card
	mostMatches = 100_000_000 // patterns of the policy times bytes of the card
	mostJudged  = 1000        // faults that are reported
)

// effort is what a policy costs for each value and each byte of a card.
type effort struct {
	values, patterns int
	runs             *runs
}

// runs counts the checks of values against schemas. The library calls it for
// each, and keeps every fault in memory until the end.
type runs struct {
	mu   sync.Mutex // one card at a time
	left int
	ctx  context.Context // of the run, nil between runs
	work *Work
}

// vocabulary makes every schema count its runs.
func (r *runs) vocabulary() *jsonschema.Vocabulary {
	return &jsonschema.Vocabulary{
		URL:     "memory:///runs",
		Compile: func(*jsonschema.CompilerContext, map[string]any) (jsonschema.SchemaExt, error) { return r, nil },
	}
}

// Validate implements [jsonschema.SchemaExt].
func (r *runs) Validate(*jsonschema.ValidatorContext, any) {
	if r.left--; r.left < 0 {
		panic(tooLarge("so many values that schemas of the policy would be used more than %d times", mostRuns))
	}
}

// run checks a value against a schema, and returns what is wrong with it. It gives up
// with a fault when that takes too long for the value, and with an error when it does
// for the run.
func (r *runs) run(ctx context.Context, schema *jsonschema.Schema, v any) (wrong error, gaveUp []Fault, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case Fault:
			gaveUp = []Fault{reason}
		case stop:
			err = reason.err
		default:
			panic(reason)
		}
	}()
	r.left, r.ctx = mostRuns, ctx
	return schema.Validate(v), nil, nil
}

// tooMuch reports whether a card is too large for the policy, and why.
func (e effort) tooMuch(doc *source.Node) (Fault, bool) {
	values, bytes := sizeOf(doc)
	switch {
	case e.values > 0 && values > mostSteps/e.values:
		return tooLarge("%d values, times %d of the policy", values, e.values), true
	case e.patterns > 0 && bytes > mostMatches/e.patterns:
		return tooLarge("%d bytes, times %d patterns of the policy", bytes, e.patterns), true
	}
	return Fault{}, false
}

func tooLarge(format string, args ...any) Fault {
	return Fault{
		Message: "the card is too large to be judged by the policy: it has " + fmt.Sprintf(format, args...),
		Hint:    "make the policy smaller, or divide it into several",
	}
}

// sizeOf adds up the values in a value, and the bytes of their texts.
func sizeOf(n *source.Node) (values, bytes int) {
	values, bytes = 1, len(n.Text)
	add := func(n *source.Node) {
		v, b := sizeOf(n)
		values, bytes = values+v, bytes+b
	}
	for _, item := range n.Items {
		add(item)
	}
	for _, m := range n.Members {
		bytes += len(m.Key)
		add(m.Value)
	}
	return values, bytes
}

// plain adds up what a schema says without the schemas in it.
func plain(n *source.Node) effort {
	e := effort{values: 1}
	for _, m := range n.Members {
		switch m.Key {
		case "pattern", "format":
			e.patterns++
		case "patternProperties":
			e.patterns += len(m.Value.Members)
		}
		if slices.Contains([]string{"enum", "const", "required", "dependentRequired"}, m.Key) {
			values, _ := sizeOf(m.Value)
			e.values += values
		}
	}
	return e
}
