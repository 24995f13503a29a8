package lint_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/schema"
)

var update = flag.Bool("update", false, "rewrite docs/rules.md and the findings of the fixtures")

func TestTable(t *testing.T) {
	var ids []string
	for _, r := range lint.Rules() {
		ids = append(ids, r.ID.String())
		if r.Severity == 0 || r.Title == "" || strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s: %+v", r.ID, r)
		}
		page := r.Page()
		if page == "" || !strings.Contains("\n"+page, "\nFix: ") ||
			len(r.Protocols()) > 0 && !strings.Contains(page, "\nSource: ") {
			t.Errorf("doc/%s.md needs a line that begins with Fix:, and about cards one that begins with Source:", r.ID)
		}
	}
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Error("the table is not sorted by unique ids")
	}
	pages, err := filepath.Glob("doc/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		id := strings.TrimSuffix(filepath.Base(page), ".md")
		if _, err := lint.Find(id); err != nil {
			t.Errorf("%s is about no rule", page)
		}
	}
}

func TestDocs(t *testing.T) {
	const name = "../../docs/rules.md"
	want := lint.Markdown()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, string(read(t, name))); diff != "" {
		t.Errorf("%s is not what go test ./internal/lint -update writes:\n%s", name, diff)
	}
}

// elsewhere are the rules about cards whose findings need more than a card: a
// key, or the bytes of a file.
func elsewhere(id string) bool { return id == "signature-invalid" }

// Every rule that judges cards has fixtures that fail by it and by nothing
// else, and fixtures that pass.
func TestFixtures(t *testing.T) {
	var all strings.Builder
	for _, r := range lint.Rules() {
		if len(r.Protocols()) == 0 || elsewhere(r.ID.String()) {
			continue
		}
		t.Run(r.ID.String(), func(t *testing.T) {
			for _, kind := range []string{"bad", "ok"} {
				names, err := filepath.Glob(filepath.Join(testdata, "lint", r.ID.String(), kind+"*"))
				if err != nil || len(names) == 0 {
					t.Fatalf("testdata/lint/%s has no %s fixture", r.ID, kind)
				}
				for _, name := range names {
					if strings.HasSuffix(name, ".base.json") {
						continue
					}
					found := judgeFixture(t, name)
					all.WriteString(show(found))
					checkFixture(t, r, name, kind == "bad", found)
				}
			}
		})
	}
	if t.Failed() {
		return
	}
	const golden = "testdata/findings.txt"
	text := strings.ReplaceAll(all.String(), filepath.ToSlash(testdata)+"/lint/", "")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, golden)), text); diff != "" {
		t.Errorf("%s is not what the fixtures give:\n%s", golden, diff)
	}
}

// judgeFixture judges one card, or the cards of one tree. What every fixture
// of its kind has is left out.
func judgeFixture(t *testing.T, name string) diag.List {
	t.Helper()
	var found diag.List
	if strings.HasSuffix(name, ".json") {
		found = judge(t, filepath.ToSlash(name), read(t, name))
	} else {
		found = judgeTree(t, name)
	}
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		rule := filepath.Base(filepath.Dir(name))
		sdkFault := d.Rule == diag.SignatureCanonicalHazard && d.Pointer == "/securitySchemes"
		return sdkFault || d.Severity == diag.Info && d.Rule.String() != rule && isCommon(d.Rule.String()) ||
			d.Rule.String() == consequence[rule]
	})
}

// consequence are the rules that a fixture of another cannot but break.
var consequence = map[string]string{
	"skill-sensitive-public": "security-none",
}

// isCommon reports whether right cards break a rule: because an SDK has a fault, or because
// a dual card cannot be signed.
func isCommon(rule string) bool {
	return strings.HasPrefix(rule, "compat-") || strings.HasPrefix(rule, "signature-") || rule == "dual-strict-validators"
}

func judgeTree(t *testing.T, dir string) diag.List {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*", ".well-known", "agent-card.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s holds no cards", dir)
	}
	var cards []lint.Named
	var found diag.List
	for _, name := range names {
		card, faults := source.ParseJSON(filepath.ToSlash(name), read(t, name))
		found = append(append(found, faults...), lint.Card(card, lint.Options{})...)
		cards = append(cards, lint.Named{Agent: filepath.Dir(name), Card: card})
	}
	return append(found, lint.Tree(cards)...)
}

