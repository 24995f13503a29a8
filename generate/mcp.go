package generate

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/source"
	"cardwright/mapping"
)

func mcpFormat() Format {
	return Format{
		Type: "mcp", Title: "A saved answer of an MCP server to tools/list.", Path: "The file",
		usage:  "an mcp source is a file with what a server answers to tools/list",
		Detect: detectTools,
		read:   readTools,
	}
}

// detectTools takes files for answers to tools/list that are called so and have
// tools with a schema.
func detectTools(root fs.FS, name string, d fs.DirEntry) (string, bool) {
	if d.IsDir() || path.Ext(name) != ".json" || !strings.Contains(d.Name(), "tools") {
		return "", false
	}
	return name, listsTools(root, name)
}

// listsTools tells whether a file is an answer to tools/list.
func listsTools(root fs.FS, name string) bool {
	limits := source.Limits{}.WithDefaults()
	data, err := source.ReadFile(root, name, limits.Source)
	if err != nil {
		return false
	}
	document, _ := source.ParseJSON(name, data, limits)
	if document == nil {
		return false
	}
	skills, _ := mapping.MCP(document, nil)
	return slices.ContainsFunc(skills, func(s mapping.Skill) bool { return s.Input.Node != nil })
}

// readTools reads a saved answer to tools/list.
func readTools(_ context.Context, w *work, tree Tree, src config.Source) (gathered, error) {
	root, found := w.only(tree, src)
	if root == nil {
		return gathered{found: found}, nil
	}
	skills, more := mapping.MCP(root, w.agent.Skills.DefaultTags)
	return gathered{skills: skills, found: append(found, more...)}, nil
}
