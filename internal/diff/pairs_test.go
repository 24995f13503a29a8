package diff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/diff"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

// edit is a change of a document in one place.
type edit struct {
	what, pointer, value string
	apply                func(members []source.Member) []source.Member // of what holds the leaf
	holder, key          string
}

// evil is what a leaf is set to, a text that occurs nowhere else.
const evil = "https://evil.test/"

// edits are the leaves of a document set, deleted, defined twice, and added in
// another case.
func edits(root *source.Node) []edit {
	var list []edit
	var walk func(n *source.Node, at string)
	walk = func(n *source.Node, at string) {
		for i, item := range n.Items {
			walk(item, fmt.Sprintf("%s/%d", at, i))
		}
		for _, m := range n.Members {
			pointer := source.Pointer(at, m.Key)
			walk(m.Value, pointer)
			texts := slices.ContainsFunc(m.Value.Items, (*source.Node).Scalar)
			if m.Value.Is(source.Object) || m.Value.Is(source.Array) && !texts {
				continue
			}
			other, value := otherValue(m.Value, len(list))
			add := func(what, value string, apply func([]source.Member) []source.Member) {
				list = append(list, edit{what, pointer, value, apply, at, m.Key})
			}
			add("set", value, func(l []source.Member) []source.Member {
				l[slices.IndexFunc(l, func(e source.Member) bool { return e.Key == m.Key })].Value = other
				return l
			})
			add("deleted", "", func(l []source.Member) []source.Member {
				return slices.DeleteFunc(l, func(e source.Member) bool { return e.Key == m.Key })
			})
			add("defined twice", value, func(l []source.Member) []source.Member {
				return append(l, source.Member{Key: m.Key, Value: other})
			})
			add("in another case", value, func(l []source.Member) []source.Member {
				return append(l, source.Member{Key: strings.ToUpper(m.Key), Value: other})
			})
		}
	}
	walk(root, "")
	return list
}

// otherValue is another value of the same type, and what tells it on a page.
func otherValue(n *source.Node, i int) (*source.Node, string) {
	text := fmt.Sprintf("%s%d", evil, i)
	switch n.Kind {
	case source.Bool:
		return source.NewBool(n.Text != "true"), ""
	case source.Array:
		return source.NewTexts([]string{text}), text
	default:
		return source.NewText(text), text
	}
}

// harmless are changes that mean nothing, or are cosmetic: beside each, another
// change means what it means alone.
func harmless(root *source.Node) []edit {
	var list []edit
	set := func(at, key, text string) {
		list = append(list, edit{
			what: "beside", pointer: source.Pointer(at, key), holder: at, key: key,
			apply: func(l []source.Member) []source.Member {
				i := slices.IndexFunc(l, func(e source.Member) bool { return e.Key == key })
				if i < 0 {
					return append(l, source.Member{Key: key, Value: source.NewText(text)})
				}
				l[i].Value = source.NewText(text)
				return l
			},
		})
	}
	var walk func(n *source.Node, at string)
	walk = func(n *source.Node, at string) {
		if n.Is(source.Object) && !strings.Contains(at, "scopes") && !strings.Contains(at, "/params") &&
			!strings.HasSuffix(at, "/schemes") && !strings.Contains(at, "ecurity") || strings.HasSuffix(at, "SecurityScheme") {
			set(at, "x-note", "a note")
		}
		for _, m := range n.Members {
			if m.Key == "description" && m.Value.Is(source.String) {
				set(at, m.Key, "Says it in other words.")
			}
			walk(m.Value, source.Pointer(at, m.Key))
		}
		for i, item := range n.Items {
			walk(item, fmt.Sprintf("%s/%d", at, i))
		}
	}
	walk(root, "")
	return list
}

