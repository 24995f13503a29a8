package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
)

const testdata = "../../testdata"

// judge reads a card and returns what is found in it; for the rule that needs
// it, what the signing package finds as well.
func judge(t *testing.T, name string, data []byte) diag.List {
	t.Helper()
	card, found := source.ParseJSON(name, data)
	of := lint.Card(card, lint.Options{Keep: map[diag.RuleID]diag.Severity{ruleOf(name): diag.Warning}})
	checkFindings(t, card, of)
	found = append(found, of...)
	if data, err := os.ReadFile(strings.TrimSuffix(name, ".json") + ".base.json"); err == nil {
		base, _ := source.ParseJSON("base.json", data)
		found = append(found, lint.Successor(card, base)...)
	}
	if strings.Contains(name, "signature-canonical-hazard") {
		found = append(found, sign.Hazards(card)...)
	}
	return found.Sorted()
}

// ruleOf returns the rule that a fixture is about: optional rules are switched on
// for their own ones.
func ruleOf(name string) diag.RuleID {
	rule, _ := diag.ParseRuleID(filepath.Base(filepath.Dir(name)))
	return rule
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// atLeast returns the findings of a severity or worse.
func atLeast(s diag.Severity, l diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(l), func(d diag.Diagnostic) bool { return d.Severity < s })
}

func show(l diag.List) string {
	var b strings.Builder
	for _, d := range l {
		pointer := strings.Trim(strconv.Quote(d.Pointer), `"`)
		fmt.Fprintf(&b, "%s %s [%s] %s: %s\n", d.Span, d.Severity, d.Rule, pointer, d.Message)
	}
	return b.String()
}

func TestRightCards(t *testing.T) {
	for name, want := range map[string]diag.Severity{
		"right-1.0":    diag.Info, // a2a-go refuses every right card with requirements
		"right-0.3":    0,
		"right-dual":   diag.Info,
		"minimal-1.0":  diag.Info,
		"minimal-0.3":  diag.Warning, // its schema allows what its text demands
		"minimal-dual": diag.Warning,
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(testdata, "cards", name+".json")
			card, found := source.ParseJSON(file, read(t, file))
			found = append(found, lint.Card(card, lint.Options{})...)
			if got := found.Worst(); got != want {
				t.Errorf("the worst finding is %s, want %s:\n%s", got, want, show(found))
			}
		})
	}
}

func TestVersion(t *testing.T) {
	for name, c := range map[string]struct {
		card  string
		want  schema.Protocol
		known bool
	}{
		"1.0":                     {`{"supportedInterfaces": []}`, schema.V10, true},
		"1.0 in snake case":       {`{"supported_interfaces": []}`, schema.V10, true},
		"1.0 with a leftover url": {`{"supportedInterfaces": [{"protocolVersion": "1.0"}], "url": "u"}`, schema.V10, true},
		"1.0 for 0.3 clients":     {`{"supportedInterfaces": [{"protocolVersion": "0.3"}]}`, schema.V10, true},
		"dual": {
			`{"supportedInterfaces": [{"protocolVersion": "1.0"}, {"protocolVersion": "0.3"}], "url": "u"}`,
			schema.Dual,
			true,
		},
		"dual with a patch version": {
			`{"supportedInterfaces": [{"protocolVersion": "0.3.0"}], "url": "u"}`,
			schema.Dual, true,
		},
		"0.3":                    {`{"url": "u", "protocolVersion": "0.3.0"}`, schema.V03, true},
		"0.3 that claims 1.0":    {`{"url": "u", "protocolVersion": "1.0"}`, schema.V03, true},
		"0.3 by its interfaces":  {`{"additionalInterfaces": []}`, schema.V03, true},
		"older":                  {`{"url": "u", "authentication": {"schemes": ["bearer"]}}`, schema.V03, true},
		"neither, with security": {`{"security": []}`, schema.V03, false},
		"neither, with a claim":  {`{"protocolVersion": "0.2.5"}`, schema.V03, false},
		"neither":                {`{"name": "n"}`, schema.V10, false},
		"no object":              {`[]`, schema.V10, false},
	} {
		t.Run(name, func(t *testing.T) {
			card, _ := source.ParseJSON("card.json", []byte(c.card))
			if got, known := lint.Version(card); got != c.want || known != c.known {
				t.Errorf("got %s, %v, want %s, %v", got, known, c.want, c.known)
			}
		})
	}
}

func TestForcedProtocol(t *testing.T) {
	file := filepath.Join(testdata, "cards", "right-0.3.json")
	card, _ := source.ParseJSON(file, read(t, file))
	found := lint.Card(card, lint.Options{Protocol: schema.V10})
	if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
		return d.Rule == diag.CardMemberMissing && d.Pointer == "/supportedInterfaces"
	}) {
		t.Errorf("a 0.3 card lacks nothing as a 1.0 card:\n%s", show(found))
	}
}

