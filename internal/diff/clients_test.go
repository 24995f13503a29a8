package diff_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/diff"
	"cardwright/schema"
)

// cardOf writes a card for 1.0, for 0.3 or for both, or one for 0.3 that names no transport.
// An interface is HOST[/BINDING][@VERSION].
func cardOf(t *testing.T, form, interfaces string) diff.Side {
	t.Helper()
	var listed, flat []string
	var first string
	for n, text := range strings.Fields(interfaces) {
		text, version, _ := strings.Cut(text, "@")
		host, binding, _ := strings.Cut(text, "/")
		url, binding := "https://"+host+".example/a2a", cmp.Or(binding, "JSONRPC")
		listed = append(listed, fmt.Sprintf(`{"url": %q, "protocolBinding": %q, "protocolVersion": %q}`, url, binding,
			cmp.Or(version, "1.0")))
		if n > 0 {
			flat = append(flat, fmt.Sprintf(`{"url": %q, "transport": %q}`, url, binding))
			continue
		}
		first = fmt.Sprintf(`"protocolVersion": "0.3.0", "url": %q, `, url)
		if form != "unnamed" {
			first += fmt.Sprintf(`"preferredTransport": %q, `, binding)
		}
	}
	card := `{"name": "Desk", "description": "Books rooms.", "version": "1.0.0", "capabilities": {}, `
	if form == "1.0" || form == "dual" {
		card += `"supportedInterfaces": [` + strings.Join(listed, ", ") + `], `
	}
	if form != "1.0" {
		card += first + `"additionalInterfaces": [` + strings.Join(flat, ", ") + `], `
	}
	return parse(t, card+`"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
  "skills": [{"id": "book", "name": "Book", "description": "Books a room.", "tags": ["rooms"]}]}`)
}

// Which host the clients of each library call, in the order of the table; - for none.
func TestAnswers(t *testing.T) {
	for _, tt := range []struct{ form, interfaces, binding, want string }{
		{"1.0", "a b c", "", "c c a a a a a - - - -"},
		{"1.0", "a b@1.1", "", "a a a a a a a - - - -"},
		{"1.0", "b@1.1 a", "", "a a b b b b b - - - -"},
		{"1.0", "a@0.3 b", "", "b b a a a b b - - - -"},
		{"1.0", "a@0.3 b@0.3", "", "a a a a a - a - - - -"},
		{"1.0", "a@1 b@10.0", "", "a a a a a a a - - - -"},
		{"1.0", "a/GRPC b c/HTTP+JSON", "", "b b b b b b b - - - -"},
		{"1.0", "a/HTTP+JSON b c/HTTP+JSON", "", "c c b b a a a - - - -"},
		{"1.0", "a/jsonrpc b", "", "b b b b a b b - - - -"},
		{"1.0", "a/GRPC", "", "- - - - - - - - - - -"},
		{"1.0", "a b/GRPC c/GRPC", "GRPC", "c c b b b b b - - - -"},
		{"1.0", "a b/grpc", "GRPC", "b b - - b - - - - - -"},
		{"0.3", "a b c", "", "- a a - - - a c c a a"},
		{"0.3", "a a b", "", "- a a - - - a b b a a"},
		{"0.3", "a/HTTP+JSON b c/HTTP+JSON", "", "- a b - - - a c b b b"},
		{"0.3", "a/GRPC b", "", "- b b - - - b b b b a"},
		{"0.3", "a/jsonrpc b", "", "- a b - - - b b b b b"},
		{"0.3", "a/HTTP+JSON a b/GRPC", "", "- a a - - - a a a a a"},
		{"0.3", "a b/HTTP+JSON", "HTTP+JSON", "- b b - - - b b b b b"},
		{"unnamed", "a b", "", "- a a - - - b b b a b"},
		{"unnamed", "a", "", "- a a - - - - a a a -"},
		{"dual", "a b", "", "b b a a a a a b b a a"},
		{"dual", "a@0.3 b", "", "b b a a a b b b b a a"},
		{"dual", "a@0.3 b/HTTP+JSON", "", "a a a a a b b a a a a"},
	} {
		var got []string
		for _, a := range diff.Answers(cardOf(t, tt.form, tt.interfaces).Document, tt.binding) {
			got = append(got, cmp.Or(strings.TrimSuffix(schema.Host(a.URL), ".example"), "-"))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s %s %s: %s, want %s", tt.form, tt.interfaces, tt.binding, strings.Join(got, " "), tt.want)
		}
	}
}

