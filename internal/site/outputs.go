package site

import (
	"path"
	"slices"
	"strings"

	"cardwright/mapping"
)

// The files of an output tree. The paths are those below the root of an agent or
// of a site; the names stand in any directory.
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

// output is a row of the table of output files.
type output struct {
	in          string // the directory that the file is in, at any depth, "" for any
	name        string // of the file, "" for any
	end         string // how the path ends, "" for any
	contentType string
	turn        Turn
	lists       bool // it only tells of other files, and is no card
}

// outputs has a row for every file of an output tree. The first row that fits
// decides.
var outputs = []output{
	{in: SkillsDir, end: SkillsDir + "/" + SkillsIndexName, contentType: jsonType, turn: IndexTurn},
	{in: SkillsDir, end: ".tar.gz", contentType: "application/gzip"},
	{in: SkillsDir, end: ".md", contentType: "text/markdown; charset=utf-8"},
	{in: SkillsDir, contentType: plainText}, // whatever a skill holds, a browser does not run it

	{name: path.Base(CatalogPath), contentType: "application/ai-catalog+json", turn: IndexTurn, lists: true},
	{name: PagePath, contentType: htmlType, turn: IndexTurn},
	{name: path.Base(KeySetPath), contentType: "application/jwk-set+json", lists: true},
	{name: ManifestName, contentType: jsonType, lists: true},
	{name: path.Base(CardPath), contentType: jsonType},
	{name: path.Base(LegacyCardPath), contentType: jsonType},
	{name: ExtendedCardName, contentType: jsonType},

	// What stands beside them in the directory that is served.
	{end: ".json", contentType: jsonType},
	{end: ".html", contentType: htmlType},
	{end: ".js", contentType: "text/javascript"},
	{contentType: "text/plain"},
}

const (
	jsonType  = "application/json"
	htmlType  = "text/html; charset=utf-8"
	plainText = "text/plain; charset=utf-8"
)

// Names are the names of the files that a run makes, outside of what it publishes
// of skills.
func Names() []string {
	var names []string
	for _, o := range outputs {
		if o.name != "" {
			names = append(names, o.name)
		}
	}
	return names
}

// IsOutput reports whether a file of that name is one of [Names].
func IsOutput(name string) bool {
	return name != "" && slices.ContainsFunc(outputs, func(o output) bool { return o.name == name })
}

func outputAt(p string) output { return outputs[outputIndex(p)] }

// outputIndex is the row of the file at p.
func outputIndex(p string) int {
	p = "/" + p
	return slices.IndexFunc(outputs, func(o output) bool {
		return (o.name == "" || strings.HasSuffix(p, "/"+o.name)) && strings.HasSuffix(p, o.end) &&
			(o.in == "" || strings.Contains(p, "/"+o.in+"/"))
	})
}

// ContentType returns the media type that the file at p is served as. It follows
// from the path alone, so that no committed file can say anything else.
func ContentType(p string) string { return outputAt(p).contentType }

// TurnOf returns the turn of the file at p of a tree that is served.
func TurnOf(p string) Turn { return outputAt(p).turn }

// Lists reports whether the file at p only tells of other files, so that a pattern
// such as **/*.json does not select it as a card.
func Lists(p string) bool { return outputAt(p).lists }

// InSkills reports whether a file of an output tree belongs to what is published of
// skills: it is none of ours then, whatever its name is.
func InSkills(p string) bool {
	p = "/" + p
	return strings.Contains(p, "/"+SkillsDir+"/")
}
