package jsonschema

import (
	"context"
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"testing"

	"cardwright/internal/source"
)

func policyOf(t *testing.T, schema string, work *Work) (Validator, []Fault) {
	t.Helper()
	n, found := source.ParseJSON("policy", []byte(schema), source.Limits{})
	if len(found) > 0 {
		t.Fatal(found)
	}
	return Policy(n, "the card", work)
}

// The estimate is near the size that regexp gives a pattern.
func TestInstructions(t *testing.T) {
	for _, pattern := range []string{
		"^s", "[a-z]{900}x$", "((a|b|c){10}){20}", "(?i)(foo|bar|baz)+", "a?b*c+", "x{3,}", "(ab){0,50}", "", "^(?:)$",
		`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`, strings.Repeat("é", 300),
	} {
		re, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		prog, err := syntax.Compile(re.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		size := instructions(re)
		if real := len(prog.Inst); size < real/2-10 || size > 2*real+10 {
			t.Errorf("%s: %d instructions, estimated %d", pattern, real, size)
		}
	}
}

// What patterns compile to is bounded for a policy, and refused at the one that goes
// over the limit.
func TestPatternsAreSmall(t *testing.T) {
	var each []string
	for i := range 850 {
		each = append(each, fmt.Sprintf(`{"pattern": "[A-Z]{%d}[a-z]{900}x$"}`, i))
	}
	for name, c := range map[string]struct{ schema, want string }{
		"many": {
			`{"properties": {"name": {"anyOf": [` + strings.Join(each, ",") + `]}}}`,
			"/properties/name/anyOf/5/pattern",
		},
		"names": {
			`{"patternProperties": {"a{900}b{900}c{900}d{900}e{900}f{900}": {}}}`,
			"/patternProperties/a{900}b{900}c{900}d{900}e{900}f{900}",
		},
		"few": {`{"properties": {"name": {"anyOf": [` + strings.Join(each[:4], ",") + `]}}}`, ""},
	} {
		_, faults := policyOf(t, c.schema, new(Work))
		got := ""
		if len(faults) > 0 {
			got = faults[0].Pointer
		}
		if len(faults) > 1 || got != c.want || got != "" && !strings.Contains(faults[0].Message, "more than 5000") {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

// What patterns take is bounded for a text and for a run, and ends with the context.
func TestPatternsAreBounded(t *testing.T) {
	const schema = `{"properties": {"name": {"pattern": "[a-z]{900}x$"}}}`
	judge := func(ctx context.Context, name string, work *Work) (string, error) {
		policy, faults := policyOf(t, schema, work)
		if faults != nil {
			t.Fatal(faults)
		}
		card, _ := source.ParseJSON("card", []byte(`{"name": "`+name+`"}`), source.Limits{})
		found, err := policy.Judge(ctx, card)
		if len(found) == 0 {
			return "", err
		}
		return found[0].Message, err
	}
	if got, err := judge(t.Context(), strings.Repeat("a", 23_000), new(Work)); err != nil ||
		!strings.Contains(got, "too large to be judged") {
		t.Errorf("a long text: %s, %v", got, err)
	}
	work := new(Work)
	if got, err := judge(t.Context(), "short", work); err != nil || !strings.Contains(got, "must match") {
		t.Errorf("a short text: %s, %v", got, err)
	}
	work.matched.Store(mostMatched - 1)
	if _, err := judge(t.Context(), "short", work); !errors.Is(err, ErrMatched) {
		t.Errorf("a used up run: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := judge(ctx, "short", new(Work)); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted run: %v", err)
	}
}
