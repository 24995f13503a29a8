package site

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"cardwright/internal/source"
	"cardwright/schema"
)

// The AI Catalog follows https://github.com/Agent-Card/ai-catalog, release v0.9.0
// (November 2026). Entries leave name, description and version to the artifact, as the
// specification asks.
const (
	catalogVersion = "0.9"
	cardType       = "application/a2a-agent-card+json"
	skillType      = "application/agent-skills+md"
	archiveType    = "application/agent-skills+gzip"
)

// AICatalog returns the catalog of the site, with entries sorted by identifier. A card
// without a URL is embedded; a skill without one is left out.
func (s Site) AICatalog() []byte {
	var entries []*source.Node
	for _, a := range s.Agents {
		e := source.ObjectOf("identifier", s.identifier(a.ID, "a2a"), "type", cardType, "url", a.URL)
		if a.URL == "" {
			e.Set("data", embedded(a.Data))
		}
		e.SetTexts("tags", a.Tags())
		entries = append(entries, e)
	}
	for _, skill := range s.Skills {
		if s.URL == "" {
			break
		}
		kind := skillType
		if skill.Archive != nil {
			kind = archiveType
		}
		entries = append(entries, source.ObjectOf("identifier", s.identifier(skill.Name, "skill"), "type", kind,
			"url", s.URL+"/"+path.Join(SkillsDir, skill.artifact().Path), "tags", skill.Tags))
	}
	slices.SortStableFunc(entries, func(a, b *source.Node) int {
		return strings.Compare(a.Get("identifier").Word(), b.Get("identifier").Word())
	})
	root := source.ObjectOf("specVersion", catalogVersion)
	if name := s.organization(); name != "" {
		root.Set("host", source.ObjectOf("displayName", name))
	}
	root.Set("entries", source.ArrayOf(entries...))
	return schema.Write(root)
}

// identifier returns urn:air:PUBLISHER:NAME:KIND, with what a segment of a URN cannot hold
// percent-encoded (RFC 8141, section 2).
func (s Site) identifier(name, kind string) string {
	return "urn:air:" + s.Publisher + ":" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20") + ":" + kind
}

func embedded(card []byte) *source.Node {
	root, _ := source.ParseJSONUpTo("", card, len(card)+1)
	return root
}
