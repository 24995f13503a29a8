package diff

import (
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// mostInside is how many differences inside one value are reported each: where
// there are more, the value has changed as a whole.
const mostInside = 20

// inside reports what differs in two values that no rule knows: each member or
// item that does, with its value where that is a scalar. what names the value.
func (c *comparison) inside(rule string, at where, older, newer *source.Node, what string) {
	found := differences(nil, at, "", older, newer)
	if len(found) == 0 || len(found) > mostInside {
		found = []difference{{at: at, older: older, newer: newer}}
	}
	for _, d := range found {
		name := what
		if d.path != "" {
			name = diag.Quote(strings.TrimPrefix(d.path, "/")) + " in " + what
		}
		switch {
		case d.older == nil:
			c.tell(rule, d.at, nil, d.newer, "%s is new", name)
		case d.newer == nil:
			c.tell(rule, d.at, d.older, nil, "%s is gone", name)
		default:
			c.tell(rule, d.at, d.older, d.newer, "%s changed%s", name, values(d.older, d.newer))
		}
	}
}

// values shows what changed into what where a report does not: of texts it does. Of lists
// it shows the items that came and went.
func values(older, newer *source.Node) string {
	if older.Is(source.Array) && newer.Is(source.Array) {
		return delta(spellings(older), spellings(newer))
	}
	if !older.Scalar() || !newer.Scalar() || older.Is(source.String) && newer.Is(source.String) {
		return ""
	}
	return ": " + schema.WriteCompact(older) + " → " + schema.WriteCompact(newer)
}

// spellings are the items of a list, each as a text.
func spellings(list *source.Node) []string {
	var out []string
	for _, item := range list.Items {
		if !item.Scalar() {
			item = source.NewText(schema.WriteCompact(item))
		}
		out = append(out, item.Text)
	}
	return out
}

// difference is a value in another one that differs.
type difference struct {
	at           where
	path         string // from the outer value, "" for that itself
	older, newer *source.Node
}

// differences appends the innermost values that differ, up to one more than are
// reported.
func differences(list []difference, at where, path string, older, newer *source.Node) []difference {
	switch {
	case len(list) > mostInside || older.Equal(newer):
		return list
	case older.Is(source.Object) && newer.Is(source.Object):
		for _, name := range fields(older, newer) {
			list = differences(list, at.child(name), path+"/"+name, older.Get(name), newer.Get(name))
		}
		return list
	case older.Is(source.Array) && newer.Is(source.Array) && len(older.Items) == len(newer.Items):
		for i := range older.Items {
			token := strconv.Itoa(i)
			list = differences(list, at.child(token), path+"/"+token, older.Items[i], newer.Items[i])
		}
		return list
	}
	return append(list, difference{at, path, older, newer})
}
