package mapping

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"cardwright/internal/diag"
	"cardwright/schema"
)

func TestCompact(t *testing.T) {
	some := func() []Skill {
		skills := make([]Skill, 3*compacted/2)
		for i := range skills {
			skills[i].Skill = schema.Skill{ID: fmt.Sprint(i), Description: fmt.Sprintf("Does the thing number %d.", i)}
			for line := range i % 4 {
				skills[i].Places = append(skills[i].Places, Place{
					Pointer: "/tags",
					Span:    diag.Span{File: fmt.Sprint(i), Line: line},
				})
			}
		}
		return skills
	}
	got, want := some(), some()
	compact(got)
	for i := range want {
		if reflect.DeepEqual(want[i], got[i]) {
			continue
		}
		if d := cmp.Diff(want[i], got[i], cmpopts.EquateEmpty()); d != "" {
			t.Error(d)
		}
	}
	got[1].Places = append(got[1].Places, Place{Pointer: "/name"})
	if d := cmp.Diff(want[2].Places, got[2].Places); d != "" {
		t.Error("what is added to one skill is laid over the next", d)
	}
}
