package generate

import (
	"runtime"
	"testing"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/fixture"
	"cardwright/internal/synth"
	"cardwright/mapping"
)

// Ten times the skills take ten times the memory, and no more: what is quadratic
// shows in it before anybody waits for it.
func TestGrowth(t *testing.T) {
	if !fixture.Long() {
		t.Skip("a long trial: what else goes on in the process counts too")
	}
	few, many := allocated(t, 200), allocated(t, 2000)
	const slack = 1.2 // for slices that double as they grow
	if each, most := float64(many.bytes)/2000, slack*float64(few.bytes)/200; each > most {
		t.Errorf("of 2000 skills each takes %.0f bytes, expected %.0f at most, as of 200", each, most)
	}
	if each, most := float64(many.objects)/2000, slack*float64(few.objects)/200; each > most {
		t.Errorf("of 2000 skills each takes %.0f allocations, expected %.0f at most, as of 200", each, most)
	}
}

// allocations is what was allocated in all, whether it was freed or not.
type allocations struct{ bytes, objects uint64 }

// allocated returns what making one card of so many skills allocates.
func allocated(t *testing.T, skills int) allocations {
	t.Helper()
	dir := t.TempDir()
	if err := synth.Write(dir, synth.Size{Agents: 1, Skills: skills}); err != nil {
		t.Fatal(err)
	}
	root, err := files.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	cfg, _ := config.Load(synth.Config(1), config.Options{File: "cardwright.yaml"})
	req := Request{
		Config: cfg, Open: func(name string, _ diag.Span) (mapping.Tree, error) { return treeAt(root, name), nil },
	}
	run := func() {
		result, _, err := Run(t.Context(), req)
		if err != nil || len(result.Cards) != 1 || result.Cards[0].Skills != skills {
			t.Fatal(result.Cards, err)
		}
	}
	run() // compiles what is compiled once
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return allocations{after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs}
}
