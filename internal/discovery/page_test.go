package discovery

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/dialect"
	"cardwright/internal/source"
	"cardwright/internal/synth"
	"cardwright/schema"
)

var updatePage = flag.Bool("update-page", false, "rewrite the expected page")

// readAgent reads a card of testdata. It is published below https://agents.example.
func readAgent(t *testing.T, name string) Agent {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	root, found := source.ParseJSON(name, data, source.Limits{})
	reading := dialect.Read(root, dialect.ReadOptions{})
	if reading.Card == nil {
		t.Fatalf("%s holds no card: %v", name, found)
	}
	path := name + "/.well-known/agent-card.json"
	return Agent{ID: name, URL: "https://agents.example/" + path, Path: path, Card: reading.Card, Data: data}
}

// onePage is the page of agents.
func onePage(t *testing.T, agents ...Agent) string {
	t.Helper()
	data, err := Site{Title: "Agents of the museum", Agents: agents}.Page()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestPage(t *testing.T) {
	local := readAgent(t, "tickets")
	local.URL = ""
	got, err := Site{Title: "Agents of the museum", Agents: []Agent{readAgent(t, "guide"), local}, Catalog: true}.Page()
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "page.golden.html")
	if *updatePage {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("page (-want +got), go test ./internal/discovery -update-page rewrites it:\n%s", diff)
	}
}

func TestPageStable(t *testing.T) {
	agents := []Agent{readAgent(t, "guide"), readAgent(t, "hostile"), readAgent(t, "tickets")}
	want := onePage(t, agents...)
	for range 20 {
		if onePage(t, agents...) != want {
			t.Fatal("the same site gives another page")
		}
	}
}

// Without the page's own, no element of a page runs, loads or embeds anything.
func TestPageHostile(t *testing.T) {
	page := onePage(t, readAgent(t, "hostile"))
	for _, tag := range elements(page) {
		if !ownElement(tag) {
			t.Errorf("the page has an element of a card: %s", tag)
		}
	}
	for _, want := range []string{
		"&lt;script&gt;alert(1)&lt;/script&gt;",
		"&lt;/style&gt;&lt;img src=x onerror=alert(2)&gt;",
		"⟨U&#43;202E⟩",
		`\u202e`,
		"<bdi>javascript:alert(3)</bdi>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not show %s", want)
		}
	}
	wellMade(t, page)
}

