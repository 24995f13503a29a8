package report

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// Rule is what SARIF says about a rule.
type Rule struct {
	ID       diag.RuleID
	Severity diag.Severity
	Title    string // one line: what the rule finds
	Help     string // Markdown: why it matters, how to fix it; "" when the title says it all
	Page     string // where the documentation explains it: a path in the repository of cardwright
}

// lintRules are the rules of lint as SARIF explains them.
func lintRules() (rules []Rule) {
	for _, r := range lint.Rules() {
		rules = append(rules, Rule{r.ID, r.Severity, r.Title, r.Page(), "docs/rules.md#" + r.ID.String()})
	}
	return rules
}

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarif prints findings as a log of SARIF 2.1.0, as GitHub code scanning and
// other services take it. The rules are the whole catalog, so that two logs differ in
// results only.
func (r *Report) sarif() string {
	rules := r.Rules
	if rules == nil {
		rules = lintRules()
	}
	seen := fingerprints{}
	return printJSON(source.ObjectOf(
		"$schema", sarifSchema,
		"version", "2.1.0",
		"runs", source.ArrayOf(source.ObjectOf(
			"tool", source.ObjectOf("driver", source.ObjectOf(
				"name", "cardwright",
				"version", r.Version,
				"informationUri", r.Home,
				"rules", source.ListOf(rules, r.descriptor),
			)),
			"columnKind", "unicodeCodePoints",
			"results", source.ListOf(r.Found, func(d diag.Diagnostic) *source.Node {
				index, _ := slices.BinarySearchFunc(rules, d.Rule,
					func(r Rule, id diag.RuleID) int { return cmp.Compare(r.ID, id) })
				return result(d, index, r.Repository).With("partialFingerprints",
					source.ObjectOf("cardwright/v1", seen.of(d, r.Repository.file(d.Span.File))))
			}),
		)),
	))
}

// descriptor explains a rule. A URL that leads nowhere is worse than none.
func (r *Report) descriptor(rule Rule) *source.Node {
	help := message(cmp.Or(rule.Help, rule.Title))
	help.SetText("markdown", rule.Help)
	page := ""
	if r.Home != "" {
		page = r.Home + "/blob/HEAD/" + rule.Page
	}
	return source.ObjectOf(
		"id", rule.ID.String(),
		"shortDescription", message(rule.Title),
		"fullDescription", message(rule.Title),
		"help", help,
		"helpUri", page,
		"defaultConfiguration", source.ObjectOf("level", level(rule.Severity)),
		"properties", source.ObjectOf(
			"tags", []string{"a2a"},
			"problem.severity", strings.Replace(level(rule.Severity), "note", "recommendation", 1),
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
		related = source.ListOf(d.Related, func(r diag.Related) *source.Node {
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
