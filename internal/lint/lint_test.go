package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

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
		fmt.Fprintf(&b, "%s %s [%s] %s: %s", d.Span, d.Severity, d.Rule, pointer, d.Message)
		for _, r := range d.Related {
			fmt.Fprintf(&b, " (%d:%d: %s)", r.Span.Line, r.Span.Column, r.Message)
		}
		b.WriteByte('\n')
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
	const listed, flat = schema.V10, schema.V03
	for card, want := range map[string]struct {
		schema.Protocol
		known bool
	}{
		`{"supportedInterfaces": []}`:                                         {listed, true},
		`{"supported_interfaces": []}`:                                        {listed, true},
		`{"supportedInterfaces": [{"protocolVersion": "1.0"}], "url": "u"}`:   {listed, true},
		`{"supportedInterfaces": [{"protocolVersion": "0.3"}]}`:               {listed, true},
		`{"supportedInterfaces": [{"protocolVersion": "0.3.0"}], "url": "u"}`: {schema.Dual, true},
		`{"url": "u", "protocolVersion": "0.3.0"}`:                            {flat, true},
		`{"url": "u", "protocolVersion": "1.0"}`:                              {flat, true},
		`{"url": "u", "supportedInterfaces": []}`:                             {flat, true},
		`{"additionalInterfaces": []}`:                                        {flat, true},
		`{"url": "u", "authentication": {"schemes": ["bearer"]}}`:             {flat, true},
		`{"security": []}`:                                                    {flat, false},
		`{"protocolVersion": "0.2.5"}`:                                        {flat, false},
		`{"name": "n"}`:                                                       {listed, false},
		`[]`:                                                                  {listed, false},
	} {
		root, _ := source.ParseJSON("card.json", []byte(card))
		if got, known := lint.Version(root); got != want.Protocol || known != want.known {
			t.Errorf("%s: got %s, %v, want %s, %v", card, got, known, want.Protocol, want.known)
		}
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
	for _, skill := range []string{`{"id": "a"},`, `"a",`} {
		root, _ := source.ParseJSON("card.json", []byte(`{"supportedInterfaces": [], "skills": [`+
			strings.Repeat(skill, 1200)+`{}]}`))
		count, most := map[diag.RuleID]int{}, 0
		for _, d := range lint.Card(root, lint.Options{}) {
			count[d.Rule]++
			most = max(most, count[d.Rule])
		}
		if most != 1001 { // the last one counts the others
			t.Errorf("%d findings of a rule about %s", most, skill)
		}
	}
	var list strings.Builder // of interfaces, two of each binding
	for i := range 100 {
		fmt.Fprintf(&list, `{"url": "https://a.acme.example/%d", "protocolBinding": "urn:b:%d"},`, i, i/2)
	}
	root, _ := source.ParseJSON("", []byte(`{"supportedInterfaces": [`+list.String()+`{}]}`))
	if n := strings.Count(show(lint.Card(root, lint.Options{})), " is called by "); n != 2*10 {
		t.Errorf("%d URLs are looked up for all libraries", n)
	}
}

func TestTree(t *testing.T) {
	var cards []lint.Named
	for i, agent := range []string{"a", "a", "b"} { // the second is the extended card of the first
		n, _ := source.ParseJSON(strconv.Itoa(i), []byte(`{"name": "Invoice Desk"}`))
		cards = append(cards, lint.Named{Agent: agent, Card: n})
	}
	if found := lint.Tree(cards); len(found) != 1 || found[0].Span.File != "2" || found[0].Related[0].Span.File != "0" {
		t.Errorf("want one finding, about the third:\n%s", show(found))
	}
}

// A version of 0.0.0 is none, so it need not rise.
func TestSuccessor(t *testing.T) {
	for version, want := range map[string]int{"0.0.0-dev": 0, "0.0.1": 1, "1.0.0": 1, "": 0} {
		base, _ := source.ParseJSON("base.json", []byte(`{"name": "a", "version": "`+version+`"}`))
		card, _ := source.ParseJSON("card.json", []byte(`{"name": "b", "version": "`+version+`"}`))
		if found := lint.Successor(card, base); len(found) != want || len(lint.Successor(base, base)) != 0 {
			t.Errorf("%q: %s", version, show(found))
		}
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

// A credential next to the scheme that asks for it is found, in the form of either version.
func TestSchemeValue(t *testing.T) {
	for scheme, secret := range map[string]bool{
		`{"in": "header", "value": "umbrella-stand-07"}`:                                 true,
		`{"apiKeySecurityScheme": {"location": "header", "value": "umbrella-stand-07"}}`: true,
		`{"in": "header", "example": {"value": "umbrella-stand-07"}}`:                    true,
		`{"in": "header", "value": "${DESK_KEY}"}`:                                       false,
		`{"in": "header", "value": "<your key>"}`:                                        false,
		`{"in": "header", "value": ""}`:                                                  false,
		`{"in": "header", "value": null}`:                                                false,
		`{"name": "value", "description": "The value of the key."}`:                      false,
	} {
		card := `{"securitySchemes": {"desk": ` + scheme + `}, "signatures": ["\u200b"]}`
		root, _ := source.ParseJSON("card.json", []byte(card))
		found := lint.Texts(root)
		if (len(found) > 0) != secret || strings.Contains(show(found), "umbrella-stand") {
			t.Errorf("%s: %s", scheme, show(found))
		}
	}
}

func TestSwitches(t *testing.T) {
	found := diag.List{
		{Rule: diag.SkillIDDuplicate, Severity: diag.Error},
		{Rule: diag.SkillTagsMissing, Severity: diag.Warning},
		{Rule: diag.SkillExamplesFew, Severity: diag.Info},
		{Rule: diag.CardMemberUnknown, Severity: diag.Info},
		{Rule: diag.CardJSON, Severity: diag.Error},
	}
	type rules = map[diag.RuleID]diag.Severity
	for want, switches := range map[string]lint.Switches{
		"error warning info info error":   {Rules: rules{diag.CardJSON: diag.Info}}, // which is fixed
		"error error info warning error":  {Strict: true},
		"warning info info error":         {Rules: rules{diag.SkillIDDuplicate: 0}},
		"error warning error info error":  {Rules: rules{diag.SkillExamplesFew: diag.Error}},
		"error error error warning error": {Strict: true, Rules: rules{diag.SkillExamplesFew: diag.Warning}},
		"error error info error error":    {Strict: true, Rules: rules{diag.CardMemberUnknown: diag.Error}},
	} {
		var got []string
		for _, d := range switches.Apply(found) {
			got = append(got, d.Severity.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v: got %s, want %s", switches, got, want)
		}
	}
}

func TestFile(t *testing.T) {
	token := "gh" + "p_" + strings.Repeat("a1B2", 9)
	for text, want := range map[string]string{
		strings.Repeat("All is well.\r\n\n", 3000): "",
		"one\ntwo " + token + "\n":                 "f:2:1 error [secret-value]",
		"\ufeffone\ntwo " + token:                  "f:2:1 error [secret-value]",
		"one\na\u200bb\n":                          "f:2:1 error [text-invisible]",
		"one\rtwo\n\u200b":                         "f:2:1 error [text-invisible]",
		"a\x00b " + token:                          "",
		"\xff" + token:                             "",
	} {
		if got := show(lint.File("f", []byte(text))); got != "" && want == "" || !strings.HasPrefix(got, want) {
			t.Errorf("%.20q: got %s, want %s", text, got, want)
		}
	}
	if got := show(lint.Path("f", "a/"+token)); !strings.HasPrefix(got, "f error [secret-value]") {
		t.Errorf("a path: %s", got)
	}
}
