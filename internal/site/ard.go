package site

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// The format is that of spec/ard.md of https://github.com/ards-project/ard-spec,
// version 0.91 (August 2026). All that is known of writing it is in this file, and
// of judging it in internal/lint/ard.go:
//
//   - The root needs no more than entries. It has specVersion and host as well, so
//     that the document is an AI Catalog too, and no other member: Lighthouse up
//     to 13.5 refuses one.
//   - An entry has displayName always, exactly one of url and data, and 2 to 5
//     queries or none.
//   - The identifier has fewer characters than in an AI Catalog.
//   - updatedAt is never written: the same input makes the same bytes.

// ARD returns the ard.json of the site, entries sorted by identifier. An entry
// whose identifier ARD does not allow is left out, with a finding of the rule
// ard-identifier; one that no search finds is a finding of the rule ard-queries.
func (s Site) ARD() ([]byte, diag.List) {
	all, found := s.entries()
	var entries []*source.Node
	for _, e := range all {
		id := e.Get("identifier").Word()
		if !lint.IsARDIdentifier(id) {
			d := diag.New("ard-identifier", e.span, "%s is left out of ard.json: ARD does not allow the identifier %s", e.what,
				diag.Quote(id))
			found = append(found, d.WithSeverity(diag.Warning).
				WithHint("give it an id of ASCII letters, digits, dots, hyphens and underscores"))
			continue
		}
		if e.Get("representativeQueries") == nil {
			d := diag.New("ard-queries", e.span,
				"%s has fewer than 2 queries or examples, so ard.json lists it without the queries that searches find it by",
				e.what)
			found = append(found, d.WithSeverity(diag.Warning).WithHint(e.hint))
		}
		entries = append(entries, e.Node)
	}
	return s.catalog(entries), found
}

// describe adds to the entry of a card what searches find it by.
func describe(entry *source.Node, card *schema.Card, queries []string) {
	var skills []string
	for _, s := range card.Skills {
		skills = append(skills, s.ID)
	}
	entry.SetTexts("capabilities", skills)
	entry.SetTexts("representativeQueries", queries)
}

// QueryTexts are the queries that searches find the agent by, 2 to 5 or none:
// those that were given, or else the first examples of its skills.
func (a Agent) QueryTexts() []string {
	if len(a.Queries) > 0 {
		return a.Queries
	}
	var examples []string
	for _, s := range a.Card.Skills {
		examples = append(examples, s.Examples...)
	}
	return queriesOf(examples)
}

// queriesOf are the first distinct examples, as many as a catalog takes, none
// when they are too few.
func queriesOf(examples []string) []string {
	var queries []string
	for _, e := range examples {
		if e = strings.TrimSpace(e); e != "" && !slices.Contains(queries, e) {
			queries = append(queries, e)
		}
		if len(queries) == lint.MostQueries {
			break
		}
	}
	if len(queries) < lint.LeastQueries {
		return nil
	}
	return queries
}

// listings are the files of a site that list its agents for machines.
var listings = []string{tree.CatalogPath, tree.ARDPath}

// IsListing reports whether a file of an output tree lists agents for machines.
func IsListing(file string) bool {
	return slices.ContainsFunc(listings, func(name string) bool {
		return file == name ||
			strings.HasSuffix(file, "/"+name)
	})
}
