package diff

import (
	"fmt"
	"testing"

	"cardwright/schema"
)

// BenchmarkCards compares two cards of 10,000 skills. In the worse case every
// skill has changed a little, and a tenth has another id.
func BenchmarkCards(b *testing.B) {
	older, newer := large(), large()
	b.Run("same", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Cards(older, newer)
		}
	})
	for i := range newer.Skills {
		newer.Skills[i].Description += " Quickly."
		if i%10 == 0 {
			newer.Skills[i].Description = older.Skills[i].Description
			newer.Skills[i].ID += "-renamed"
		}
	}
	b.Run("changed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Cards(older, newer)
		}
	})
}

func large() *schema.Card {
	c := base()
	c.Skills = nil
	for i := range 10_000 {
		c.Skills = append(c.Skills, schema.Skill{
			ID: fmt.Sprintf("skill-%05d", i), Name: fmt.Sprintf("Skill %d", i),
			Description: fmt.Sprintf("Does the thing number %d.", i),
			Tags:        []string{"one", "two", "three"}, Examples: []string{"Do it", "Do it again"},
			InputModes: []string{"text/plain"}, Security: []schema.Requirement{{"oauth": {"read"}}},
		})
	}
	return c
}

// Hostile cards have any number of alternatives that nearly match.
func BenchmarkRequirements(b *testing.B) {
	older, newer := base(), base()
	older.Security, newer.Security = nil, nil
	for i := range 20_000 {
		older.Security = append(older.Security, schema.Requirement{"oauth": {"read", fmt.Sprintf("old-%d", i)}})
		newer.Security = append(newer.Security, schema.Requirement{"oauth": {"read", fmt.Sprintf("new-%d", i)}})
	}
	b.ReportAllocs()
	for b.Loop() {
		Cards(older, newer)
	}
}