// A list is folded where it is long, and nothing of it is lost.
func TestFold(t *testing.T) {
	for _, test := range []struct{ all, head, rest int }{
		{0, 0, 0}, {1, 1, 0}, {20, 20, 0}, {30, 30, 0}, {31, 20, 11}, {500, 20, 480},
	} {
		all := make([]string, test.all)
		for i := range all {
			all[i] = fmt.Sprintf("tag-%03d", i)
		}
		head, rest := fold(all, tagsShown)
		if len(head) != test.head || len(rest) != test.rest || !slices.Equal(slices.Concat(head, rest), all) {
			t.Errorf("%d: %d and %d, want %d and %d", test.all, len(head), len(rest), test.head, test.rest)
		}
	}
	card := &schema.Card{Name: "Long", Skills: []schema.Skill{{ID: "s", Name: "S"}}}
	for i := range 40 {
		card.Skills[0].Tags = append(card.Skills[0].Tags, fmt.Sprintf("tag-%03d", i))
		card.Skills[0].Examples = append(card.Skills[0].Examples, fmt.Sprintf("example %03d", i))
	}
	page := onePage(t, Agent{ID: "long", Card: card})
	for _, want := range []string{"<summary>20 more tags</summary>", "<summary>32 more examples</summary>", "example 039", `<li class="tag"><bdi>tag-039</bdi></li>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// Whatever a card says stays text.
func FuzzPage(f *testing.F) {
	for _, text := range []string{
		"plain", "<script>alert(1)</script>", `"'><img src=x onerror=alert(1)>`, "javascript:alert(1)", "\x00\x01\x1b[31m\x7f",
		"\u202eevil\u2066", "a\r\nb\rc", "\xff\xfe", strings.Repeat("x", 2000), "]]><!--", "{{.Title}}", "https://a.example/\u202e", "\U000E0041",
	} {
		f.Add(text, text, "https://a.example/"+text)
	}
	f.Fuzz(func(t *testing.T, name, text, address string) {
		card := &schema.Card{
			Name: name, Description: text, Version: text, DocumentationURL: address,
			Interfaces:      []schema.Interface{{URL: address, Binding: name, Version: text, Tenant: name}},
			Provider:        &schema.Provider{Organization: name, URL: address},
			SecuritySchemes: map[string]schema.SecurityScheme{name: {Type: schema.APIKey, In: text, Name: text, Description: text}},
			Security:        []schema.Requirement{{name: {text}}, {text: nil}},
			InputModes:      []string{text},
			Skills:          []schema.Skill{{ID: name, Name: text, Description: text, Tags: []string{name, text}, Examples: []string{text}}},
		}
		page := onePage(t, Agent{ID: name, URL: address, Card: card, Data: []byte(text)})
		for _, tag := range elements(page) {
			if !ownElement(tag) {
				t.Errorf("the page has an element of a card: %s", tag)
			}
		}
		wellMade(t, page)
	})
}

var element = regexp.MustCompile(`(?s)<[a-zA-Z!?][^>]*>`)

// elements returns the start tags of a page, its style and script aside.
func elements(page string) []string {
	page = strings.ReplaceAll(page, string(style), "")
	page = strings.ReplaceAll(page, string(script), "")
	return element.FindAllString(page, -1)
}

// ownElement tells whether a start tag is one that the template writes.
func ownElement(tag string) bool {
	name, attributes, _ := strings.Cut(strings.Trim(tag, "<>"), " ")
	known := []string{
		"!doctype", "a", "article", "bdi", "body", "button", "code", "dd", "details", "div", "dl", "dt", "fieldset", "footer", "h1", "h2", "h3",
		"h4", "head", "header", "html", "input", "label", "legend", "li", "link", "main", "meta", "p", "pre", "script", "span", "style", "summary",
		"title", "ul",
	}
	if !slices.Contains(known, name) || (name == "script" || name == "style") && attributes != "" {
		return false
	}
	for _, m := range attribute.FindAllStringSubmatch(attributes, -1) {
		switch {
		case strings.HasPrefix(m[1], "on"), m[1] == "src", m[1] == "style":
			return false
		case m[1] == "href" && !harmless.MatchString(m[2]):
			return false
		}
	}
	return true
}

var (
	attribute = regexp.MustCompile(`([a-zA-Z-]+)="([^"]*)"`)
	harmless  = regexp.MustCompile(`^(https?://|#|data:,$|\.well-known/|[a-z-]+/\.well-known/)`)
)

// wellMade checks what holds for every page.
func wellMade(t *testing.T, page string) {
	t.Helper()
	if !utf8.ValidString(page) {
		t.Error("the page is not UTF-8")
	}
	if i := strings.IndexFunc(page, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }); i >= 0 {
		t.Errorf("the page has the control character %q", page[i])
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("the page has %d scripts", n)
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("a value stands where html/template allows none")
	}
}

// The policy names the style and the script that stand on the page.
func TestPagePolicy(t *testing.T) {
	page := onePage(t)
	head, _, _ := strings.Cut(page, "</head>")
	for _, kind := range []string{"style", "script"} {
		_, text, _ := strings.Cut(head, "<"+kind+">")
		text, _, _ = strings.Cut(text, "</"+kind+">")
		if want := kind + "-src " + hash(text) + ";"; !strings.Contains(Site{}.policy(), want) {
			t.Errorf("the policy %q lacks %s", Site{}.policy(), want)
		}
	}
}

func BenchmarkPage(b *testing.B) {
	site := Site{Title: "Agents of the harbour"}
	for i, c := range synth.Cards(1000, 10) {
		wire, _ := schema.Wire(c, schema.V10, schema.WireOptions{})
		id := fmt.Sprintf("agent-%04d", i)
		site.Agents = append(site.Agents, Agent{ID: id, URL: "https://agents.example/" + id + "/.well-known/agent-card.json", Card: c, Data: schema.Write(wire)})
	}
	for b.Loop() {
		page, err := site.Page()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(page)))
	}
}

// Whatever agents are called, each has a place of its own on the page.
func TestPageAnchors(t *testing.T) {
	var agents []Agent
	for _, id := range []string{"a", "a-name", "a name", "A", "旅行", "経理", "a.b", "a_b"} {
		agents = append(agents, Agent{ID: id, Card: &schema.Card{Name: id}})
	}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(onePage(t, agents...), -1) {
		if seen[m[1]] {
			t.Errorf("the id %q stands twice", m[1])
		}
		seen[m[1]] = true
	}
	for _, want := range []string{"agent-a", "agent-a-name", "agent-a-name-2", "agent-A", "agent-旅行", "agent-経理", "agent-a.b", "agent-a_b"} {
		if !seen[want] {
			t.Errorf("the page lacks the id %q", want)
		}
	}
}
