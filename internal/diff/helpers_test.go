package diff_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"cardwright/internal/convert"
	"cardwright/internal/diff"
	"cardwright/internal/source"
)

// read returns a card of testdata after some edits: pairs of a pointer and the JSON that
// stands there, "" for nothing. A pointer that ends in "-" is behind the last item.
func read(t *testing.T, name string, edits ...string) diff.Side {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var card any
	if err := json.Unmarshal(data, &card); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(edits); i += 2 {
		var value any
		if err := json.Unmarshal([]byte(edits[i+1]), &value); edits[i+1] != "" && err != nil {
			t.Fatal(err)
		}
		card = edit(t, card, strings.Split(edits[i], "/")[1:], edits[i+1] == "", value)
	}
	if data, err = json.Marshal(card); err != nil {
		t.Fatal(err)
	}
	return parse(t, string(data))
}

func edit(t *testing.T, in any, path []string, gone bool, value any) any {
	t.Helper()
	if len(path) == 0 {
		return value
	}
	token := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0])
	switch in := in.(type) {
	case map[string]any:
		if len(path) == 1 && gone {
			delete(in, token)
			return in
		}
		in[token] = edit(t, in[token], path[1:], gone, value)
	case []any:
		i, err := strconv.Atoi(token)
		switch {
		case token == "-":
			return append(in, value)
		case err != nil:
			t.Fatal(err)
		case len(path) == 1 && gone:
			return append(in[:i:i], in[i+1:]...)
		}
		in[i] = edit(t, in[i], path[1:], gone, value)
	default:
		t.Fatalf("nothing at %q", path)
	}
	return in
}

func parse(t *testing.T, text string) diff.Side {
	t.Helper()
	root, found := source.ParseJSON("card.json", []byte(text))
	if found != nil {
		t.Fatal(found)
	}
	return stated(root)
}

func stated(root *source.Node) diff.Side {
	r := convert.Read(root, convert.ReadOptions{Stated: true})
	return diff.Side{Card: r.Card, Document: r.Document(), Pointer: r.Pointer}
}

// rulesOf returns the rules of changes.
func rulesOf(changes []diff.Change) string {
	var ids []string
	for _, c := range changes {
		ids = append(ids, c.Rule.String())
	}
	return strings.Join(ids, " ")
}
