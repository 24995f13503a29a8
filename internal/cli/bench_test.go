package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
		dir := generated(b, size.cards, size.skills)
		for _, command := range []string{"generate", "generate --check"} {
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

// BenchmarkCommands runs the commands that read cards, on one with 1,000 skills.
func BenchmarkCommands(b *testing.B) {
	dir := generated(b, 1, 1000)
	card := filepath.Join("dist", synth.Group(0), ".well-known", "agent-card.json")
	older := filepath.Join(dir, "older.json")
	perform(b, dir, "key", "new")
	data, err := os.ReadFile(filepath.Join(dir, card))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(older, bytes.ReplaceAll(data, []byte("Handles"), []byte("Handled")), 0o644); err != nil {
		b.Fatal(err)
	}
	for _, args := range [][]string{
		{"lint"},
		{"lint", card},
		{"convert", card, "--to", "0.3"},
		{"diff", "older.json", card},
		{"sign", "older.json", "--key", "file:card-key.pem"},
		{"verify", "dist"},
	} {
		b.Run(strings.Join(args[:min(len(args), 2)], " "), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				perform(b, dir, args...)
			}
		})
	}
}

// BenchmarkDiff compares two trees of 500 agents.
func BenchmarkDiff(b *testing.B) {
	dir := generated(b, 500, 500)
	perform(b, dir, "generate", "--out", "older", "--set", "description=Another.")
	for b.Loop() {
		perform(b, dir, "diff", "older", "dist")
	}
}

// generated makes a project and its output.
func generated(b *testing.B, cards, skills int) (dir string) {
	b.Helper()
	dir = b.TempDir()
	if err := synth.Write(dir, synth.Size{Agents: cards, Skills: skills}); err != nil {
		b.Fatal(err)
	}
	perform(b, dir, "generate")
	return dir
}

// perform runs a command that must end without an error of any kind.
func perform(b *testing.B, dir string, args ...string) {
	b.Helper()
	var said strings.Builder
	if code := Run(append([]string{"-C", dir, "-q"}, args...), Streams{Out: io.Discard, Err: &said},
		"bench"); code != OK {
		b.Fatalf("%v ended with %d: %s", args, code, said.String())
	}
}
