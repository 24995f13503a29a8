package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
)

// The part of a log that the tests look at.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID   string
					Help struct{ Text, Markdown string }
				}
			}
		}
		Invocations []struct {
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
		Results []sarifResult
	}
}

type sarifResult struct {
	RuleID              string
	RuleIndex           int
	Level               string
	Message             struct{ Text string }
	Locations           []sarifLocation
	RelatedLocations    []sarifLocation
	PartialFingerprints map[string]string
}

type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI, URIBaseID string }
		Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
	}
	Message struct{ Text string }
}

func writeSARIF(w io.Writer, found diag.List, s Sheet, rules ...Rule) error {
	return s.sarif(w, found, rules)
}

func log(t *testing.T, found diag.List, o Sheet, rules ...Rule) sarifLog {
	t.Helper()
	var out strings.Builder
	if err := writeSARIF(&out, found, o, rules...); err != nil {
		t.Fatal(err)
	}
	var l sarifLog
	if err := json.Unmarshal([]byte(out.String()), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestSARIF(t *testing.T) {
	var out strings.Builder
	found := diag.List{{
		Rule: diag.SkillTagsMissing, Severity: diag.Warning, Message: `"pdf" has no tags`, Hint: "add some",
		Pointer: "/skills/0/tags",
		Span:    diag.Span{File: "skills/a b/SKILL.md", Line: 2, Column: 3, EndLine: 2, EndColumn: 7},
		Related: []diag.Related{{Span: diag.Span{File: "cardwright.yaml", Line: 9}, Message: "named here"}},
	}}
	err := writeSARIF(&out, found, Sheet{
		Version:    "1.2.3",
		Home:       "https://git.acme.example/cardwright",
		Repository: Repository{Dir: "services"},
		Source:     func(string) []byte { return []byte("one\ntags: []\n") },
	}, Rule{
		ID: diag.SkillTagsMissing, Severity: diag.Error, Title: "a skill without tags",
		Help: "Clients find skills by **tags**.", Page: "docs/rules.md#skill-tags-missing",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": {
        "driver": {
          "name": "cardwright",
          "version": "1.2.3",
          "informationUri": "https://git.acme.example/cardwright",
          "rules": [
            {
              "id": "skill-tags-missing",
              "shortDescription": {
                "text": "a skill without tags"
              },
              "fullDescription": {
                "text": "a skill without tags"
              },
              "help": {
                "text": "Clients find skills by **tags**.",
                "markdown": "Clients find skills by **tags**."
              },
              "helpUri": "https://git.acme.example/cardwright/blob/HEAD/docs/rules.md#skill-tags-missing",
              "defaultConfiguration": {
                "level": "error"
              },
              "properties": {
                "tags": [
                  "a2a"
                ],
                "problem.severity": "error"
              }
            }
          ]
        }
      },
      "columnKind": "unicodeCodePoints",
      "results": [
        {
          "ruleId": "skill-tags-missing",
          "ruleIndex": 0,
          "level": "warning",
          "message": {
            "text": "\"pdf\" has no tags. Hint: add some"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "services/skills/a%20b/SKILL.md",
                  "uriBaseId": "%SRCROOT%"
                },
                "region": {
                  "startLine": 2,
                  "startColumn": 3,
                  "endLine": 2,
                  "endColumn": 7
                }
              },
              "logicalLocations": [
                {
                  "fullyQualifiedName": "/skills/0/tags"
                }
              ]
            }
          ],
          "relatedLocations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "services/cardwright.yaml",
                  "uriBaseId": "%SRCROOT%"
                },
                "region": {
                  "startLine": 9
                }
              },
              "message": {
                "text": "named here"
              }
            }
          ],
          "partialFingerprints": {
            "cardwright/v1": "FINGERPRINT"
          }
        }
      ]
    }
  ]
}
`
	got := out.String()
	fingerprint := log(t, found, Sheet{
		Repository: Repository{Dir: "services"},
		Source:     func(string) []byte { return []byte("\n  tags:  []") },
	}).
		Runs[0].Results[0].PartialFingerprints["cardwright/v1"]
	if diff := cmp.Diff(strings.Replace(want, "FINGERPRINT", fingerprint, 1), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestSARIFLocations(t *testing.T) {
	tests := []struct {
		name, file string
		repo       Repository
		uri, base  string
	}{
		{"plain", "a/b.json", Repository{}, "a/b.json", "%SRCROOT%"},
		{"not ASCII", "ä/差 分.json", Repository{}, "%C3%A4/%E5%B7%AE%20%E5%88%86.json", "%SRCROOT%"},
		{"reserved characters", "a?b#c%d[e]\n", Repository{}, "a%3Fb%23c%25d%5Be%5D%0A", "%SRCROOT%"},
		{"colon", "a:b", Repository{}, "./a:b", "%SRCROOT%"},
		{"up within the repository", "../a", Repository{Dir: "b/c"}, "b/a", "%SRCROOT%"},
		{"out of the repository", "../../a", Repository{Dir: "b"}, "../a", ""},
		{"absolute in the repository", "D:/repo/a", Repository{Root: "D:/repo", Dir: "b"}, "a", "%SRCROOT%"},
		{"absolute", "/a/b", Repository{Dir: "b"}, "/a/b", ""},
		{"none", "", Repository{Dir: "b", Default: "cardwright.yaml"}, "b/cardwright.yaml", "%SRCROOT%"},
		{"none at all", "", Repository{}, ".", "%SRCROOT%"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := log(t, diag.List{{Rule: diag.CardNull, Severity: diag.Info, Message: "m", Span: diag.Span{File: tt.file}}},
				Sheet{Repository: tt.repo})
			at := l.Runs[0].Results[0].Locations[0].PhysicalLocation
			if at.ArtifactLocation.URI != tt.uri || at.ArtifactLocation.URIBaseID != tt.base || at.Region.StartLine != 1 {
				t.Errorf("got %+v", at)
			}
		})
	}
}

// Rules that the catalog does not have are described too, each at its index.
func TestSARIFRules(t *testing.T) {
	found := diag.List{
		{Rule: diag.CardJSON, Severity: diag.Error, Message: "m"},
		{Rule: diag.CardForeign, Severity: diag.Info, Message: "m"},
		{Rule: diag.CardLarge, Severity: diag.Info, Message: "m"},
	}
	run := log(t, found, Sheet{},
		Rule{ID: diag.CardForeign, Severity: diag.Info, Title: "t"},
		Rule{ID: diag.CardJSON, Severity: diag.Info, Title: "t", Help: "h"}).Runs[0]
	for i, r := range run.Results {
		if got := run.Tool.Driver.Rules[r.RuleIndex].ID; got != found[i].Rule.String() {
			t.Errorf("the rule of result %d is %q, want %q", i, got, found[i].Rule)
		}
	}
	if n := len(run.Tool.Driver.Rules); n != 3 {
		t.Errorf("there are %d rules, want 3", n)
	}
}

// While the repository has no address, a log holds no URL of it.
func TestSARIFWithoutHome(t *testing.T) {
	var out strings.Builder
	rule := Rule{ID: diag.CardForeign, Severity: diag.Info, Title: "t", Help: "h", Page: "docs/rules.md#a"}
	if err := writeSARIF(&out, nil, Sheet{}, rule); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), `Uri"`) {
		t.Errorf("got a URL:\n%s", out.String())
	}
}