// edited is a document after edits, as text: a tree cannot hold a member twice.
func edited(root *source.Node, edits ...edit) []byte {
	var b strings.Builder
	var write func(n *source.Node, at string)
	write = func(n *source.Node, at string) {
		switch n.Kind {
		case source.Object:
			members := slices.Clone(n.Members)
			for _, e := range edits {
				if e.holder == at {
					members = e.apply(members)
				}
			}
			b.WriteByte('{')
			for i, m := range members {
				if i > 0 {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b, "%s:", schema.WriteCompact(source.NewText(m.Key)))
				write(m.Value, source.Pointer(at, m.Key))
			}
			b.WriteByte('}')
		case source.Array:
			b.WriteByte('[')
			for i, item := range n.Items {
				if i > 0 {
					b.WriteByte(',')
				}
				write(item, fmt.Sprintf("%s/%d", at, i))
			}
			b.WriteByte(']')
		default:
			b.WriteString(schema.WriteCompact(n))
		}
	}
	write(root, "")
	return []byte(b.String())
}

// fullCards are the cards that hold everything, in each form.
func fullCards(t *testing.T) map[string]*source.Node {
	t.Helper()
	out := map[string]*source.Node{}
	for name, p := range map[string]schema.Protocol{
		"1.0": schema.V10, "0.3": schema.V03, "dual": schema.Dual, "dual for a2a-go": schema.Dual,
	} {
		full := schematest.FullCard()
		full.Extra = nil
		if p != schema.Dual {
			full.Interfaces = slices.DeleteFunc(full.Interfaces, func(i schema.Interface) bool { return !p.Has(i.Speaks()) })
		}
		root, _ := schema.Wire(full, p, schema.WireOptions{OmitRequirements: name == "dual for a2a-go"})
		out[name], _ = source.ParseJSON(name, edited(root), source.Limits{})
	}
	return out
}

func sideOf(t *testing.T, data []byte) diff.Side {
	t.Helper()
	root, _ := source.ParseJSON("card.json", data, source.Limits{})
	if root == nil {
		t.Fatalf("no JSON: %s", data)
	}
	return stated(root)
}

// shows reports whether a value stands in one of the changes.
func shows(changes []diff.Change, value string) bool {
	return value == "" || slices.ContainsFunc(changes, func(c diff.Change) bool {
		return strings.Contains(wrote(c.New)+wrote(c.Part)+c.Message, value)
	})
}

// No change of a card means less beside a harmless one, and its value is shown:
// each leaf of a card that holds everything, beside changes of the same part and
// of others. The short form changes each leaf in one of the four ways, another one in
// each card, and some of them beside one harmless change; of the dual card, which has what
// the others have, each other leaf, and of that for a2a-go, which differs in security
// alone, those of security. The long trial takes them all.
func TestNothingCoversAnything(t *testing.T) {
	t.Parallel()
	turn := map[string]int{"dual": 0, "1.0": 1, "dual for a2a-go": 2, "0.3": 3}
	for form, root := range fullCards(t) {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			before := sideOf(t, edited(root))
			draw := rand.New(rand.NewPCG(7, 7))
			beside := harmless(root)
			var all []edit
			var alone [][]diff.Change
			for i, e := range edits(root) {
				way, leaf := i%4, i/4 // the last two ways are read alike for every member
				if !fixture.Long() && ((len(e.pointer)+turn[form])%4 != way || way > 1 && leaf%8 != 0 ||
					form == "dual" && leaf%2 != 0 || form == "dual for a2a-go" && !strings.Contains(e.pointer, "ecurity")) {
					continue
				}
				after := sideOf(t, edited(root, e))
				changes := diff.Documents(before, after)
				if diff.Worst(changes) < diff.Additive {
					beside = append(beside, e)
				}
				reported(t, e, changes, before.Document, after.Document)
				all, alone = append(all, e), append(alone, changes)
			}
			for i, e := range all {
				if !fixture.Long() && draw.IntN(10) > 0 {
					continue
				}
				for _, h := range near(draw, beside, e) {
					both := diff.Documents(before, sideOf(t, edited(root, e, h)))
					if was, is := diff.Worst(alone[i]), diff.Worst(both); is < was {
						t.Errorf("%s %s is %s, but %s beside %s %s", e.pointer, e.what, was, is, h.pointer, h.what)
					}
					if !shows(both, e.value) && diff.Worst(alone[i]) > diff.None {
						t.Errorf("%s %s: %s is not shown beside %s %s", e.pointer, e.what, e.value, h.pointer, h.what)
					}
				}
			}
		})
	}
}

