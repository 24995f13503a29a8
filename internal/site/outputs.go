package site

import (
	"path"
	"slices"
	"strings"

	"cardwright/internal/source"
	"cardwright/mapping"
)

// The files of an output tree. The paths are those below the root of an agent or
// of a site; the names may be in any directory.
const (
	CardPath         = ".well-known/agent-card.json"
	LegacyCardPath   = ".well-known/agent.json"   // for clients of A2A 0.3
	ExtendedCardName = "extended-agent-card.json" // not well-known: clients ask for it through the protocol
	KeySetPath       = ".well-known/jwks.json"
	CatalogPath      = ".well-known/ai-catalog.json" // AI Catalog
	PagePath         = "index.html"
	ManifestName     = mapping.OutputManifest
	SkillsDir        = ".well-known/agent-skills" // where a host publishes skills with their files
	SkillsIndexName  = "index.json"
	SkillName        = "SKILL.md"
)

// output is a row of the table of output files. Package hosting says how they are served.
type output struct {
	name  string // of the file, in any directory
	turn  Turn
	lists bool // it only lists other files, and is no card
}

// outputs has a row for every file that a run makes, outside of what it publishes of skills.
var outputs = []output{
	{name: path.Base(CatalogPath), turn: IndexTurn, lists: true},
	{name: PagePath, turn: IndexTurn},
	{name: path.Base(KeySetPath), lists: true},
	{name: ManifestName, lists: true},
	{name: path.Base(CardPath)},
	{name: path.Base(LegacyCardPath)},
	{name: ExtendedCardName},
}

// Names are the names of the files that a run makes, outside of what it publishes
// of skills.
func Names() []string {
	names := make([]string, len(outputs))
	for i, o := range outputs {
		names[i] = o.name
	}
	return names
}

// IsOutput reports whether a file of that name is one of [Names].
func IsOutput(name string) bool { return slices.Contains(Names(), name) }

// outputAt is the row of the file at p.
func outputAt(p string) output {
	if InSkills(p) {
		if strings.HasSuffix(p, SkillsDir+"/"+SkillsIndexName) {
			return output{turn: IndexTurn}
		}
		return output{}
	}
	i := slices.IndexFunc(outputs, func(o output) bool { return o.name == path.Base(p) })
	if i < 0 {
		return output{}
	}
	return outputs[i]
}

// TurnOf returns the turn of the file at p of a tree that is served.
func TurnOf(p string) Turn { return outputAt(p).turn }

// Lists reports whether the file at p only lists other files, so that a pattern
// such as **/*.json does not select it as a card.
func Lists(p string) bool { return outputAt(p).lists }

// IsCard reports whether the file at p is a card, and not the copy for older clients.
func IsCard(p string) bool {
	base := path.Base(p)
	return (base == path.Base(CardPath) || base == ExtendedCardName) && !InSkills(p)
}

// Ends are the ends of the path of a URL at which a tree may have its file, the longest
// first. What comes before them belongs to the base URL.
func Ends(p string) []string {
	segments := strings.Split(p, "/")
	var ends []string
	for i := max(0, len(segments)-1-source.MaxLevels); i < len(segments); i++ {
		ends = append(ends, strings.Join(segments[i:], "/"))
	}
	return ends
}

// InSkills reports whether a file of an output tree belongs to the published part of
// skills: it is none of ours then, whatever its name is.
func InSkills(p string) bool {
	return strings.Contains("/"+p, "/"+SkillsDir+"/")
}
