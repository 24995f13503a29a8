package conformance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestA2AJS(t *testing.T) {
	all := cards(t)
	var bodies []json.RawMessage
	for _, c := range all {
		bodies = append(bodies, c.data)
	}
	answers := ask[answer](t, &readings, bodies...)
	for i, c := range all {
		t.Run(c.path, func(t *testing.T) {
			if diff := answers[i].diff(t, c); diff != "" {
				t.Error(diff)
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

// diff returns how the answer differs from what the card calls for, "" when it
// does not.
func (a answer) diff(t *testing.T, c card) string {
	t.Helper()
	if a.Error != "" {
		return a.Error
	}
	if diff := cmp.Diff(c.want(), a.Reading.normal(), cmpopts.EquateEmpty()); diff != "" {
		return "reading (-want +got):\n" + diff
	}
	if c.is03() || strings.HasSuffix(c.path, ".txtar") {
		return "" // the types know 1.0 only, and no member that convert keeps
	}
	if diff := cmp.Diff(compact(t, c.data), compact(t, a.Types)); diff != "" {
		return "after a trip through the SDK's types (-want +got):\n" + diff
	}
	return ""
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
