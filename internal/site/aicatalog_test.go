package site

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

func TestIdentifier(t *testing.T) {
	for name, c := range map[string]struct{ publisher, namespace, id, want string }{
		"plain":              {"acme.example", "agents", "code-review", "urn:air:acme.example:agents:code-review"},
		"segments":           {"acme.example", "finance:agents", "v1.2_b~c", "urn:air:acme.example:finance:agents:v1.2_b~c"},
		"colon":              {"acme.example", "agents", "a:b", "urn:air:acme.example:agents:a%3Ab"},
		"slash and question": {"acme.example", "agents", "a/b?c#d", "urn:air:acme.example:agents:a%2Fb%3Fc%23d"},
		"percent":            {"acme.example", "agents", "%41", "urn:air:acme.example:agents:%2541"},
		"other script":       {"acme.example", "agents", "übersetzung", "urn:air:acme.example:agents:%C3%BCbersetzung"},
	} {
		if got := Identifier(c.publisher, c.namespace, c.id); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestSegmentFaults(t *testing.T) {
	long := strings.Repeat("a", 64)
	for _, c := range []struct {
		check func(string) string
		in    string
		want  string
	}{
		{PublisherFault, "acme.example", ""},
		{PublisherFault, "xn--mnchen-3ya.example", ""},
		{PublisherFault, "acme", ""},
		{PublisherFault, "", "has an empty label"},
		{PublisherFault, "acme..example", "has an empty label"},
		{PublisherFault, "acme.example.", "has an empty label"},
		{PublisherFault, "-acme.example", "has a label with a hyphen at its end"},
		{PublisherFault, "münchen.example", "has characters that no domain name has"},
		{PublisherFault, "acme.example:443", "has characters that no domain name has"},
		{PublisherFault, "https://acme.example", "has characters that no domain name has"},
		{PublisherFault, long + ".example", "has a label of more than 63 characters"},
		{PublisherFault, strings.Repeat("a.", 127), "is longer than a domain name can be"},
		{NamespaceFault, "agents", ""},
		{NamespaceFault, "finance:agents_v1.2", ""},
		{NamespaceFault, "finance:", "has an empty segment"},
		{NamespaceFault, "finance/agents", "has characters that no identifier has"},
		{NamespaceFault, "a b", "has characters that no identifier has"},
	} {
		if got := c.check(c.in); got != c.want {
			t.Errorf("%q %s, want: %s", c.in, got, c.want)
		}
	}
}

// agent returns an agent with a card of the given skills, each as tags divided
// by commas.
func agent(id, address string, skills ...string) Agent {
	card := &schema.Card{
		Name: "Agent " + id, Description: "Does " + id + ".", Version: "1.0.0",
		Interfaces: []schema.Interface{{URL: "https://agents.acme.example/" + id, Binding: "JSONRPC", Version: "1.0"}},
		InputModes: []string{"text/plain"}, OutputModes: []string{"text/plain"},
	}
	for i, tags := range skills {
		card.Skills = append(card.Skills, schema.Skill{
			ID: fmt.Sprint("s", i), Name: "Skill", Description: "Does it.",
			Tags: strings.Split(tags, ","),
		})
	}
	wire, _ := schema.Wire(card, schema.V10, schema.WireOptions{})
	return Agent{ID: id, URL: address, Card: card, Data: schema.Write(wire), Span: diag.Span{File: id + ".json"}}
}

func site(agents ...Agent) Site {
	return Site{Host: Host{Name: "Acme Inc.", Publisher: "acme.example", Namespace: "agents"}, Agents: agents}
}

// parse reads a catalog, which has to be valid.
func parse(t *testing.T, data []byte) *source.Node {
	t.Helper()
	root, found := source.ParseJSON(tree.CatalogPath, data, source.Limits{Card: len(data) + 1})
	if len(found) > 0 {
		t.Fatal(found)
	}
	for _, f := range schema.Validate("ai-catalog", root) {
		t.Errorf("%s: %s", f.Pointer, f.Message)
	}
	return root
}

func TestAICatalog(t *testing.T) {
	a := agent("review", "https://agents.acme.example/review/.well-known/agent-card.json", "code,git", "git,Zebra,code")
	data, found := site(a).AICatalog()
	want := `{
  "specVersion": "1.0",
  "host": {
    "displayName": "Acme Inc.",
    "identifier": "acme.example"
  },
  "entries": [
    {
      "identifier": "urn:air:acme.example:agents:review",
      "type": "application/a2a-agent-card+json",
      "url": "https://agents.acme.example/review/.well-known/agent-card.json",
      "digest": "sha256:` + tree.DigestOf(a.Data).String() + `",
      "tags": [
        "Zebra",
        "code",
        "git"
      ]
    }
  ]
}
`
	if diff := cmp.Diff(want, string(data)); diff != "" || found != nil {
		t.Errorf("%v (-want +got)\n%s", found, diff)
	}
	parse(t, data)
}

// A site without agents has a catalog without entries, which is valid.
func TestAICatalogEmpty(t *testing.T) {
	s := Site{Host: Host{Publisher: "acme.example"}}
	data, _ := s.AICatalog()
	root := parse(t, data)
	if e := root.Get("entries"); !e.Is(source.Array) || len(e.Items) != 0 {
		t.Errorf("%s", data)
	}
	if got := root.Get("host").Get("displayName").Text; got != "acme.example" {
		t.Errorf("the host is called %q", got)
	}
}

func TestAICatalogSorts(t *testing.T) {
	older, newer := agent("b", "https://b.example/1"), agent("b", "https://b.example/2")
	older.Card.Version = "0.9"
	ours, theirs := agent("z", "https://z.example/"), agent("a", "https://a.example/")
	theirs.Publisher = "other.example"
	var first []byte
	for _, agents := range [][]Agent{{newer, older, theirs, ours}, {theirs, ours, older, newer}} {
		data, _ := site(agents...).AICatalog()
		if first == nil {
			first = data
		}
		if diff := cmp.Diff(string(first), string(data)); diff != "" {
			t.Errorf("the order of the agents shows\n%s", diff)
		}
	}
	var got []string
	for _, e := range parse(t, first).Get("entries").Items {
		got = append(got, e.Get("identifier").Text+" "+e.Get("version").Word())
	}
	want := []string{
		"urn:air:acme.example:agents:b 0.9", "urn:air:acme.example:agents:b 1.0.0",
		"urn:air:acme.example:agents:z ", "urn:air:other.example:agents:a ", // which are known without
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A card without a URL is there in full, and its digest does not depend on how
// the catalog spells it.
func TestAICatalogEmbeds(t *testing.T) {
	a := agent("review", "", "code")
	data, found := site(a).AICatalog()
	if found != nil {
		t.Fatal(found)
	}
	entry := parse(t, data).Get("entries").Items[0]
	if entry.Get("url") != nil || string(schema.Write(entry.Get("data"))) != string(a.Data) {
		t.Errorf("%s", data)
	}
	a.Data = slices.Concat([]byte("\n\n  "), a.Data)
	respelled, _ := site(a).AICatalog()
	if diff := cmp.Diff(string(data), string(respelled)); diff != "" {
		t.Errorf("the spelling of the card shows\n%s", diff)
	}
}

// A catalog with Inline has each card in it, of agents and of MCP servers.
func TestAICatalogInline(t *testing.T) {
	s := site(agent("review", "https://agents.acme.example/card.json", "code"))
	s.Inline, s.URL = true, "https://agents.acme.example"
	s.Servers = []Server{{Name: "com.acme/orders", Description: "Orders.", Version: "1.0.0", Written: true}}
	data, found := s.AICatalog()
	if found != nil {
		t.Fatal(found)
	}
	for _, e := range parse(t, data).Get("entries").Items {
		if e.Get("url") != nil || e.Get("data").Get("name") == nil || e.Get("displayName") != nil || e.Get("version") != nil {
			t.Errorf("%s", schema.Write(e))
		}
	}
	if len(s.ServerCards()) != 1 || s.Agents[0].URL == "" {
		t.Error("the site is another one than before")
	}
}

func TestAICatalogRefusesToEmbed(t *testing.T) {
	for name, text := range map[string]string{
		"number": `{"name": "A", "x": 12345678901234567890}`,
		"nested": `{"x": ` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`,
	} {
		a := agent("review", "", "code")
		a.Data = []byte(text)
		_, found := site(a).AICatalog()
		if len(found) != 1 || found[0].Rule != "catalog-embed" || found[0].Severity != diag.Error ||
			found[0].Span.File != "review.json" || found[0].Hint == "" {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// Whatever a name is, its identifier is a URN of as many segments, and no other
// name has it.
func FuzzIdentifier(f *testing.F) {
	for _, s := range []string{"code-review", "a:b", "%3A", "ü", "\xff\x00", "../..", ""} {
		f.Add(s)
	}
	form := regexp.MustCompile(`^urn:air:acme\.example:agents:(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$`)
	f.Fuzz(func(t *testing.T, name string) {
		got := Identifier("acme.example", "agents", name)
		if !form.MatchString(got) {
			t.Errorf("%q becomes %q", name, got)
		}
		back, err := url.PathUnescape(strings.TrimPrefix(got, "urn:air:acme.example:agents:"))
		if err != nil || back != name {
			t.Errorf("%q becomes %q, which reads as %q", name, got, back)
		}
	})
}

// Whatever a card says, the catalog is valid JSON that says the same.
func FuzzARD(f *testing.F) {
	f.Add("Review", `"quotes" and \ and </script>`, "1.0.0", "code")
	f.Add("\u202eevil", "\x00\x1f\u2028", "", "")
	f.Fuzz(func(t *testing.T, name, description, version, tag string) {
		a := agent("review", "https://acme.example/card.json", tag)
		a.Card.Name, a.Card.Description, a.Card.Version = name, description, version
		data, _ := site(a).ARD()
		var got struct {
			Entries []struct {
				DisplayName, Description, Version string
				Tags                              []string
			}
		}
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		e := got.Entries[0]
		for _, c := range [][2]string{{name, e.DisplayName}, {description, e.Description}, {version, e.Version}} {
			if strings.ToValidUTF8(c[0], "\ufffd") != c[1] && c[0] == strings.ToValidUTF8(c[0], "") {
				t.Errorf("%q became %q", c[0], c[1])
			}
		}
	})
}

// A thousand agents with ten skills each.
func BenchmarkAICatalog(b *testing.B) {
	var agents []Agent
	for i := range 1000 {
		id := fmt.Sprintf("agent-%04d", i)
		skills := slices.Repeat([]string{"code,git,review", "billing,invoices"}, 5)
		agents = append(agents, agent(id, "https://agents.acme.example/"+id+"/.well-known/agent-card.json", skills...))
	}
	s := site(agents...)
	for b.Loop() {
		s.AICatalog()
	}
}
