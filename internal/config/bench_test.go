package config_test

import (
	"os"
	"testing"

	"cardwright/internal/config"
	"cardwright/internal/synth"
)

// BenchmarkLoad reads the configuration of 500 agents in 40 included files, for all
// of them and for one.
func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	if err := synth.WriteFleet(dir, 40, 500, 0); err != nil {
		b.Fatal(err)
	}
	fsys := os.DirFS(dir)
	for _, name := range []string{"all"} {
		b.Run(name, func(b *testing.B) {
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
		})
	}
}
