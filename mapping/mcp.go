package mapping

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// detectTools recognizes files as answers to tools/list that are called so and have
// tools with a schema.
func detectTools(root fs.FS, name string, d fs.DirEntry) (string, bool) {
	if d.IsDir() || path.Ext(name) != ".json" || !strings.Contains(d.Name(), "tools") {
		return "", false
	}
	data, _ := files.ReadFile(root, name, source.MaxSource) // one that cannot be read is none
	document, _ := source.ParseJSON(name, data)
	if document == nil {
		return "", false
	}
	skills, _ := mcp(document, nil)
	return name, slices.ContainsFunc(skills, func(s Skill) bool { return s.Input.Node != nil })
}

// readTools reads a saved answer to tools/list.
func readTools(_ context.Context, r *Reader, tree Tree, src Source) (Gathered, error) {
	root, found, err := r.document(tree, tree.Root)
	if err != nil {
		found = diag.List{src.unreadable(tree, err)}
	}
	if root == nil {
		return Gathered{Found: found}, nil
	}
	skills, more := mcp(root, r.DefaultTags)
	return Gathered{Skills: skills, Found: append(found, more...)}, nil
}

// jsonType is the media type of what skills with a JSON Schema exchange.
const jsonType = "application/json"

// mcp makes a skill of every tool in a saved answer to tools/list of the Model
// Context Protocol: the result, the JSON-RPC response around it, or the bare
// array of tools. Each skill is tagged "tool", and with the given tags.
func mcp(root *source.Node, tags []string) ([]Skill, diag.List) {
	list, pointer, fault := toolList(root)
	if fault != nil {
		return nil, diag.List{*fault}
	}
	all, seen := []string{"tool"}, map[string]bool{"tool": true}
	for _, tag := range tags {
		if key := files.Fold(tag); !seen[key] {
			seen[key], all = true, append(all, tag)
		}
	}
	var skills []Skill
	var found diag.List
	for i, n := range list.Items {
		tool := maker{whole: n.Span}
		if s := tool.tool(n, n.Get("title"), n.Get("annotations").Get("title")); s != nil {
			s.Tags = all
			s.Input, s.InputModes = schemaIn(&tool, "/inputModes", n, "inputSchema", fmt.Sprintf("%s/%d", pointer, i))
			s.Output, s.OutputModes = schemaIn(&tool, "/outputModes", n, "outputSchema", fmt.Sprintf("%s/%d", pointer, i))
			skills = append(skills, *s)
		}
		found = append(found, tool.found...)
	}
	if next := present(root.Get("nextCursor"), root.Get("result").Get("nextCursor")); next != nil {
		found = append(found, diag.New(diag.SourceIncomplete, next.Span,
			"the list of tools is incomplete: the server has another page").
			WithHint("call tools/list again with this cursor, and join the lists"))
	}
	return skills, found
}

// toolList finds the array of tools and its pointer, or says why it cannot.
func toolList(root *source.Node) (*source.Node, string, *diag.Diagnostic) {
	for _, pointer := range []string{"", "/tools", "/result/tools"} {
		if list, ok := root.Find(pointer); ok && list.Is(source.Array) {
			return list, pointer, nil
		}
	}
	d := diag.New(diag.SourceInvalid,
		root.Span, `the file holds no list of tools, must be {"tools": […]}, the JSON-RPC response around it, `+
			`or the array itself`).
		WithHint("save the answer of an MCP server to tools/list")
	if fault := root.Get("error"); fault != nil {
		d.Span, d.Message = fault.Span, "the file holds an error from an MCP server, not a list of tools"
	}
	return nil, "", &d
}

// tool makes a skill of a tool, nil when it has no name.
func (m *maker) tool(n *source.Node, titles ...*source.Node) *Skill {
	name := present(n.Get("name"))
	if name == nil {
		m.leaveOut(diag.SourceNameMissing, diag.Warning, n, "the tool has no name, so it is left out of the card", "")
		return nil
	}
	s := m.named(name, append(titles, name)...)
	s.Visibility = m.visibility(n)
	s.Description = m.read("/description", n.Get("description"))
	s.Placeholder = fmt.Sprintf("The %s tool.", s.ID)
	s.Tags = []string{"tool"}
	return s
}

// schemaIn returns the JSON Schema in a member of n, and the modes of a skill
// that has one.
func schemaIn(m *maker, modes string, n *source.Node, key, pointer string) (Schema, []string) {
	member := n.Get(key)
	if member == nil || member.Kind == source.Null {
		return Schema{}, nil
	}
	m.place(modes, member.Span)
	return Schema{Node: member, Pointer: source.Pointer(pointer, key)}, []string{jsonType}
}
