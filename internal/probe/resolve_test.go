package probe_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/probe"
)

func TestParseResolve(t *testing.T) {
	got, err := probe.ParseResolve([]string{"A.example:203.0.113.7", "c.example:[2001:db8::1]"})
	want := map[string]string{"a.example": "203.0.113.7", "c.example": "2001:db8::1"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, text := range []string{"", "a.example", ":203.0.113.7", "a.example:host"} {
		if got, err := probe.ParseResolve([]string{text}); err == nil {
			t.Errorf("%s: %v", text, got)
		}
	}
}
