package mapping

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"github.com/BurntSushi/toml"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// parseTOML reads a manifest that is written in TOML. Its values have the line on which
// their key first stands.
func parseTOML(file string, data []byte) (*source.Node, diag.List) {
	var root map[string]any
	err := toml.Unmarshal(data, &root)
	if err == nil {
		return tomlNode(file, data, root), nil
	}
	at, message := diag.Top(file), "the file is not TOML"
	if fault := (toml.ParseError{}); errors.As(err, &fault) {
		at.Line, message = fault.Position.Line, "the file is not TOML: "+fault.Message
	}
	return nil, diag.List{diag.New(diag.SourceInvalid, at, "%s", message)}
}

func tomlNode(file string, data []byte, root map[string]any) *source.Node {
	values, _ := json.Marshal(root) // a manifest with an infinite number says nothing
	tree, _ := source.ParseJSON(file, values)
	if tree != nil {
		tree.Span = diag.Top(file)
	}
	lines, number := map[string]int{}, 0 // on which a key first has a value
	for line := range bytes.Lines(data) {
		number++
		if name, _, ok := strings.Cut(string(line), "="); ok {
			name = strings.TrimSpace(name)
			lines[name] = cmp.Or(lines[name], number)
		}
	}
	for n := range tree.All() {
		for _, m := range n.Members {
			m.Value.Span = n.Span // the line of its table
			if line := lines[m.Key]; line > 0 {
				m.Value.Span = diag.Span{File: file, Line: line, Column: 1}
			}
		}
		for _, item := range n.Items {
			item.Span = n.Span
		}
	}
	return tree
}
