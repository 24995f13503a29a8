package lint_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
		if _, ok := lint.Find(id); !ok {
			t.Errorf("%s is about no rule", page)
		}
	}
}

// Every rule that some package of the project reports is in the table.
func TestReportedRules(t *testing.T) {
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "conformance" || d.Name() == "testdata" || d.Name() == "diff" || name != "../.." &&
			strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		for _, id := range reported(t, name) {
			if _, ok := lint.Find(id); !ok {
				t.Errorf("%s reports the rule %s, which is not in the table of internal/diag", name, id)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	ruleID    = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`)
	mayReport = regexp.MustCompile(`"[a-z0-9]+(-[a-z0-9]+)+"|diag\.Diagnostic\{`) // a file that is worth parsing
)

// reported returns the ids that stand in a file where rules do: in a member or
// constant called rule, and in a call that reports. It refuses a finding that is
// not made by diag.New.
func reported(t *testing.T, name string) []string {
	t.Helper()
	text := read(t, name)
	if !mayReport.Match(text) {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Log(err) // the compiler says so as well
		return nil
	}
	var ids []string
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if id, err := strconv.Unquote(lit.Value); err == nil && ruleID.MatchString(id) {
				ids = append(ids, id)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Rule" {
				add(n.Value)
			}
		case *ast.ValueSpec:
			for i, ident := range n.Names {
				if strings.HasPrefix(ident.Name, "rule") && i < len(n.Values) {
					add(n.Values[i])
				}
			}
		case *ast.CallExpr:
			if reports(n.Fun) {
				for _, arg := range n.Args {
					add(arg)
				}
			}
		case *ast.CompositeLit:
			if isSelector(n.Type, "diag", "Diagnostic") && len(n.Elts) > 0 {
				t.Errorf("%s makes a finding of its own; diag.New makes one as the table says", name)
			}
		}
		return true
	})
	return ids
}

// reports reports whether a function takes the id of a rule.
func reports(f ast.Expr) bool {
	if isSelector(f, "diag", "New") {
		return true
	}
	name, _ := f.(*ast.Ident)
	if s, ok := f.(*ast.SelectorExpr); ok {
		name = s.Sel
	}
	return name != nil && slices.Contains([]string{"report", "refuse", "fault", "warn"}, name.Name)
}

func isSelector(e ast.Expr, pkg, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg && s.Sel.Name == name
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
	"card-member-type":       "dual-leftover",
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