// What moves the clients of some libraries is one change for each pair of URLs, and breaks
// them.
func TestClientMoved(t *testing.T) {
	const all = "a2a-js 1.3, a2a-js 1.3 with legacyCompat, a2a-python 1.1, a2a-java 1.x, a2a-dotnet 1.x, a2a-go 2.4 and " +
		"a2a-go 2.4 with a2av0"
	const others = "client-moved a2a-python 1.1, a2a-java 1.x, a2a-dotnet 1.x, a2a-go 2.4 and a2a-go 2.4 with a2av0"
	for _, tt := range []struct {
		name, form, old, new string
		want                 string // rules and libraries
	}{
		{"an equal list", "1.0", "a b", "a b", ""},
		{"a second interface", "1.0", "a", "a b", "client-moved a2a-js 1.3 and a2a-js 1.3 with legacyCompat"},
		{"a new first interface", "1.0", "a", "b a", others},
		{"a version 1.1 in front", "1.0", "a", "b@1.1 a", others},
		{"swapped transports", "0.3", "a a b", "a b a", "client-moved a2a-js 0.3 and a2a-python 0.3"},
		{"a repeated transport", "0.3", "a", "a b", "client-moved a2a-js 0.3 and a2a-python 0.3"},
		{
			"an interface that only some clients are set to", "1.0", "a b/GRPC", "a c/GRPC",
			"client-moved " + strings.ReplaceAll(strings.Replace(all, " and ", " set to GRPC and ", 1), ", ", " set to GRPC, ") +
				" set to GRPC",
		},
		{"another binding", "1.0", "a", "a/GRPC", "client-lost " + all},
		{"a binding that all support", "1.0", "a/GRPC", "a", "client-gained " + all},
		{
			"two URLs in one step", "1.0", "a b", "b c",
			"client-moved a2a-js 1.3 and a2a-js 1.3 with legacyCompat; " + others,
		},
	} {
		changes := diff.Documents(cardOf(t, tt.form, tt.old), cardOf(t, tt.form, tt.new))
		var got []string
		for _, c := range changes {
			if _, who, ok := strings.Cut(c.Message, "clients of "); ok {
				for _, end := range []string{" call another", " can "} {
					who, _, _ = strings.Cut(who, end)
				}
				got = append(got, c.Rule.String()+" "+who)
			}
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, strings.Join(got, "; "), tt.want)
		}
		if breaks := strings.Contains(tt.want, "moved") || strings.Contains(tt.want, "lost"); breaks &&
			diff.Worst(changes) != diff.Breaking {
			t.Errorf("%s is %s", tt.name, diff.Worst(changes))
		}
	}
}

// Each edit of the interfaces is reported for the clients whose answer is another one, and
// for no other. One that moves or stops clients is breaking.
func TestEditsOfInterfaces(t *testing.T) {
	count, breaks := 0, 0
	for _, form := range []string{"1.0", "0.3", "dual"} {
		for _, before := range []string{"a b c", "a b/HTTP+JSON a@0.3", "a/GRPC a b"} {
			list := strings.Fields(before)
			for i, e := range list {
				host, rest := e[:1], e[1:]
				next := (i + 1) % len(list)
				swapped := slices.Clone(list)
				swapped[i], swapped[next] = list[next], e
				edits := [][]string{slices.Delete(slices.Clone(list), i, i+1), append(slices.Clone(list), e), swapped}
				for _, by := range []string{
					"other" + rest + " " + e, e + " other" + rest, "other" + rest, host + "@1.1", host + "@0.3", host + "/HTTP+JSON",
					host + "/jsonrpc", host + "/GRPC",
				} {
					edits = append(edits, slices.Replace(slices.Clone(list), i, i+1, by))
				}
				for _, edited := range edits {
					count++
					if editBreaks(t, form, before, strings.Join(edited, " ")) {
						breaks++
					}
				}
			}
		}
	}
	if count < 153 || breaks < 50 {
		t.Errorf("%d edits, of which %d break clients", count, breaks)
	}
}

// editBreaks compares what is reported about an edit with the answers before and after it.
func editBreaks(t *testing.T, form, before, after string) bool {
	t.Helper()
	was, is := cardOf(t, form, before), cardOf(t, form, after)
	changes := diff.Documents(was, is)
	worst := diff.Additive
	now := diff.Answers(is.Document, "")
	for i, old := range diff.Answers(was.Document, "") {
		rule := "client-moved"
		switch {
		case old.URL == now[i].URL:
			rule = ""
		case old.URL == "":
			rule = "client-gained"
		case now[i].URL == "":
			rule = "client-lost"
		}
		if rule != "" && rule != "client-gained" {
			worst = diff.Breaking
		}
		named := regexp.MustCompile(`[ ,]` + regexp.QuoteMeta(old.SDK) + `(,| and| call| can)`)
		got := ""
		for _, c := range changes {
			if named.MatchString(c.Message) && c.Old.Word() == old.URL && c.New.Word() == now[i].URL {
				got = c.Rule.String()
			} else if named.MatchString(c.Message) {
				got = c.Message
			}
		}
		if got != rule {
			t.Errorf("%s, %q to %q: %s: %q, want %q", form, before, after, old.SDK, got, rule)
		}
	}
	if worst == diff.Breaking && diff.Worst(changes) != worst {
		t.Errorf("%s, %q to %q is %s", form, before, after, diff.Worst(changes))
	}
	return worst == diff.Breaking
}