func TestSARIFLinks(t *testing.T) {
	l := log(t, diag.List{{Rule: diag.CardNull, Severity: diag.Error, Message: "[click](https://evil.example) [0]"}},
		Sheet{})
	if got, want := l.Runs[0].Results[0].Message.Text, "[click] (https://evil.example) [0]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSARIFLimits(t *testing.T) {
	found := make(diag.List, mostResults+2)
	for i := range found {
		found[i] = diag.Diagnostic{
			Rule: diag.CardNull, Severity: diag.Info, Message: "m", Span: diag.Span{File: "a", Line: i + 1},
		}
	}
	found[len(found)-1].Severity = diag.Error
	found[0].Related = make([]diag.Related, mostRelated+1)
	var out strings.Builder
	if err := writeSARIF(&out, found, Sheet{}); err != nil {
		t.Fatal(err)
	}
	results := strings.Split(out.String(), `"ruleId"`)[1:] // the whole takes its time to read
	last := results[len(results)-1]
	if len(results) != mostResults || !strings.Contains(last, `"level": "error"`) ||
		!strings.Contains(results[1], `"startLine": 2`) {
		t.Errorf("%d results, the last %s", len(results), last)
	}
	if n := strings.Count(results[0], `"physicalLocation"`) - 1; n != mostRelated {
		t.Errorf("%d related locations", n)
	}
	if !strings.Contains(out.String(), `"text": "2 findings of the lowest severity are left out`) {
		t.Error("the log says nothing of what it leaves out")
	}
}

