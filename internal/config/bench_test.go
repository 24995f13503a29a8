package config_test

import (
	"os"
	"testing"

	"cardwright/internal/config"
	"cardwright/internal/synth"
)

// BenchmarkLoad reads the configuration of 500 agents in 40 included files.
func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	if err := synth.Write(dir, synth.Size{Agents: 500, Files: 40}); err != nil {
		b.Fatal(err)
	}
	fsys := os.DirFS(dir)
	b.ReportAllocs()
	for b.Loop() {
		data, err := os.ReadFile(dir + "/cardwright.yaml")
		if err != nil {
			b.Fatal(err)
		}
		c, found := config.Load(data, config.Options{
			File:  "cardwright.yaml",
			Files: &config.Files{FS: fsys, Name: "cardwright.yaml", Show: func(name string) string { return name }},
		})
		if found != nil || len(c.Agents) != 500 {
			b.Fatal(found)
		}
	}
}
