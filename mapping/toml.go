package mapping

import (
	"bytes"
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
	for n := range tree.All() {
		for _, m := range n.Members {
			m.Value.Span = keySpan(file, data, m.Key, n.Span)
		}
		for _, item := range n.Items {
			item.Span = n.Span
		}
	}
	return tree
}

// keySpan is the line on which a key first has a value, or else the line of its table.
func keySpan(file string, data []byte, key string, table diag.Span) diag.Span {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if name, _, ok := strings.Cut(string(line), "="); ok && strings.TrimSpace(name) == key {
			return diag.Span{File: file, Line: number, Column: 1}
		}
	}
	return table
}