// Fingerprints differ from each other, stay when lines move or are indented, and
// change with the line.
func TestFingerprints(t *testing.T) {
	prints := func(source string, lines ...int) []string {
		var found diag.List
		for _, rule := range []diag.RuleID{diag.CardNull, diag.CardPair} {
			for _, file := range []string{"one", "two"} {
				for _, line := range lines {
					found = append(found, diag.Diagnostic{
						Rule: rule, Severity: diag.Info, Message: "m",
						Span: diag.Span{File: file, Line: line, Column: 1},
					})
				}
			}
		}
		var all []string
		for _, r := range log(t, found, Sheet{Source: func(string) []byte { return []byte(source) }}).Runs[0].Results {
			all = append(all, r.PartialFingerprints["cardwright/v1"])
		}
		return all
	}
	before := prints("x: 1\ny: 2\nx: 1\n", 1, 2, 3)
	distinct := map[string]bool{}
	for _, p := range before {
		distinct[p] = true
	}
	if len(distinct) != len(before) {
		t.Errorf("%d findings have %d fingerprints", len(before), len(distinct))
	}
	if diff := cmp.Diff(before, prints("# more\n\n  x:  1\r\n\ty: 2\nx: 1\n", 3, 4, 5)); diff != "" {
		t.Errorf("lines moved (-before +after)\n%s", diff)
	}
	if got := prints("x: 1\ny: 3\nx: 1\n", 1, 2, 3); got[0] != before[0] || got[1] == before[1] {
		t.Errorf("one line changed, and of %q became %q", before, got)
	}
}

// On one long line a finding keeps its fingerprint when another part changes.
func TestFingerprintsOnOneLine(t *testing.T) {
	line := func(first int) string {
		var b strings.Builder
		for i := range 100 {
			fmt.Fprintf(&b, `{"n": %d},`, i+first*(100-i)/100)
		}
		return b.String()
	}
	fingerprint := func(source string) string {
		d := diag.Diagnostic{
			Rule: diag.CardNull, Severity: diag.Info, Message: "m",
			Span: diag.Span{File: "a", Line: 1, Column: strings.Index(source, `"n": 80`) + 1},
		}
		return log(t, diag.List{d}, Sheet{Source: func(string) []byte { return []byte(source) }}).
			Runs[0].Results[0].PartialFingerprints["cardwright/v1"]
	}
	if a, b := fingerprint(line(0)), fingerprint(strings.Repeat(" ", 9)+strings.Replace(line(0), `{"n": 3}`,
		`{"n": "three"}`, 1)); a != b {
		t.Errorf("got %s and %s", a, b)
	}
	if a, b := fingerprint(line(0)), fingerprint(strings.Replace(line(0), `{"n": 81}`, `{"n": "x"}`, 1)); a == b {
		t.Errorf("got %s twice", a)
	}
}
