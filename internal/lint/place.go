package lint

import (
	"iter"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// quote returns user text for a message, quoted, cut, and without the secrets
// that stand in it.
func quote(text string) string { return diag.Quote(text) }

// quoteValue returns any value for a message, as [quote] does.
func quoteValue(n *source.Node) string {
	if n.Kind == source.String {
		return quote(n.Text)
	}
	return quote(schema.WriteCompact(n))
}

type place = source.Location

func rootPlace(n *source.Node) place { return source.At(n, "") }

// also returns a place as one that belongs to a finding about another.
func also(p place, message string) diag.Related {
	return diag.Related{Span: p.Where(), Pointer: p.Pointer(), Message: message}
}

// lacks reports whether p has no member of that name, in any spelling.
func lacks(p place, name string) bool {
	return p.Node.Get(name) == nil && spelling(p.Node, name) == nil
}

// texts iterates over the strings in an array.
func texts(p place) iter.Seq[place] {
	return func(yield func(place) bool) {
		for item := range p.List() {
			if item.Node.Is(source.String) && !yield(item) {
				return
			}
		}
	}
}

// isTrue reports whether p is the boolean true.
func isTrue(p place) bool { return p.Node.Is(source.Bool) && p.Node.Text == "true" }

// offered reports whether p is a list that holds anything.
func offered(p place) bool { return p.Node.Is(source.Array) && len(p.Node.Items) > 0 }
