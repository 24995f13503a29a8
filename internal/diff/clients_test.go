package diff_test

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
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
		set("lower case", func(e *iface) { e.binding = strings.ToLower(e.binding) })
		set("GRPC", func(e *iface) { e.binding = "GRPC" })
	}
	return append(out, edit{"add at the end", list, append(slices.Clone(list), at("other"))})
}

// chosen returns which URL of a list each client calls, "" where it can call none. It is
// written from what the clients do when they run, and not from the table.
func chosen(form string, list []iface) map[string]string {
	const rpc, rest, grpc = "JSONRPC", "HTTP+JSON", "GRPC"
	first := func([]iface) int { return 0 }
	last := func(list []iface) int { return len(list) - 1 }
	// call returns the URL of the one that choose takes among the interfaces of the first usable binding.
	call := func(list []iface, usable func(iface) bool, choose func([]iface) int) string {
		var same []iface
		for _, i := range list {
			if usable(i) && (len(same) == 0 || strings.EqualFold(same[0].binding, i.binding)) {
				same = append(same, i)
			}
		}
		if len(same) == 0 {
			return ""
		}
		return same[choose(same)].url
	}
	speaks := func(bindings ...string) func(iface) bool {
		return func(i iface) bool { return slices.Contains(bindings, i.binding) }
	}
	folds := func(i iface) bool { i.binding = strings.ToUpper(i.binding); return speaks(rpc, rest)(i) }
	major := func(major string) func(iface) bool {
		return func(i iface) bool { return speaks(rpc, rest)(i) && strings.HasPrefix(i.version, major+".") }
	}
	lastOf10 := func(list []iface) int {
		at := 0
		for n, i := range list {
			if i.version == "1.0" {
				at = n
			}
		}
		return at
	}
	calls := map[string]string{}
	if form != "0.3" {
		calls["a2a-js 1.3"] = call(list, folds, lastOf10)
		calls["a2a-js 1.3 with legacyCompat"] = calls["a2a-js 1.3"]
		calls["a2a-python 1.1"] = call(list, speaks(rpc), first)
		calls["a2a-java 1.x"] = call(list, speaks(rpc), first)
		calls["a2a-dotnet 1.x"] = call(list, folds, first)
		calls["a2a-go 2.4"] = call(list, major("1"), first)
		calls["a2a-go 2.4 with a2av0"] = cmp.Or(call(list, major("1"), first), call(list, major("0"), first))
	}
	if form != "1.0" {
		calls["a2a-js 0.3"] = call(list, folds, last)
		calls["a2a-python 0.3"] = call(list, speaks(rpc), last)
		calls["a2a-java 0.3"] = call(list, speaks(rpc), first)
		calls["a2a-go 0.3"] = call(list, speaks(rpc, grpc), first)
	}
	if form == "0.3" { // which readers of 1.0 convert
		calls["a2a-js 1.3 with legacyCompat"] = call(list, folds, first)
		calls["a2a-python 1.1"] = call(list, speaks(rpc), first)
		calls["a2a-go 2.4 with a2av0"] = call(apart(list), speaks(rpc, rest), first)
	}
	return calls
}

// apart are the interfaces without those that repeat the first URL.
func apart(list []iface) []iface {
	if len(list) == 0 {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(list[1:]), func(i iface) bool { return i.url == list[0].url })
	return slices.Insert(rest, 0, list[0])
}

// moves are what an edit does to the clients: their names, by rule and URLs.
func moves(form string, e edit) map[string][]string {
	all := map[string][]string{}
	was, is := chosen(form, e.old), chosen(form, e.new)
	for _, sdk := range slices.Sorted(maps.Keys(was)) {
		rule := "client-moved"
		switch {
		case was[sdk] == is[sdk]:
			continue
		case was[sdk] == "":
			rule = "client-gained"
		case is[sdk] == "":
			rule = "client-lost"
		}
		all[rule+" "+was[sdk]+" "+is[sdk]] = append(all[rule+" "+was[sdk]+" "+is[sdk]], sdk)
	}
	return all
}

// reported are the same of what diff reports, without clients that are set to a binding.
func reported(changes []diff.Change) map[string][]string {
	all := map[string][]string{}
	for _, c := range changes {
		if !strings.HasPrefix(c.Rule.String(), "client-") {
			continue
		}
		key := c.Rule.String() + " " + c.Old.Word() + " " + c.New.Word()
		who := regexp.MustCompile(`clients? of (.*?) (call|can) `).FindStringSubmatch(c.Message)[1]
		for sdk := range strings.SplitSeq(strings.ReplaceAll(who, " and ", ", "), ", ") {
			if !strings.Contains(sdk, " set to ") {
				all[key] = append(all[key], sdk)
			}
		}
		slices.Sort(all[key])
	}
	return all
}

// Each edit of the interfaces is reported for the clients that then call another URL, and
// for no other: one finding for each pair of URLs.
func TestEditsOfInterfaces(t *testing.T) {
	rest := iface{"https://b.example/rest", "HTTP+JSON", "1.0"}
	lists := [][]iface{
		{at("a"), at("b"), at("c")},
		{at("a"), rest, iface{"https://a.example/a2a", "JSONRPC", "0.3"}},
		{iface{"https://a.example/a2a", "GRPC", "1.0"}, at("a"), at("b")},
	}
	count, affected := 0, 0
	for _, form := range []string{"1.0", "0.3", "dual"} {
		for _, list := range lists {
			for _, e := range edits(list) {
				count++
				changes := diff.Documents(document(t, cardOf(form, e.old)), document(t, cardOf(form, e.new)))
				want := moves(form, e)
				if diff := gocmp.Diff(want, reported(changes)); diff != "" {
					t.Errorf("%s, %s of %v (-want +got):\n%s", form, e.what, list, diff)
				}
				breaks := 0
				for key := range want {
					if !strings.HasPrefix(key, "client-gained") {
						breaks = 1
					}
				}
				if affected += breaks; breaks > 0 && diff.Worst(changes) != diff.Breaking {
					t.Errorf("%s, %s of %v breaks clients, and is %s", form, e.what, list, diff.Worst(changes))
				}
			}
		}
	}
	if count != 279 || affected < 50 {
		t.Errorf("%d edits, of which %d break clients", count, affected)
	}
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
		{
			"an interface that only some clients are set to", "1.0",
			[]iface{a, {"https://a.example/grpc", "GRPC", "1.0"}},
			[]iface{a, {"https://b.example/grpc", "GRPC", "1.0"}},
			[]string{"a2a-go 2.4 set to GRPC", "a2a-python 1.1 set to GRPC"},
			[]string{"a2a-go 2.4"},
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
