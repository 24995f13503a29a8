package generate

import (
	"fmt"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/synth"
)

// BenchmarkRun measures the way from skills on disk to the bytes of cards,
// beside the least that any program has to do with the skills.
func BenchmarkRun(b *testing.B) {
	for _, size := range []struct{ cards, skills int }{{1, 10}, {1, 1000}, {1, 10_000}, {1000, 10_000}} {
		b.Run(fmt.Sprintf("cards=%d/skills=%d", size.cards, size.skills), func(b *testing.B) {
			dir := b.TempDir()
			req := synthetic(b, dir, synth.Size{Agents: size.cards, Skills: size.skills})
			b.Run("cardwright", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					result, found, err := Run(b.Context(), req)
					if err != nil || found.Worst() == diag.Error || len(result.Cards) != size.cards {
						b.Fatal(len(result.Cards), found, err)
					}
				}
			})
			b.Run("reference", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := synth.Floor(dir, synth.ReadSkills); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
