package site

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNatural(t *testing.T) {
	want := []string{
		"", "01", "1", "2", "10", "100000000000000000000000000001", "A", "a", "a-2", "a-10", "a1b2", "a1b10",
		"a2", "B", "s2", "s10", "s10a", "ä",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, natural)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}
