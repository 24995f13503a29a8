package cli

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/synth"
)

// BenchmarkCommands runs the commands over 100 agents with 10 skills each, whose cards
// are up to date.
func BenchmarkCommands(b *testing.B) {
	dir := b.TempDir()
	if err := synth.Write(dir, synth.Size{Agents: 100, Skills: 1000}); err != nil {
		b.Fatal(err)
	}
	card := filepath.Join("dist", synth.Group(0), ".well-known", "agent-card.json")
	for _, command := range []string{
		"generate", "generate --check", "lint", "lint dist", "diff dist dist", "verify dist", "convert --to 0.3 " + card,
	} {
		b.Run(command, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var printed strings.Builder
				args := append([]string{"-C", dir, "-q"}, strings.Fields(command)...)
				if code := Run(args, Streams{Out: io.Discard, Err: &printed}, "bench"); code != OK {
					b.Fatalf("%s ended with %d: %s", command, code, printed.String())
				}
			}
		})
	}
}
