package site

import (
	"flag"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/convert"
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
	reading := convert.Read(root, convert.ReadOptions{})
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
		t.Errorf("page (-want +got), go test ./internal/site -update-page rewrites it:\n%s", diff)
	}
}

func TestPageStable(t *testing.T) {
	agents := []Agent{readAgent(t, "guide"), readAgent(t, "hostile"), readAgent(t, "tickets")}
	want := onePage(t, agents...)
	for range 8 {
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
		"<bdi>javascript:alert(3)</bdi>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not show %s", want)
		}
	}
	wellMade(t, page)
}

// Whatever a card says stays text.
func FuzzPage(f *testing.F) {
	for _, text := range []string{
		"plain", "<script>alert(1)</script>", `"'><img src=x onerror=alert(1)>`, "javascript:alert(1)",
		"\x00\x01\x1b[31m\x7f",
		"\u202eevil\u2066", "a\r\nb\rc", "\xff\xfe", strings.Repeat("x", 2000), "]]><!--", "{{.Title}}",
		"https://a.example/\u202e", "\U000E0041",
	} {
		f.Add(text, text, "https://a.example/"+text)
	}
	f.Fuzz(func(t *testing.T, name, text, address string) {
		card := &schema.Card{
			Name: name, Description: text, Version: text, DocumentationURL: address,
			Interfaces: []schema.Interface{{URL: address, Binding: name, Version: text, Tenant: name}},
			Provider:   &schema.Provider{Organization: name, URL: address},
			SecuritySchemes: map[string]schema.SecurityScheme{name: {
				Type: schema.APIKey, In: text, Name: text,
				Description: text,
			}},
			Security:   []schema.Requirement{{name: {text}}, {text: nil}},
			InputModes: []string{text},
			Skills: []schema.Skill{{
				ID: name, Name: text, Description: text, Tags: []string{name, text},
				Examples: []string{text},
			}},
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

// ownElement reports whether a start tag is one that the template writes.
func ownElement(tag string) bool {
	name, attributes, _ := strings.Cut(strings.Trim(tag, "<>"), " ")
	known := []string{
		"!doctype", "a", "article", "bdi", "body", "button", "code", "dd", "details", "div", "dl", "dt", "fieldset", "footer",
		"h1", "h2", "h3",
		"h4", "head", "header", "html", "input", "label", "legend", "li", "link", "main", "meta", "p", "pre", "script",
		"section", "span", "style", "summary",
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
	harmless  = regexp.MustCompile(
		`^(https?://|#|data:image/svg&#43;xml,[%A-Za-z0-9&#;:@$=._~-]*$|\.well-known/|[a-z-]+/\.well-known/)`)
)

// wellMade checks what holds for every page.
func wellMade(t *testing.T, page string) {
	t.Helper()
	if !utf8.ValidString(page) {
		t.Error("the page is not UTF-8")
	}
	if i := strings.IndexFunc(page, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f &&
			r < 0xa0
	}); i >= 0 {
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
		if want := kind + "-src " + hash(text) + ";"; !strings.Contains(html.UnescapeString(head), want) {
			t.Errorf("the policy lacks %s:\n%s", want, head)
		}
	}
}

// A page of one agent shows it at once, and has nothing to search or filter by.
func TestPageOfOne(t *testing.T) {
	page := onePage(t, readAgent(t, "guide"))
	for _, absent := range []string{`id="query"`, `data-tag="`} {
		if strings.Contains(page, absent) {
			t.Errorf("the page has %s", absent)
		}
	}
	if !strings.Contains(page, `<details class="agent" data-tags="`) || !strings.Contains(page, `" open>`) {
		t.Error("the agent does not stand open")
	}
}

// The overview has agents and skills as people sort them.
func TestPageOrder(t *testing.T) {
	var agents []Agent
	for _, n := range []int{10, 9, 1} {
		card := &schema.Card{Name: fmt.Sprintf("Agent %d", n)}
		for _, s := range []int{10, 2, 1} {
			card.Skills = append(card.Skills, schema.Skill{
				ID:   fmt.Sprintf("s%d", s),
				Name: fmt.Sprintf("Agent %d, skill %d", n, s),
			})
		}
		agents = append(agents, Agent{ID: fmt.Sprintf("a%d", n), Card: card})
	}
	var got []string
	for _, m := range regexp.MustCompile(`<h[23][^>]*><bdi>([^<]*)</bdi>`).FindAllStringSubmatch(onePage(t,
		agents...), -1) {
		got = append(got, m[1])
	}
	var want []string
	for _, n := range []int{1, 9, 10} {
		want = append(want, fmt.Sprintf("Agent %d", n))
		for _, s := range []int{1, 2, 10} {
			want = append(want, fmt.Sprintf("Agent %d, skill %d", n, s))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// The filter has the tags that divide the agents.
func TestFilter(t *testing.T) {
	tagged := func(lists ...[]string) []Agent {
		var agents []Agent
		for i, list := range lists {
			agents = append(agents, Agent{ID: fmt.Sprint(i), Card: &schema.Card{Skills: []schema.Skill{{ID: "s", Tags: list}}}})
		}
		return agents
	}
	for name, test := range map[string]struct {
		agents []Agent
		want   []string
	}{
		"all different":  {tagged([]string{"a"}, []string{"b"}, []string{"c"}), nil},
		"on every agent": {tagged([]string{"a"}, []string{"a"}), nil},
		"shared by some": {tagged([]string{"s10", "x"}, []string{"S10", "s2"}, []string{"s2", "y"}), []string{"s2", "S10"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, v := range filterTags(test.agents) {
				got = append(got, v.Name)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("tags (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever the accent, text in it can be read by the formula of WCAG 2.2, as the style
// makes it in OKLCH.
func TestAccents(t *testing.T) {
	linear := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	luminance := func(r, g, b float64) float64 { return 0.2126*r + 0.7152*g + 0.0722*b }
	of := func(hex int) float64 {
		return luminance(linear(float64(hex>>16)/255), linear(float64(hex>>8&255)/255), linear(float64(hex&255)/255))
	}
	// mapped is the luminance of a color with another lightness and a bound on chroma, in
	// the gamut of the screen as browsers clip it.
	mapped := func(r, g, b float64, lightness func(float64) float64, most float64) float64 {
		l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
		m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
		s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
		light := 0.2104542553*l + 0.7936177850*m - 0.0040720468*s
		x, y := 1.9779984951*l-2.4285922050*m+0.4505937099*s, 0.0259040371*l+0.7827717662*m-0.8086757660*s
		if c := math.Hypot(x, y); c > most {
			x, y = x*most/c, y*most/c
		}
		light = lightness(light)
		cube := func(v float64) float64 { return v * v * v }
		l, m, s = cube(light+0.3963377774*x+0.2158037573*y), cube(light-0.1055613458*x-0.0638541728*y),
			cube(light-0.0894841775*x-1.2914855480*y)
		clip := func(v float64) float64 { return min(max(v, 0), 1) }
		return luminance(clip(4.0767416621*l-3.3077115913*m+0.2309699292*s),
			clip(-1.2684380046*l+2.6097574011*m-0.3413193965*s), clip(-0.0041960863*l-0.7034186147*m+1.7076147010*s))
	}
	contrast := func(x, y float64) float64 { return (max(x, y) + 0.05) / (min(x, y) + 0.05) }
	for r := 0; r < 256; r += 51 {
		for g := 0; g < 256; g += 51 {
			for b := 0; b < 256; b += 51 {
				red, green, blue := linear(float64(r)/255), linear(float64(g)/255), linear(float64(b)/255)
				light := mapped(red, green, blue, func(l float64) float64 { return min(l, 0.49) }, 1)
				dark := mapped(red, green, blue, func(l float64) float64 { return max(l, 0.78) }, 0.12)
				for name, c := range map[string]float64{
					"on the page": contrast(light, of(0xf5f6f8)), "below white": contrast(light, 1),
					"on dark": contrast(dark, of(0x171b22)), "below dark": contrast(dark, of(0x0f1217)),
				} {
					if c < 4.5 {
						t.Errorf("#%02x%02x%02x has a contrast of %.2f %s", r, g, b, c, name)
					}
				}
			}
		}
	}
}

func BenchmarkPage(b *testing.B) {
	site := Site{Title: "Agents of the harbour"}
	for i, c := range synth.Cards(1000, 10) {
		wire, _ := schema.Wire(c, schema.V10, schema.WireOptions{})
		id := fmt.Sprintf("agent-%04d", i)
		site.Agents = append(site.Agents, Agent{
			ID: id, URL: "https://agents.example/" + id + "/.well-known/agent-card.json",
			Card: c, Data: schema.Write(wire),
		})
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
	for _, want := range []string{
		"agent-a", "agent-a-name", "agent-a-name-2", "agent-A", "agent-旅行", "agent-経理",
		"agent-a.b", "agent-a_b",
	} {
		if !seen[want] {
			t.Errorf("the page lacks the id %q", want)
		}
	}
}
