package schema_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

func parse(t *testing.T, text string) *source.Node {
	t.Helper()
	n, found := source.ParseJSON("test.json", []byte(text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	return n
}

// change sets, adds or (without a value) removes the member that a pointer
// names.
func change(t *testing.T, root *source.Node, pointer, value string) *source.Node {
	t.Helper()
	if pointer == "" {
		return parse(t, value)
	}
	i := strings.LastIndexByte(pointer, '/')
	parent, ok := root.Find(pointer[:i])
	if !ok {
		t.Fatalf("nothing at %s", pointer[:i])
	}
	key := pointer[i+1:]
	if parent.Is(source.Array) {
		parent.Items = append(parent.Items, parse(t, value))
		return root
	}
	parent.Members = slices.DeleteFunc(slices.Clone(parent.Members), func(m source.Member) bool { return m.Key == key })
	if value != "" {
		parent.Set(key, parse(t, value))
	}
	return root
}

func lines(faults []jsonschema.Fault) []string {
	var list []string
	for _, f := range faults {
		line := fmt.Sprintf("%s %s: %s", f.Rule, f.Pointer, f.Message)
		if f.Missing != "" {
			line += " [" + f.Missing + "]"
		}
		if f.Hint != "" {
			line += " (" + f.Hint + ")"
		}
		list = append(list, line)
	}
	return list
}

func TestUnlisted(t *testing.T) {
	unsigned, _ := schema.Wire(schematest.FullCard(), schema.V10, schema.WireOptions{})
	signed, _ := schema.Wire(schematest.FullCard(), schema.V10, schema.WireOptions{Signed: true})
	if !schema.Unlisted(unsigned).Equal(signed) || unsigned.Equal(signed) {
		t.Error("a card without lists of no scopes is not the card that gets signed")
	}
}

func TestValidateCardsThatAreRight(t *testing.T) {
	for _, p := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
		for _, o := range []schema.WireOptions{{}, {Signed: true}} {
			card, _ := schema.Wire(schematest.FullCard(), p, o)
			if faults := schema.ValidateCard(p, card); faults != nil {
				t.Errorf("%s, %+v: %s", p, o, strings.Join(lines(faults), "\n"))
			}
		}
	}
}

// TestValidate makes the changes of testdata/validate.txt, and compares the faults.
func TestValidate(t *testing.T) {
	const file = "testdata/validate.txt"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(data)) {
		fault := strings.HasPrefix(line, "\t")
		if !fault {
			got.WriteString(line)
		}
		form, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		p, ok := schema.ParseProtocol(form)
		if fault || !ok && form != "config" {
			continue
		}
		pointer, value, _ := strings.Cut(rest, " ")
		var faults []jsonschema.Fault
		if pointer = strings.TrimPrefix(pointer, "-"); ok {
			card, _ := schema.Wire(schematest.FullCard(), p, schema.WireOptions{})
			faults = schema.ValidateCard(p, change(t, card, pointer, value))
		} else {
			faults = schema.Validate(form, change(t, parse(t, config), pointer, value))
		}
		for _, line := range lines(faults) {
			fmt.Fprintf(&got, "\t%s\n", line)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(data), got.String()); diff != "" && !*update {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

const config = `{"version": 1, "vars": {"a": "1"}, "agents": [{"id": "review", "name": "Review", ` +
	`"provider": {"organization": "Acme", "url": "https://acme.example"}, ` +
	`"interfaces": [{"url": "/a2a", "versions": ["1.0"]}]}]}`

func TestValidateIsDeterministic(t *testing.T) {
	var b strings.Builder
	for i := range 25 {
		fmt.Fprintf(&b, `{"id": "", "tags": [], "examples": [%d, null], "outputModes": 1},`, i)
	}
	card := parse(t, `{"name": 1, "description": "", "skills": [`+strings.TrimSuffix(b.String(),
		",")+
		`], "securitySchemes": {"b": 1, "a": {}, "c": {"type": "x"}}, "capabilities": {"streaming": 1, "extensions": [{}]}}`)
	want := lines(schema.ValidateCard(schema.Dual, card))
	if len(want) != 190 {
		t.Errorf("%d faults, want 7 of each skill and 15 others", len(want))
	}
	for range 20 {
		if diff := cmp.Diff(want, lines(schema.ValidateCard(schema.Dual, card))); diff != "" {
			t.Fatalf("(-first +now)\n%s", diff)
		}
	}
}

func FuzzValidate(f *testing.F) {
	for _, form := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
		card, _ := schema.Wire(schematest.FullCard(), form, schema.WireOptions{})
		f.Add(schema.Write(card))
	}
	f.Add([]byte(`{"version": 1, "agents": [{"id": "a", "signing": [{"key": "env:K"}], "versions": [1e999999]}], ` +
		`"vars": {"1": null}, "": {}}`))
	f.Add([]byte(`{"skills": [{"tags": [[1]], "a/b~": 0}], "securitySchemes": {"/~": {"type": "oauth2", ` +
		`"flows": {"password": {}}}}}`))
	for _, card := range fixture.Files(f, "testdata/lint/security-*/*.json") {
		f.Add(card)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, _ := source.ParseJSON("fuzz.json", data)
		if doc == nil {
			t.Skip()
		}
		for _, name := range schema.Documents() {
			for _, fault := range schema.Validate(name, doc) {
				if _, ok := doc.Find(fault.Pointer); !ok {
					t.Errorf("%s: nothing at %q: %+v", name, fault.Pointer, fault)
				}
				if fault.Message == "" || strings.ContainsFunc(fault.Message, unicode.IsControl) || len(fault.Message) > 1000 {
					t.Errorf("%s: message %q", name, fault.Message)
				}
			}
		}
	})
}
