package jsonschema

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Fault is one thing about a document that its JSON Schema does not allow.
type Fault struct {
	Rule    diag.RuleID // stable id, "" for a document that no rule is about
	Class   Class
	Pointer string   // RFC 6901: the value at fault, or the object that lacks a member
	Want    []string // JSON types that a value of another type must have
	Missing string   // name of the member that is missing, else ""
	Known   []string // members that an object can have, where it has an unknown one
	Message string   // one sentence, lower case, no full stop
	Hint    string   // how to fix it, "" when the message says it all
}

// Validate checks a document against several schemas. A value with several faults
// is reported once, and nothing below it. Faults are sorted by pointer.
func Validate(doc *source.Node, by ...Validator) []Fault {
	value := doc.Any(number)
	var found []Fault
	for _, v := range by {
		if err, ok := errors.AsType[*jsonschema.ValidationError](v.schema.Validate(value)); ok {
			found = append(found, v.faults(err)...)
		}
	}
	return compact(found)
}

// number returns a number that is safe to compute with: jsonschema computes
// exactly, which takes long for 1e-999999. A number that is too large, or
// invalid in JSON, becomes a fraction, which none of our schemas accepts.
func number(text string) any {
	const short = 32
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || !source.IsNumber(text):
		return 0.5
	case len(text) <= short && !strings.ContainsAny(text, "eE"):
		return json.Number(text)
	}
	return f
}

// Class is the kind of a fault, in the order in which faults at one place are
// sorted.
type Class int

// The classes.
const (
	Mistyped Class = iota // of another JSON type
	Null                  // where nothing may be null
	Blank                 // "", [] or {}
	Odd                   // of the right type, but not allowed
	Missing               // a member that is not there
	Unknown               // a member that should not be there
)

// compact sorts faults, and keeps one for each value at fault and for each member that is
// missing or unknown.
func compact(found []Fault) []Fault {
	slices.SortStableFunc(found, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Missing, b.Missing),
			cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(found, func(f, before Fault) bool {
		return f.Pointer == before.Pointer && (f.Class < Missing || f.Class == before.Class && f.Missing == before.Missing)
	})
}
