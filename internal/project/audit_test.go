package project

import (
	"strings"
	"testing"
	"time"

	"cardwright/generate"
)

func TestAuditTime(t *testing.T) {
	var out strings.Builder
	noon := time.Date(2026, time.March, 1, 1, 30, 0, 999, time.FixedZone("east", 2*60*60))
	if err := audit(&out, noon, generate.Result{Cards: []generate.Card{
		{Agent: "a"},
		{Agent: "a", Extended: true},
	}}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasPrefix(got, `{"ts":"2026-02-28T23:30:00Z",`) || strings.Count(got, "\n") != 1 {
		t.Errorf("recorded %s", got)
	}
}