// A card that breaks ten rules shows all ten, each once, by place.
func TestManyFaults(t *testing.T) {
	const card = `{
  "name": "Invoice Desk",
  "description": "Explains invoices line by line and corrects wrong ones.",
  "supportedInterfaces": [
    {"url": "http://agents.acme.example/a2a", "transport": "JSONRPC", "protocolVersion": "1.0.0"}
  ],
  "provider": {"organization": "Acme Inc."},
  "version": 1,
  "iconUrl": null,
  "documentationUrl": "docs",
  "capabilities": {"streaming": "true"},
  "securitySchemes": {"login": {"type": "http", "scheme": "bearer"}},
  "securityRequirements": [{"logon": []}],
  "defaultInputModes": ["text"],
  "defaultOutputModes": [],
  "skills": [{"id": "explain", "name": "Explain", "description": "Explain", "tags": []}]
}`
	root, _ := source.ParseJSON("card.json", []byte(card))
	want := []string{
		"1 signature-missing", "5 interface-insecure", "5 interface-member-alias", "5 interface-version-format",
		"7 provider-incomplete", "8 card-member-type", "9 card-null", "10 card-url-invalid", "11 capability-type",
		"12 scheme-shape", "13 security-requirement-shape", "14 mode-not-mime", "15 card-member-empty",
		"16 skill-description-vague", "16 skill-tags-missing",
	}
	var got []string
	for _, d := range lint.Card(root, lint.Options{}) {
		line, _, _ := strings.Cut(strings.TrimPrefix(d.Span.String(), "card.json:"), ":")
		got = append(got, line+" "+d.Rule.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNoCard(t *testing.T) {
	if found := lint.Card(nil, lint.Options{}); found != nil {
		t.Errorf("a card that could not be read has findings: %v", found)
	}
	for _, document := range []string{`null`, `[]`, `"card"`, `1`, `true`} {
		root, _ := source.ParseJSON("card.json", []byte(document))
		if found := lint.Card(root, lint.Options{}); len(found) != 1 || found[0].Rule != diag.CardJSON {
			t.Errorf("%s: %s", document, show(found))
		}
	}
}

// Hostile cards repeat a fault without end: findings stay countable.
func TestBoundedFindings(t *testing.T) {
	for name, c := range map[string]string{
		"skills":  `{"supportedInterfaces": [], "skills": [` + strings.Repeat(`{"id": "a"},`, 1200) + `{}]}`,
		"strings": `{"supportedInterfaces": [], "skills": [` + strings.Repeat(`"a",`, 1200) + `"a"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			root, _ := source.ParseJSON("card.json", []byte(c))
			count := map[string]int{}
			var sums int
			for _, d := range lint.Card(root, lint.Options{}) {
				count[d.Rule.String()]++
				if strings.HasSuffix(d.Message, "more findings of this kind are not shown") {
					sums++
				}
			}
			for rule, n := range count {
				if n > 1001 {
					t.Errorf("%d findings of %s", n, rule)
				}
			}
			if sums == 0 {
				t.Error("nothing tells that findings were left out")
			}
		})
	}
}

func TestTree(t *testing.T) {
	card := func(name string) *source.Node {
		n, _ := source.ParseJSON(name+".json", []byte(`{"name": "Invoice Desk"}`))
		return n
	}
	found := lint.Tree([]lint.Named{
		{Agent: "a", Card: card("a")},
		{Agent: "a", Card: card("a-extended")},
		{Agent: "b", Card: card("b")},
	})
	if len(found) != 1 || found[0].Span.File != "b.json" || found[0].Related[0].Span.File != "a.json" {
		t.Errorf("want one finding, about b:\n%s", show(found))
	}
}

// A hint says where a member belongs, and what to do about requirements in another form.
func TestHints(t *testing.T) {
	const nothing = "delete it: a card without security requirements needs no credentials"
	for text, want := range map[string]string{
		`{"security": {"authorization": "open"}}`:   "card-member-type " + nothing,
		`{"security": {"authRequired": false}}`:     "card-member-type " + nothing,
		`{"security": "none"}`:                      "card-member-type " + nothing,
		`{"security": {"login": []}}`:               "card-member-type put it into a list: [{…}]",
		`{"authentication": {"schemes": ["none"]}}`: "card-member-unknown " + nothing,
		`{"extensions": []}`:                        "card-member-unknown it belongs in capabilities.extensions",
		`{"tokenUrl": "https://id.acme.example"}`: "card-member-unknown " +
			"it belongs in securitySchemes.NAME.flows.TYPE.tokenUrl",
		`{"scheme": "bearer"}`:                       "card-member-unknown it belongs in securitySchemes.NAME.scheme",
		`{"organization": "Acme"}`:                   "card-member-unknown it belongs in provider.organization",
		`{"capabilities": {"description": "Books"}}`: "capability-unknown ",
	} {
		card, _ := source.ParseJSON("", read(t, filepath.Join(testdata, "cards", "right-0.3.json")))
		part, _ := source.ParseJSON("", []byte(text))
		lay(card, part)
		var got []string
		for _, d := range lint.Card(card, lint.Options{}) {
			if d.Rule == diag.CardMemberType || d.Rule == diag.CardMemberUnknown || d.Rule == diag.CapabilityUnknown {
				got = append(got, d.Rule.String()+" "+d.Hint)
			}
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
