package publish

import (
	"fmt"
	"testing"

	"cardwright/internal/site"
)

// BenchmarkWrite publishes 1,000 agents, which make 6,001 files, and again.
func BenchmarkWrite(b *testing.B) {
	var files []site.File
	for i := range 1000 {
		files = append(files, agentFiles(fmt.Sprintf("agent-%04d", i), fmt.Sprintf("%4000d", i))...)
	}
	dir := b.TempDir()
	write := func(b *testing.B) {
		b.Helper()
		if _, found, err := writeTree(b.Context(), at(b, dir), files, Options{}); found != nil || err != nil {
			b.Fatal(found, err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			dir = b.TempDir()
			write(b)
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			write(b)
		}
	})
}
