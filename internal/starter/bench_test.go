package starter_test

import (
	"context"
	"fmt"
	"testing"

	"cardwright/internal/files"
	"cardwright/internal/fixture"
	"cardwright/internal/starter"
)

// BenchmarkNew explores 100,000 files, 1,000 of them skills.
func BenchmarkNew(b *testing.B) {
	dir := b.TempDir()
	write := func(name, text string) { fixture.Write(b, dir, name, text) }
	for i := range 1_000 {
		write(fmt.Sprintf("skills/s%d/SKILL.md", i), fmt.Sprintf("---\nname: s%d\ndescription: Does s%d.\n---\n", i, i))
		for j := range 99 {
			write(fmt.Sprintf("src/p%d/f%d.go", i, j), "package x\n")
		}
	}
	root, err := files.OpenRoot(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	for b.Loop() {
		if _, err := starter.New(context.Background(), root, starter.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
