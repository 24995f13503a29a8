package report

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// Rule is what SARIF tells about a rule.
type Rule struct {
	ID       string
	Severity diag.Severity
	Title    string // one line: what the rule finds
	Help     string // Markdown: why it matters, how to fix it; "" when the title says it all
	Page     string // where the documentation explains it: a path in the repository of cardwright; "" for nowhere
}

// SARIFOptions says how [SARIF] shows findings.
type SARIFOptions struct {
	Version    string // of cardwright
	Home       string // URL of the repository of cardwright, "" while it has none
	Rules      []Rule // the whole catalog, so that two logs differ in results only
	Repository Repository
	// Source returns the content of a file that a finding names, nil when it
	// cannot be read. Fingerprints are made of it.
	Source func(file string) []byte
}

const (
	// mostResults and mostRelated are what GitHub code scanning accepts in a
	// run and shows of a result.
	mostResults = 25_000
	mostRelated = 100

	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// SARIF prints findings as a log of SARIF 2.1.0, as GitHub code scanning and
// other services take it. Of more findings than they accept, the worst remain.
func SARIF(w io.Writer, found diag.List, o SARIFOptions) error {
	rules := catalog(found, o.Rules)
	kept := worst(found, mostResults)

	driver := object()
	driver.SetText("name", "cardwright")
	driver.SetText("version", o.Version)
	driver.SetText("informationUri", o.Home)
	driver.Set("rules", array(len(rules), func(i int) *source.Node { return descriptor(rules[i], o.Home) }))
	tool := object()
	tool.Set("driver", driver)

	prints := fingerprints{source: excerpts{read: o.Source}, seen: map[string]int{}}
	results := array(len(kept), func(i int) *source.Node {
		d := kept[i]
		index, _ := slices.BinarySearchFunc(rules, d.Rule, func(r Rule, id string) int { return cmp.Compare(r.ID, id) })
		n := result(d, index, o.Repository)
		fingerprint := object()
		fingerprint.SetText("cardwright/v1", prints.of(d, o.Repository.file(d.Span.File)))
		n.Set("partialFingerprints", fingerprint)
		return n
	})

	run := object()
	run.Set("tool", tool)
	if left := len(found) - len(kept); left > 0 {
		run.Set("invocations", list(curtailed(left)))
	}
	run.SetText("columnKind", "unicodeCodePoints")
	run.Set("results", results)

	root := object()
	root.SetText("$schema", sarifSchema)
	root.SetText("version", "2.1.0")
	root.Set("runs", list(run))
	return writeJSON(w, root)
}

// catalog returns the rules sorted by ID, with an entry for each finding.
func catalog(found diag.List, known []Rule) []Rule {
	rules := slices.Clone(known)
	for _, d := range found {
		rules = append(rules, Rule{ID: d.Rule, Severity: d.Severity, Title: "see the message of each finding"})
	}
	byID := func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortStableFunc(rules, byID)
	return slices.CompactFunc(rules, func(a, b Rule) bool { return byID(a, b) == 0 })
}

// worst returns the findings of the highest severities in the order they stand
// in, at most n.
func worst(found diag.List, n int) diag.List {
	if len(found) <= n {
		return found
	}
	kept := slices.Clone(found)
	slices.SortStableFunc(kept, func(a, b diag.Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
	kept = kept[:n]
	slices.SortStableFunc(kept, diag.Diagnostic.Compare)
	return kept
}

// descriptor explains a rule. A URL that leads nowhere is worse than none.
func descriptor(r Rule, home string) *source.Node {
	r.Title, r.Help = secret.MaskText(r.Title), secret.MaskText(r.Help)
	n := object()
	n.SetText("id", r.ID)
	n.Set("shortDescription", message(r.Title))
	n.Set("fullDescription", message(r.Title))
	help := message(r.Title)
	if r.Help != "" {
		help = message(r.Help)
		help.SetText("markdown", r.Help)
	}
	n.Set("help", help)
	if home != "" && r.Page != "" {
		n.SetText("helpUri", home+"/blob/HEAD/"+r.Page)
	}
	configuration := object()
	configuration.SetText("level", level(r.Severity))
	n.Set("defaultConfiguration", configuration)
	properties := object()
	properties.SetTexts("tags", []string{"a2a"})
	properties.SetText("problem.severity", strings.Replace(level(r.Severity), "note", "recommendation", 1))
	n.Set("properties", properties)
	return n
}

func result(d diag.Diagnostic, rule int, repo Repository) *source.Node {
	n := object()
	n.SetText("ruleId", d.Rule)
	n.Set("ruleIndex", source.NewInt(rule))
	n.SetText("level", level(d.Severity))
	text := d.Message
	if d.Hint != "" {
		text += ". Hint: " + d.Hint
	}
	n.Set("message", message(text))
	at := location(d.Span, repo)
	if d.Pointer != "" {
		logical := object()
		logical.SetText("fullyQualifiedName", d.Pointer)
		at.Set("logicalLocations", list(logical))
	}
	n.Set("locations", list(at))
	if d.Owner != "" {
		properties := object()
		properties.SetText("owner", d.Owner)
		n.Set("properties", properties)
	}
	if len(d.Related) > 0 {
		n.Set("relatedLocations", array(min(len(d.Related), mostRelated), func(i int) *source.Node {
			at := location(d.Related[i].Span, repo)
			at.Set("message", message(d.Related[i].Message))
			return at
		}))
	}
	return n
}

// location is a place in a file. GitHub wants a line in every one.
func location(s diag.Span, repo Repository) *source.Node {
	file := cmp.Or(repo.file(s.File), ".")
	artifact := object()
	artifact.SetText("uri", (&url.URL{Path: file}).String())
	if !path.IsAbs(file) && file != ".." && !strings.HasPrefix(file, "../") {
		artifact.SetText("uriBaseId", "%SRCROOT%")
	}
	region := object()
	region.Set("startLine", source.NewInt(max(s.Line, 1)))
	setKnown(region, "startColumn", s.Column)
	setKnown(region, "endLine", s.EndLine)
	setKnown(region, "endColumn", s.EndColumn)
	physical := object()
	physical.Set("artifactLocation", artifact)
	physical.Set("region", region)
	n := object()
	n.Set("physicalLocation", physical)
	return n
}

// curtailed says that a log does not hold all findings.
func curtailed(left int) *source.Node {
	note := object()
	note.SetText("level", "warning")
	note.Set("message", message(fmt.Sprintf("%d findings of the lowest severity are left out: services accept at most %d",
		left, mostResults)))
	n := object()
	n.Set("executionSuccessful", source.NewBool(true))
	n.Set("toolExecutionNotifications", list(note))
	return n
}

// message is a plain text message (SARIF 3.11). What would make a link of
// quoted input (3.11.6) is set apart by a space.
func message(text string) *source.Node {
	n := object()
	n.SetText("text", strings.ReplaceAll(text, "](", "] ("))
	return n
}

// level is the name that SARIF has for a severity (3.27.10).
func level(s diag.Severity) string {
	if s == diag.Info {
		return "note"
	}
	return s.String()
}

func object() *source.Node { return &source.Node{Kind: source.Object} }

func list(items ...*source.Node) *source.Node {
	return &source.Node{Kind: source.Array, Items: items}
}

func array(n int, item func(i int) *source.Node) *source.Node {
	items := make([]*source.Node, n)
	for i := range items {
		items[i] = item(i)
	}
	return list(items...)
}