// reported fails unless changes say what an edit did, and where in the documents.
func reported(t *testing.T, e edit, changes []diff.Change, before, after *source.Node) {
	t.Helper()
	if len(changes) == 0 {
		t.Errorf("%s %s is not reported", e.pointer, e.what)
	}
	if !shows(changes, e.value) {
		t.Errorf("%s %s: %s is not shown in %+v", e.pointer, e.what, e.value, changes)
	}
	for _, c := range changes {
		in, pointer := after, c.NewPointer
		if c.New == nil || e.what == "deleted" {
			in, pointer = before, c.OldPointer
		}
		_, there := in.Find(pointer)
		if !there && c.Rule != "card-unreadable" && (c.Rule != "unknown-member-changed" || e.what != "deleted") {
			t.Errorf("%s %s: there is no %s, where %s is", e.pointer, e.what, pointer, c.Rule)
		}
	}
}

// near returns harmless changes for another one, of other places: one of the same part
// or of another, in a long trial all of the same part and some of others.
func near(draw *rand.Rand, all []edit, e edit) []edit {
	var same, other []edit
	for _, h := range all {
		switch {
		case h.pointer == e.pointer:
		case h.holder != "" && strings.Contains(e.pointer+"/", h.holder+"/"):
			same = append(same, h)
		default:
			other = append(other, h)
		}
	}
	draw.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
	if fixture.Long() {
		return append(same, other[:min(len(other), 40)]...)
	}
	if len(same) > 0 && draw.IntN(2) == 0 {
		other = same
	}
	return other[draw.IntN(len(other)):][:1]
}

// Documents that are only written in another way do not differ to clients.
func TestSameInAnotherForm(t *testing.T) {
	for form, root := range fullCards(t) {
		before := sideOf(t, edited(root))
		draw := rand.New(rand.NewPCG(3, 3))
		var shuffled func(n *source.Node) *source.Node
		shuffled = func(n *source.Node) *source.Node {
			out := *n
			out.Items = slices.Clone(n.Items)
			for i := range out.Items {
				out.Items[i] = shuffled(out.Items[i])
			}
			members := slices.Clone(n.Members)
			draw.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
			for i := range members {
				members[i].Value = shuffled(members[i].Value)
			}
			return out.WithMembers(members)
		}
		for range fixture.Rounds(2, 20) {
			if changes := diff.Documents(before, sideOf(t, edited(shuffled(root)))); diff.Worst(changes) > diff.None {
				t.Errorf("%s: %+v", form, changes)
			}
		}
		for _, r := range [][2]string{
			{"https://acme.example/a2a", "HTTPS://ACME.example:443/a2a"},
			{"https://id.acme.example/token", "https://ID.acme.example:443/token"},
			{`"text/plain"`, `"Text/Plain"`},
			{`"scheme":"bearer"`, `"scheme":"Bearer"`},
			{`"name":"X-API-Key"`, `"name":"x-api-key"`},
			{"grpc.acme.example:443", "GRPC.acme.example:443"},
		} {
			text := string(edited(root))
			if !strings.Contains(text, r[0]) {
				t.Errorf("%s: no %s", form, r[0])
			}
			changes := diff.Documents(before, sideOf(t, []byte(strings.ReplaceAll(text, r[0], r[1]))))
			if diff.Worst(changes) > diff.None || len(changes) == 0 {
				t.Errorf("%s: %s for %s: %+v", form, r[1], r[0], changes)
			}
		}
	}
}

func wrote(n *source.Node) string {
	if n == nil {
		return ""
	}
	return schema.WriteCompact(n)
}
