package jsonschema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// maxUnfolded bounds the schemas and values of a policy with every reference replaced by
// what it refers to: so many are run on a card.
const maxUnfolded = 10_000

// Policy makes the validator of a JSON Schema that somebody else has written
// about documents of ours, in any draft that [Vet] knows. Formats count. The
// schema is not used where there are faults; pointers are relative to it.
func Policy(n *source.Node, what string, work *Work) (v Validator, found []Fault) {
	if n.Kind != source.Object {
		return v, []Fault{{Message: "it is " + n.Kind.Article() + ", must be an object"}}
	}
	u := unfolding{root: n, known: map[*source.Node]effort{}}
	for _, check := range []func(*source.Node) []Fault{vetSize, vetReferences, u.vet, vetPatterns, vetMeaning} {
		if found := check(n); len(found) > 0 {
			return v, found
		}
	}
	cost := u.known[n]
	cost.runs = &runs{most: mostRuns, work: work}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseRegexpEngine(cost.runs.engine)
	c.RegisterVocabulary(cost.runs.vocabulary())
	c.AssertVocabs()
	schema, found := understood(c, n)
	return Validator{Document: Document{What: what}, schema: schema, text: n, effort: cost}, found
}

// Judge checks a document as a whole against a policy. An error is that of the
// context, or [ErrMatched].
func (v Validator) Judge(ctx context.Context, doc *source.Node) ([]Fault, error) {
	if f, ok := v.effort.tooMuch(doc); ok {
		return []Fault{f}, nil
	}
	fault, aborted, err := v.effort.runs.run(ctx, v.schema, doc.Any(number))
	if aborted != nil || err != nil {
		return aborted, err
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](fault)
	if !ok {
		return nil, nil
	}
	list := faults(v.judged(invalid))
	if len(list) > mostJudged {
		list = append(list[:mostJudged], Fault{Message: fmt.Sprintf("at least %d more faults are not shown",
			len(list)-mostJudged)})
	}
	return list, nil
}

// judged says what is wrong by a schema of others: where alternatives fail, at
// the value that they are about, or in the one that comes nearest.
func (v Validator) judged(err *jsonschema.ValidationError) []finding {
	at := func(is string) []finding {
		f := v.finding(err, Odd, err.InstanceLocation)
		f.Message = v.subject(err.InstanceLocation) + " " + is
		return []finding{f}
	}
	switch k := err.ErrorKind.(type) {
	case *kind.Required:
		return v.missing(err, k.Missing)
	case *kind.AdditionalProperties:
		var list []finding
		for _, name := range k.Properties {
			f := v.finding(err, Odd, append(slices.Clone(err.InstanceLocation), name))
			f.Message = fmt.Sprintf("%s has %s, which is not allowed", v.subject(err.InstanceLocation), diag.Quote(name))
			list = append(list, f)
		}
		return list
	case *kind.AnyOf, *kind.OneOf:
		if len(err.Causes) == 0 {
			return at("matches more than one of the alternatives, must match exactly one")
		}
		return v.judged(slices.MinFunc(err.Causes, compareBranches))
	case *kind.Not:
		return at("is what is ruled out")
	case *kind.Contains, *kind.MinContains:
		return at("has no entry, or too few, of the kind that is demanded")
	case *kind.PropertyNames:
		f := v.finding(err, Odd, append(slices.Clone(err.InstanceLocation), k.Property))
		f.Message = fmt.Sprintf("the name %s is not allowed", diag.Quote(k.Property))
		return []finding{f}
	case *kind.MinLength:
		if k.Got > 0 {
			return at(fmt.Sprintf("has too few characters: %d, must hold at least %d", k.Got, k.Want))
		}
	case *kind.FalseSchema:
		return at("is not allowed, must be left out")
	}
	if len(err.Causes) == 0 {
		return []finding{v.value(err)}
	}
	var list []finding
	for _, cause := range err.Causes {
		if list = append(list, v.judged(cause)...); len(list) > 2*mostJudged {
			break
		}
	}
	return list
}

// unfolding adds up the schemas below a schema, with every reference replaced by
// what it refers to.
type unfolding struct {
	root  *source.Node
	known map[*source.Node]effort // nothing while it is being counted
	fault *Fault
}

// vet refuses references that lead back to themselves, and those that make a small
// schema a huge one.
func (u *unfolding) vet(n *source.Node) []Fault {
	if size := u.size(n, ""); u.fault == nil && size.values > maxUnfolded {
		u.fault = new(faultAt("", "", "with its references it holds more than %d schemas and values", maxUnfolded))
	}
	if u.fault != nil {
		return []Fault{*u.fault}
	}
	return nil
}

func (u *unfolding) size(n *source.Node, pointer string) effort {
	if !n.Is(source.Object) || u.fault != nil {
		return effort{values: 1}
	}
	if size, known := u.known[n]; known {
		if size.values == 0 {
			u.fault = &Fault{Pointer: pointer, Message: "it refers to itself", Hint: "a card has nothing that nests without end"}
		}
		return size
	}
	u.known[n] = effort{}
	size := plain(n)
	add := func(n *source.Node, pointer string) {
		below := u.size(n, pointer)
		size.values, size.patterns = min(size.values+below.values, maxUnfolded+1),
			min(size.patterns+below.patterns, maxUnfolded+1)
	}
	for _, m := range n.Members {
		at := source.Pointer(pointer, m.Key)
		switch how := holdingOf(m); {
		case how == one:
			add(m.Value, at)
		case how == each:
			for _, item := range m.Value.Items {
				add(item, at)
			}
		case how == named:
			for _, e := range m.Value.Members {
				add(e.Value, source.Pointer(at, e.Key))
			}
		case m.Key == "$ref" && m.Value.Is(source.String):
			target, ok := u.root.Find(fragment(m.Value.Text))
			if !ok || !strings.HasPrefix(m.Value.Text, "#") || m.Value.Text != "#" && !strings.HasPrefix(m.Value.Text, "#/") {
				u.fault = new(faultAt(at, `such as "#/$defs/NAME"`, "\"$ref\" is %s, must lead to something in the schema",
					diag.Quote(m.Value.Text)))
				return size
			}
			add(target, at)
		case slices.Contains([]string{"$dynamicRef", "$recursiveRef"}, m.Key):
			u.fault = new(faultAt(at, `use "$ref"`, "%q is not supported here", m.Key))
			return size
		}
	}
	u.known[n] = size
	return size
}
