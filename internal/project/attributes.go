package project

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/source"
)

// OutOf is the output directory that a configuration names.
func OutOf(name string, config []byte) string {
	root, _ := source.ParseYAML(name, config, "config-value", source.Limits{}.WithDefaults())
	if out := root.Get("out"); out.Is(source.String) && out.Text != "" {
		return path.Clean(out.Text)
	}
	return "dist"
}

// MarkGenerated returns the text of .gitattributes with an output directory in it,
// and whether that changes it. The lines end as those that are there.
func MarkGenerated(text, out string) (marked string, changed bool) {
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	lines := strings.Split(text, end)
	if text != "" && !strings.HasSuffix(text, end) {
		text += end
	}
	for _, line := range attributeLines(out) {
		if !slices.Contains(lines, line) {
			text, changed = text+line+end, true
		}
	}
	return text, changed
}

// attributeLines are what .gitattributes says of an output directory and of its
// server configuration: git keeps the bytes, and reviewers see of what follows from
// the cards only that it changed. The cards themselves are theirs to read.
func attributeLines(out string) []string {
	const derived, shown = " -text linguist-generated", " -linguist-generated"
	if out == "." {
		return []string{
			"**/.well-known/**" + derived, "/cardwright.manifest.json" + derived,
			"**/.well-known/agent-card.json" + shown,
		}
	}
	line := func(pattern, attributes string) string {
		if strings.ContainsAny(pattern, " \t\"\\") {
			pattern = strconv.Quote(pattern)
		}
		return pattern + attributes
	}
	return []string{
		line("/"+out+"/**", derived), line("/"+out+".server/**", derived), line("/"+out+"/**/agent-card.json", shown),
	}
}
