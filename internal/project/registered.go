package project

import (
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/files"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// Registered are the public cards of a run.
func Registered(run *Run) []discovery.Listing {
	byPath := map[string]tree.File{}
	for _, f := range run.Result.Public {
		byPath[f.Path] = f
	}
	var cards []discovery.Listing
	for _, c := range run.Result.Cards {
		f, ok := byPath[c.Path]
		if c.Extended || !ok || !strings.HasSuffix(c.Path, "/agent-card.json") {
			continue
		}
		card := discovery.ReadCard(f.Data)
		root, found := source.ParseJSON(c.Path, f.Data, source.Limits{Card: len(f.Data) + 1})
		if card == nil || found.Worst() == diag.Error {
			continue // which no card is that was just made
		}
		r := discovery.Listing{Agent: c.Agent, Owner: c.Owner, Data: f.Data, Root: root, Card: card, URL: f.URL, File: c.Path}
		if run.Dirs.Public != nil {
			r.File = files.Join(run.Dirs.Public.Name, c.Path)
		}
		older := strings.TrimSuffix(c.Path, "agent-card.json") + "agent.json"
		if slices.ContainsFunc(run.Result.Cards, func(o generate.Card) bool { return o.Path == older }) {
			r.Older = byPath[older].Data
		}
		cards = append(cards, r)
	}
	return cards
}
