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
	"cardwright/internal/source"
)

// Rule is what SARIF says about a rule.
type Rule struct {
	ID       diag.RuleID
	Severity diag.Severity
	Title    string // one line: what the rule finds
	Help     string // Markdown: why it matters, how to fix it; "" when the title says it all
	Page     string // where the documentation explains it: a path in the repository of cardwright; "" for nowhere
}

const (
	// mostResults and mostRelated are what GitHub code scanning accepts in a
	// run and shows of a result.
	mostResults = 25_000
	mostRelated = 100

	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// sarif prints findings as a log of SARIF 2.1.0, as GitHub code scanning and
// other services take it. Of more findings than they accept, the worst remain. The rules
// are the whole catalog, so that two logs differ in results only.
func (s *Sheet) sarif(w io.Writer, found diag.List, known []Rule) error {
	rules := catalog(found, known)
	kept := worst(found, mostResults)

	prints := fingerprints{source: excerpts{read: s.Source}, seen: map[string]int{}}
	results := source.ListOf(kept, func(d diag.Diagnostic) *source.Node {
		index, _ := slices.BinarySearchFunc(rules, d.Rule, func(r Rule, id diag.RuleID) int { return cmp.Compare(r.ID, id) })
		return result(d, index, s.Repository).With("partialFingerprints",
			source.ObjectOf("cardwright/v1", prints.of(d, s.Repository.file(d.Span.File))))
	})
	var invocations *source.Node
	if left := len(found) - len(kept); left > 0 {
		invocations = source.ArrayOf(curtailed(left))
	}
	return writeJSON(w, source.ObjectOf(
		"$schema", sarifSchema,
		"version", "2.1.0",
		"runs", source.ArrayOf(source.ObjectOf(
			"tool", source.ObjectOf("driver", source.ObjectOf(
				"name", "cardwright",
				"version", s.Version,
				"informationUri", s.Home,
				"rules", source.ListOf(rules, func(r Rule) *source.Node { return descriptor(r, s.Home) }),
			)),
			"invocations", invocations,
			"columnKind", "unicodeCodePoints",
			"results", results,
		)),
	))
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
	help := message(cmp.Or(r.Help, r.Title))
	help.SetText("markdown", r.Help)
	page := ""
	if home != "" && r.Page != "" {
		page = home + "/blob/HEAD/" + r.Page
	}
	return source.ObjectOf(
		"id", r.ID.String(),
		"shortDescription", message(r.Title),
		"fullDescription", message(r.Title),
		"help", help,
		"helpUri", page,
		"defaultConfiguration", source.ObjectOf("level", level(r.Severity)),
		"properties", source.ObjectOf(
			"tags", []string{"a2a"},
			"problem.severity", strings.Replace(level(r.Severity), "note", "recommendation", 1),
		),
	)
}

func result(d diag.Diagnostic, rule int, repo Repository) *source.Node {
	text := d.Message
	if d.Hint != "" {
		text += ". Hint: " + d.Hint
	}
	at := location(d.Span, repo)
	if d.Pointer != "" {
		at.Set("logicalLocations", source.ArrayOf(source.ObjectOf("fullyQualifiedName", d.Pointer)))
	}
	var related *source.Node
	if len(d.Related) > 0 {
		related = source.ListOf(d.Related[:min(len(d.Related), mostRelated)], func(r diag.Related) *source.Node {
			return location(r.Span, repo).With("message", message(r.Message))
		})
	}
	return source.ObjectOf(
		"ruleId", d.Rule.String(),
		"ruleIndex", rule,
		"level", level(d.Severity),
		"message", message(text),
		"locations", source.ArrayOf(at),
		"relatedLocations", related,
	)
}

// location is a place in a file. GitHub wants a line in every one.
func location(s diag.Span, repo Repository) *source.Node {
	file := cmp.Or(repo.file(s.File), ".")
	base := "%SRCROOT%"
	if path.IsAbs(file) || file == ".." || strings.HasPrefix(file, "../") {
		base = ""
	}
	return source.ObjectOf("physicalLocation", source.ObjectOf(
		"artifactLocation", source.ObjectOf("uri", (&url.URL{Path: file}).String(), "uriBaseId", base),
		"region", source.ObjectOf(
			"startLine", max(s.Line, 1),
			"startColumn", known(s.Column),
			"endLine", known(s.EndLine),
			"endColumn", known(s.EndColumn),
		),
	))
}

// curtailed says that a log does not hold all findings.
func curtailed(left int) *source.Node {
	text := fmt.Sprintf("%d findings of the lowest severity are left out: services accept at most %d", left, mostResults)
	return source.ObjectOf(
		"executionSuccessful", true,
		"toolExecutionNotifications", source.ArrayOf(source.ObjectOf("level", "warning", "message", message(text))),
	)
}

// message is a plain text message (SARIF 3.11). What would make a link of
// quoted input (3.11.6) is set apart by a space.
func message(text string) *source.Node {
	return source.ObjectOf("text", strings.ReplaceAll(text, "](", "] ("))
}

// level is the name that SARIF has for a severity (3.27.10).
func level(s diag.Severity) string {
	if s == diag.Info {
		return "note"
	}
	return s.String()
}