func checkFixture(t *testing.T, r lint.Rule, name string, bad bool, found diag.List) {
	t.Helper()
	if !bad {
		if len(found) > 0 {
			t.Errorf("%s has findings:\n%s", name, show(found))
		}
		return
	}
	other := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Rule != r.ID })
	if len(found) == 0 || other {
		t.Errorf("%s is to fail by %s and nothing else:\n%s", name, r.ID, show(found))
	}
	for _, d := range found {
		if d.Severity > r.Severity || d.Span.Line == 0 && d.Rule != diag.CardJSON {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// example is one of a page: on one line, with its kind in parentheses, or a block.
var example = regexp.MustCompile(
	"(?ms)^(Fails|Passes)(?:(?: \\((\\S+)\\))?: `(\\{[^\n]*\\})`|:\n\n```json(.*?)\n(.*?)^```)$")

// oneSided are rules without an example of each kind: those that need more than
// a card, and those about something that a card lacks.
var oneSided = map[string]bool{
	"card-documentation-missing": true, "card-duplicate-member": true,
	"card-invalid-utf8": true, "card-json": true, "card-name-duplicate": true, "card-version-unchanged": true,
	"card-version-unknown": true, "extended-without-auth": true, "provider-missing": true, "security-none": true,
	"signature-canonical-hazard": true, "signature-invalid": true, "signature-missing": true,
	"skill-sensitive-public": true, "transport-missing": true,
}

// Every rule that judges cards has a page with a failing and a passing example,
// and they do what they say.
func TestPages(t *testing.T) {
	for _, r := range lint.Rules() {
		t.Run(r.ID.String(), func(t *testing.T) {
			verdicts := map[string]bool{}
			for _, m := range example.FindAllStringSubmatch(r.Page(), -1) {
				verdict, info, text := m[1], strings.TrimSpace(m[2]+m[4]), m[3]+m[5]
				verdicts[verdict] = true
				found := judge(t, r.ID.String()+"/example.json", exampleCard(t, r, info, text))
				fails := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Rule == r.ID })
				others := slices.DeleteFunc(atLeast(diag.Warning, found),
					func(d diag.Diagnostic) bool { return d.Rule == r.ID || info == "text" })
				if fails != (verdict == "Fails") || len(others) > 0 {
					t.Errorf("%s\n%s:\n%s", verdict, text, show(found))
				}
			}
			if len(r.Protocols()) > 0 && !oneSided[r.ID.String()] && len(verdicts) < 2 {
				t.Error("the page needs a failing and a passing example")
			}
		})
	}
}

// exampleCard lays the members of an example over a card that is right
// otherwise.
func exampleCard(t *testing.T, r lint.Rule, info, text string) []byte {
	t.Helper()
	right := "cards/right-" + info + ".json"
	switch info {
	case "whole", "text":
		return []byte(text)
	case "":
		right = "cards/right-" + min(schema.V10, r.Protocols()[0]).String() + ".json"
	}
	card, _ := source.ParseJSON("", read(t, filepath.Join(testdata, right)))
	part, found := source.ParseJSON("", []byte(text))
	if len(found) > 0 {
		t.Fatal(show(found))
	}
	lay(card, part)
	return write(card)
}

// lay lays the members of an object over the members of another. Of the lists of skills,
// interfaces and entries, each item is laid over the one in its place.
func lay(under, over *source.Node) {
	for _, m := range over.Members {
		old := under.Member(m.Key)
		switch {
		case old == nil:
			under.Members = append(under.Members, m)
		case len(m.Value.Items) > 0 && slices.Contains([]string{"skills", "supportedInterfaces", "entries"}, m.Key):
			for i, item := range m.Value.Items {
				if i < len(old.Value.Items) {
					lay(old.Value.Items[i], item)
				} else {
					old.Value.Items = append(old.Value.Items, item)
				}
			}
		default:
			old.Value = m.Value
		}
	}
}
