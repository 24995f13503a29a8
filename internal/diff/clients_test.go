package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
)

// iface is an interface of a generated card.
type iface struct{ url, binding, version string }

func (i iface) String() string { return i.binding + " " + i.url + " " + i.version }

// cardOf writes a card with a list of interfaces for 1.0, for 0.3 or for both.
func cardOf(form string, list []iface) string {
	var members, listed, flat []string
	for n, i := range list {
		listed = append(listed,
			fmt.Sprintf(`{"url": %q, "protocolBinding": %q, "protocolVersion": %q}`, i.url, i.binding, i.version))
		if n > 0 {
			flat = append(flat, fmt.Sprintf(`{"url": %q, "transport": %q}`, i.url, i.binding))
		}
	}
	if form != "0.3" {
		members = append(members, `"supportedInterfaces": [`+strings.Join(listed, ", ")+`]`)
	}
	if form != "1.0" && len(list) > 0 {
		members = append(members,
			fmt.Sprintf(`"protocolVersion": "0.3.0", "url": %q, "preferredTransport": %q`, list[0].url, list[0].binding),
			`"additionalInterfaces": [`+strings.Join(flat, ", ")+`]`)
	}
	return `{"name": "Desk", "description": "Books rooms.", "version": "1.0.0", "capabilities": {}, ` +
		strings.Join(members, ", ") + `, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "book", "name": "Book", "description": "Books a room.", "tags": ["rooms"]}]}`
}

func at(host string) iface { return iface{"https://" + host + ".example/a2a", "JSONRPC", "1.0"} }

// edit is a change of a list of interfaces.
type edit struct {
	what     string
	old, new []iface
}

// edits are the changes of a list at each of its places.
func edits(list []iface) (out []edit) {
	for i := range list {
		add := func(what string, change func(l []iface) []iface) {
			out = append(out, edit{fmt.Sprintf("%s at %d", what, i), list, change(slices.Clone(list))})
		}
		set := func(what string, change func(e *iface)) {
			add(what, func(l []iface) []iface { change(&l[i]); return l })
		}
		other := iface{"https://other.example/a2a", list[i].binding, list[i].version}
		add("add", func(l []iface) []iface { return slices.Insert(l, i, other) })
		add("remove", func(l []iface) []iface { return slices.Delete(l, i, i+1) })
		add("duplicate", func(l []iface) []iface { return append(l, l[i]) })
		add("swap", func(l []iface) []iface { l[i], l[(i+1)%len(l)] = l[(i+1)%len(l)], l[i]; return l })
		set("retarget", func(e *iface) { e.url = other.url })
		set("version", func(e *iface) { e.version = "1.1" })
		set("version 0.3", func(e *iface) { e.version = "0.3" })
		set("binding", func(e *iface) { e.binding = "HTTP+JSON" })
		set("GRPC", func(e *iface) { e.binding = "GRPC" })
	}
	return append(out, edit{"add at the end", list, append(slices.Clone(list), at("other"))})
}

// The class of a change of the interfaces is what the table of SDKs says of it: a client
// that calls another URL is named, and none that does not.
func TestEditsOfInterfaces(t *testing.T) {
	rest := iface{"https://b.example/rest", "HTTP+JSON", "1.0"}
	lists := [][]iface{
		{at("a"), at("b"), at("c")},
		{at("a"), rest, iface{"https://a.example/a2a", "JSONRPC", "0.3"}},
	}
	count, moved := 0, 0
	for _, form := range []string{"1.0", "0.3", "dual"} {
		for _, list := range lists {
			for _, e := range edits(list) {
				count++
				older, newer := document(t, cardOf(form, e.old)), document(t, cardOf(form, e.new))
				want := expected(older.Document, newer.Document)
				moved += len(want)
				changes := diff.Documents(older, newer)
				for rule, sdks := range want {
					named := func(c diff.Change) bool {
						return c.Rule.String() == rule && strings.Contains(c.Message, sdks) &&
							(c.Class == diff.Breaking) == (rule != "client-gained")
					}
					if !slices.ContainsFunc(changes, named) {
						t.Errorf("%s, %s of %v: no %s of %s: %v", form, e.what, list, rule, sdks, changes)
					}
				}
				for _, c := range changes {
					if _, ok := want[c.Rule.String()]; !ok && strings.HasPrefix(c.Rule.String(), "client-") &&
						!strings.Contains(c.Message, " set to ") {
						t.Errorf("%s, %s of %v: unexpected %s: %s", form, e.what, list, c.Rule, c.Message)
					}
				}
			}
		}
	}
	if count < 153 || moved < 60 {
		t.Errorf("only %d edits, of which %d move clients", count, moved)
	}
}

// expected is a library for each thing that happens to clients, by rule.
func expected(older, newer *source.Node) map[string]string {
	want := map[string]string{}
	was, is := diff.Answers(older, ""), diff.Answers(newer, "")
	for i := range was {
		switch {
		case was[i].URL == is[i].URL:
		case was[i].URL == "":
			want["client-gained"] = was[i].SDK
		case is[i].URL == "":
			want["client-lost"] = was[i].SDK
		default:
			want["client-moved"] = was[i].SDK
		}
	}
	return want
}

// The examples of how libraries choose among several interfaces.
func TestClientMoved(t *testing.T) {
	a, b := at("a"), at("b")
	b11 := iface{b.url, b.binding, "1.1"}
	tests := []struct {
		name, form string
		old, new   []iface
		moved      []string // libraries
		stay       []string
	}{
		{
			"a second interface", "1.0",
			[]iface{a},
			[]iface{a, b},
			[]string{"a2a-js 1.3"},
			[]string{"a2a-go 2.4", "a2a-python 1.1"},
		},
		{
			"a new first interface", "1.0",
			[]iface{a},
			[]iface{b, a},
			[]string{"a2a-go 2.4", "a2a-python 1.1", "a2a-java 1.x", "a2a-dotnet 1.x"},
			[]string{"a2a-js 1.3"},
		},
		{"a version 1.1 in front", "1.0", []iface{a}, []iface{b11, a}, []string{"a2a-go 2.4"}, []string{"a2a-js 1.3"}},
		{
			"a repeated transport", "0.3",
			[]iface{a},
			[]iface{a, b},
			[]string{"a2a-js 0.3", "a2a-python 0.3"},
			[]string{"a2a-go 0.3", "a2a-java 0.3"},
		},
		{
			"swapped transports", "0.3",
			[]iface{a, a, b},
			[]iface{a, b, a},
			[]string{"a2a-js 0.3", "a2a-python 0.3"},
			[]string{"a2a-go 0.3"},
		},
		{"an equal list", "1.0", []iface{a, b}, []iface{a, b}, nil, []string{"a2a-js 1.3"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var moved string
			for _, c := range diff.Documents(document(t, cardOf(tt.form, tt.old)), document(t, cardOf(tt.form, tt.new))) {
				if c.Rule == diag.ClientMoved {
					moved += c.Message + "; "
				}
			}
			for _, sdk := range tt.moved {
				if !strings.Contains(moved, sdk) {
					t.Errorf("%s stays: %q", sdk, moved)
				}
			}
			for _, sdk := range tt.stay {
				if strings.Contains(moved, sdk+" and") || strings.Contains(moved, sdk+",") || strings.Contains(moved, sdk+" call") {
					t.Errorf("%s moves: %q", sdk, moved)
				}
			}
		})
	}
}
