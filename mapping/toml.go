package mapping

import (
	"bytes"
	"errors"
	"fmt"
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
		return tomlNode(file, data, root, diag.Top(file)), nil
	}
	at, message := diag.Top(file), "the file is not TOML"
	if fault := (toml.ParseError{}); errors.As(err, &fault) {
		at.Line, message = fault.Position.Line, "the file is not TOML: "+fault.Message
	}
	return nil, diag.List{diag.New(diag.SourceInvalid, at, "%s", message)}
}

func tomlNode(file string, data []byte, value any, at diag.Span) *source.Node {
	n := &source.Node{Span: at}
	switch v := value.(type) {
	case map[string]any:
		n.Kind = source.Object
		for key, member := range v {
			n.Set(key, tomlNode(file, data, member, keySpan(file, data, key, at)))
		}
	case []map[string]any:
		n.Kind = source.Array
		for _, item := range v {
			n.Items = append(n.Items, tomlNode(file, data, item, at))
		}
	case []any:
		n.Kind = source.Array
		for _, item := range v {
			n.Items = append(n.Items, tomlNode(file, data, item, at))
		}
	default:
		n.Kind, n.Text = source.String, fmt.Sprint(v)
	}
	return n
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
