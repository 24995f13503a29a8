package conformance

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
)

func TestA2AJS(t *testing.T) {
	all := cards(t)
	var bodies [][]byte
	for _, c := range all {
		bodies = append(bodies, c.data)
	}
	answers := readA2AJS(t, bodies)
	for i, c := range all {
		t.Run(c.path, func(t *testing.T) {
			if diff := answers[i].diff(t, c); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The SDK refuses little, so a card that it misreads must show in what it says
// it understood.
func TestA2AJSNotices(t *testing.T) {
	tests := []struct {
		name   string
		card   string
		change func(members map[string]any)
	}{
		{"0.3 without skills", "0.3.json", func(m map[string]any) { delete(m, "skills") }},
		{"1.0 without interfaces", "1.0.json", func(m map[string]any) { delete(m, "supportedInterfaces") }},
		{"1.0 with a misspelt member", "1.0.json", func(m map[string]any) {
			m["iconURL"] = "https://papers.example/desk.png"
		}},
	}
	var bodies [][]byte
	for _, tt := range tests {
		bodies = append(bodies, handWritten(t, tt.card).spoilt(t, tt.change))
	}
	answers := readA2AJS(t, bodies)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := handWritten(t, tt.card)
			c.data = bodies[i]
			if answers[i].diff(t, c) == "" {
				t.Error("nothing is noticed")
			}
		})
	}
}

// answer is one line of js/read.mjs.
type answer struct {
	Error   string
	Reading reading
	Types   json.RawMessage
}

// diff tells how the answer differs from what the card calls for, "" when it
// does not.
func (a answer) diff(t *testing.T, c card) string {
	t.Helper()
	if a.Error != "" {
		return a.Error
	}
	if diff := cmp.Diff(c.want(), a.Reading.normal()); diff != "" {
		return "reading (-want +got):\n" + diff
	}
	if c.is03() {
		return "" // the types know 1.0 only
	}
	if diff := cmp.Diff(compact(t, c.data), compact(t, a.Types)); diff != "" {
		return "after a trip through the SDK's types (-want +got):\n" + diff
	}
	return ""
}

// readA2AJS has @a2a-js/sdk read the cards. The test is skipped where there is
// no Node.
func readA2AJS(t *testing.T, cards [][]byte) []answer {
	t.Helper()
	fixture.NPM(t, "js")
	var in bytes.Buffer
	for _, c := range cards {
		if err := json.Compact(&in, c); err != nil {
			t.Fatal(err)
		}
		in.WriteByte('\n')
	}
	cmd := exec.CommandContext(t.Context(), "node", "read.mjs")
	cmd.Dir = "js"
	cmd.Stdin = &in
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node read.mjs: %v", err)
	}
	answers := make([]answer, len(cards))
	lines := json.NewDecoder(bytes.NewReader(out))
	for i := range answers {
		if err := lines.Decode(&answers[i]); err != nil {
			t.Fatalf("answer %d of %d: %v", i+1, len(cards), err)
		}
	}
	return answers
}

// compact returns the card without the empty values that the SDK's types
// cannot hold: the list of a scheme that needs no scope.
func compact(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return dropEmptyLists(v)
}

func dropEmptyLists(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if list, ok := member.([]any); ok && len(list) == 0 {
				delete(v, name)
				continue
			}
			dropEmptyLists(member)
		}
	case []any:
		for _, element := range v {
			dropEmptyLists(element)
		}
	}
	return v
}
