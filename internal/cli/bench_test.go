package cli

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"cardwright/internal/synth"
)

// BenchmarkGenerate runs the whole command over an output tree that is up to
// date, by turns with the least that any program has to do with the skills: so
// that the ratio of both is the same on a busy machine.
func BenchmarkGenerate(b *testing.B) {
	for _, size := range []struct{ cards, skills int }{{1, 10}, {1, 1000}, {1, 10_000}, {1000, 10_000}} {
		dir := b.TempDir()
		if err := synth.Write(dir, synth.Size{Agents: size.cards, Skills: size.skills}); err != nil {
			b.Fatal(err)
		}
		perform(b, dir, "generate")
		for _, command := range []string{"generate", "generate --check", "lint"} {
			b.Run(fmt.Sprintf("cards=%d/skills=%d/%s", size.cards, size.skills, command), func(b *testing.B) {
				var reference time.Duration
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					begin := time.Now()
					if err := synth.Floor(dir, synth.ReadSkills); err != nil {
						b.Fatal(err)
					}
					reference += time.Since(begin)
					b.StartTimer()
					perform(b, dir, strings.Fields(command)...)
				}
				b.ReportMetric(float64(b.Elapsed())/float64(reference), "×reference")
			})
		}
	}
}

// perform runs a command that must end without an error of any kind.
func perform(b *testing.B, dir string, args ...string) {
	b.Helper()
	var printed strings.Builder
	code := Run(append([]string{"-C", dir, "-q"}, args...), Streams{Out: io.Discard, Err: &printed}, "bench")
	if code != OK {
		b.Fatalf("%v ended with %d: %s", args, code, printed.String())
	}
}
