package jsonschema

import (
	"context"
	"errors"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/diag"
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
	most int        // [mostRuns]
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
		panic(tooLarge("so many values that schemas of the policy would be used more than %d times", r.most))
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
	r.left, r.ctx = r.most, ctx
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
	return faultAt("", "make the policy smaller, or divide it into several",
		"the card is too large to be judged by the policy: it has "+format, args...)
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

// What the regular expressions of policies may take. Strangers write them: 20 bytes
// can make a thousand instructions, each of which may have to be tried at each byte.
// An instruction at a byte takes about 20 ns at worst.
const (
	mostCompiled = 5000          // instructions of all patterns of a policy
	mostAtOnce   = 20_000_000    // instructions of a pattern times bytes of one text
	mostMatched  = 1_000_000_000 // the same for all texts of a run, without what small patterns take
	smallPattern = 100           // instructions, of a pattern as people write them
)

// ErrMatched ends a run whose policies match too large patterns with too many texts.
var ErrMatched = errors.New("the patterns of the policies are too large for so many texts")

// Work is what the patterns of all policies have taken in a run. It is safe for
// concurrent use, and the zero value is ready.
type Work struct{ matched atomic.Int64 }

// instructions estimates the size of a pattern when it is compiled.
func instructions(re *syntax.Regexp) int {
	size := 0
	for _, sub := range re.Sub {
		size += instructions(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		size += len(re.Rune)
	case syntax.OpRepeat:
		size = size*max(re.Min, re.Max, 1) + max(re.Max-re.Min, 1)
	case syntax.OpCapture:
		size += 2
	case syntax.OpConcat:
	default:
		size += max(len(re.Sub), 1)
	}
	return min(size, math.MaxInt32)
}

// vetPatterns demands regular expressions that take linear time, and that are small
// when they are compiled.
func vetPatterns(n *source.Node) []Fault {
	var found []Fault
	left := mostCompiled
	check := func(pattern, pointer string) {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			found = append(found, faultAt(pointer, "use the syntax of RE2, which has no look-around and no back-references",
				"the pattern %s cannot be used", diag.Quote(pattern)))
			return
		}
		if size := instructions(re); left >= 0 {
			if left -= size; left < 0 {
				found = append(found, faultAt(pointer, "use smaller numbers in { }, or minLength and maxLength",
					"with the pattern %s, which compiles to about %d instructions, the policy has more than %d",
					diag.Quote(pattern), size, mostCompiled))
			}
		}
	}
	walkSchema(n, func(n *source.Node, pointer string) {
		if p := n.Get("pattern"); p.Is(source.String) {
			check(p.Text, source.Pointer(pointer, "pattern"))
		}
		for _, m := range n.Get("patternProperties").Fields() {
			check(m.Key, source.Pointer(pointer+"/patternProperties", m.Key))
		}
	})
	return found
}

// pattern is a regular expression of a policy, which counts what it takes.
type pattern struct {
	*regexp.Regexp
	size int
	runs *runs
}

// engine compiles the patterns of a policy.
func (r *runs) engine(text string) (jsonschema.Regexp, error) {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(text)
	return pattern{re, instructions(parsed), r}, err
}

// MatchString implements [jsonschema.Regexp].
func (p pattern) MatchString(text string) bool {
	work := int64(len(text)) * int64(max(0, p.size-smallPattern))
	switch {
	case p.runs.ctx.Err() != nil:
		panic(stop{p.runs.ctx.Err()})
	case int64(len(text))*int64(p.size) > mostAtOnce:
		panic(tooLarge("a text of %d bytes, times %d instructions of a pattern of the policy", len(text), p.size))
	case p.runs.work.matched.Add(work) > mostMatched:
		panic(stop{ErrMatched})
	}
	return p.Regexp.MatchString(text)
}

// stop ends the run of a policy, and what asked for it.
type stop struct{ err error }
