package publish

import (
	"fmt"
	"path/filepath"
	"testing"

	"cardwright/internal/site"
)

// manyAgents returns the files of n agents whose cards have 4 KB each.
func manyAgents(n int) []site.File {
	text := make([]byte, 4000)
	for i := range text {
		text[i] = 'x'
	}
	var files []site.File
	for i := range n {
		files = append(files, agentFiles(fmt.Sprintf("agent-%04d", i), string(text))...)
	}
	return files
}

// BenchmarkWrite publishes 1,000 agents, which make 6,001 files.
func BenchmarkWrite(b *testing.B) {
	files := manyAgents(1000)
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			write(b, filepath.Join(b.TempDir(), fmt.Sprint(i)), files)
		}
	})
	dir := b.TempDir()
	write(b, dir, files)
	b.Run("unchanged", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			write(b, dir, files)
		}
	})
	b.Run("check", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if drift, found := Check(at(b, dir), files, Options{}); drift != nil || found != nil {
				b.Fatal(drift, found)
			}
		}
	})
}

func BenchmarkTree(b *testing.B) {
	files := manyAgents(1000)
	b.ReportAllocs()
	for b.Loop() {
		Tree(files, "")
	}
}

func write(b *testing.B, dir string, files []site.File) {
	b.Helper()
	if _, found, err := writeTree(b.Context(), at(b, dir), files, Options{}); found != nil || err != nil {
		b.Fatal(found, err)
	}
}
