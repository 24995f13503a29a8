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

// synthetic writes skills, and returns the request that makes cards of them.
func synthetic(tb testing.TB, dir string, size synth.Size) Request {
	tb.Helper()
	if err := synth.Write(dir, size); err != nil {
		tb.Fatal(err)
	}
	root, err := files.OpenRoot(dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = root.Close() })
	cfg, found := config.Load(synth.Config(size.Agents), config.Options{File: "cardwright.yaml"})
	if found.Worst() == diag.Error {
		tb.Fatal(found)
	}
	open := func(name string) (mapping.Tree, error) { return treeAt(root, name), nil }
	return Request{Config: cfg, Open: open}
}

// allocated returns what making one card of so many skills allocates.
func allocated(t *testing.T, skills int) allocations {
	t.Helper()
	req := synthetic(t, t.TempDir(), synth.Size{Agents: 1, Skills: skills})
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
