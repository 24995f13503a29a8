package trials

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"cardwright/internal/fixture"
)

// full measures whole processes over inputs near their bounds, which takes an
// hour, and prints the table for growth.txt.
var full = flag.Bool("full", false, "measure inputs near their bounds, in processes of their own")

// most is by how much work and memory may grow when the input doubles: a little
// more than twice, for what is sorted and for what grows by doubling.
const most = 2.5

// growth is an input that grows: the work of a run grows with it and no faster, whoever
// wrote it.
type growth struct {
	name string
	// quick is a size at which the input costs more than every run costs anyway,
	// full one that is half of what the bounds allow or takes seconds.
	quick, full int
	// prepare writes an input of size n and returns the command lines to run.
	prepare func(p *input, n int) [][]string
}

// input is one of a size, in a directory.
type input struct {
	*testing.T
	dir string
}

func newInput(t *testing.T, tr growth, n int) (p *input, commands [][]string) {
	t.Helper()
	p = &input{t, t.TempDir()}
	return p, tr.prepare(p, n)
}

func (p *input) write(name, text string) {
	p.Helper()
	file := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		p.Fatal(err)
	}
}

// run runs a command line in the project, in this process.
func (p *input) run(args ...string) {
	p.Helper()
	var out bytes.Buffer
	code := here(p.dir, &out, &out, args...)
	if code > 2 {
		p.Fatalf("%s exits %d: %.1000s", args, code, out.String())
	}
}

// cost is what an input took.
type cost struct {
	work   float64 // seconds of processor time, or statements
	memory float64 // bytes
}

// grew returns by what factor the cost grew, work and memory each.
func (c cost) grew(to cost) cost { return cost{to.work / c.work, to.memory / c.memory} }

// least is the least of two measurements of one thing: what else goes on in the
// machine only adds.
func (c cost) least(d cost) cost {
	if c == (cost{}) {
		return d
	}
	return cost{min(c.work, d.work), min(c.memory, d.memory)}
}

// mostTime is by how much processor time may grow. What is quadratic takes four
// times as long; a machine that does other things adds to the rest.
const mostTime = 3.5

// Twice the input takes at most 2.5 times the memory that is allocated in all,
// and 3.5 times the processor time. Only the long trials measure: what else goes
// on in the process and on the machine counts too. Without them every command is run over
// little.
func TestGrowth(t *testing.T) {
	if *full {
		t.Skip("TestFullGrowth measures more")
	}
	if !fixture.Long() {
		warm(t)
		return
	}
	// Nothing is collected while something is measured.
	t.Setenv("GOGC", "off")
	t.Setenv("GOMEMLIMIT", "2GiB")
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(2 << 30))
	warm(t)
	for _, tr := range growths() {
		t.Run(tr.name, func(t *testing.T) {
			n := max(tr.quick, tr.full/4) // what is quadratic shows where it counts
			one, few := newInput(t, tr, n)
			two, many := newInput(t, tr, 2*n)
			var first, second cost
			const tries = 20 // a busy machine spoils some of them
			for range tries {
				first, second = first.least(one.measure(few)), second.least(two.measure(many))
				if g := first.grew(second); g.work <= mostTime && g.memory <= most {
					break
				}
			}
			switch g := first.grew(second); {
			case g.memory > most:
				t.Errorf("%d and %d allocate %.0f and %.0f bytes, %.2f times as many", n, 2*n, first.memory, second.memory,
					g.memory)
			case g.work > mostTime:
				t.Errorf("%d and %d take %.2f and %.2f ms, %.2f times as long", n, 2*n, 1000*first.work, 1000*second.work, g.work)
			default:
				t.Logf("%.1f ms × %.2f, %.1f MB × %.2f", 1000*first.work, g.work, first.memory/1e6, g.memory)
			}
		})
	}
}

// warm runs every command over little, so that what is done once in a process,
// such as compiling the schemas, does not count.
func warm(t *testing.T) {
	t.Helper()
	seen := map[string]bool{}
	for _, tr := range growths() {
		if kind, _, _ := strings.Cut(tr.name, ":"); !seen[kind] || kind == "report" {
			seen[kind] = true
			p, commands := newInput(t, tr, 2)
			p.measure(commands)
		}
	}
}

func (p *input) measure(commands [][]string) cost {
	p.Helper()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun := processorTime(p.T)
	for _, args := range commands {
		p.run(args...)
	}
	spent := processorTime(p.T) - begun
	runtime.ReadMemStats(&after)
	return cost{spent, float64(after.TotalAlloc - before.TotalAlloc)}
}

// tableLine is a line of growth.txt.
func tableLine(name string, n int, g, larger cost) string {
	return fmt.Sprintf("| %s | %d | %.2f | %.2f | %.0f M | %.0f MB |", name, 2*n, g.work, g.memory, larger.work/1e6,
		larger.memory/1e6)
}

// The table in growth.txt has a line for each input and no other.
func TestGrowthTable(t *testing.T) {
	page, err := os.ReadFile("internal/trials/growth.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, " | "); len(cells) == 6 && strings.Contains(cells[0], ": ") {
			lines[strings.TrimPrefix(cells[0], "| ")] = true
		}
	}
	for _, tr := range growths() {
		if !lines[tr.name] {
			t.Errorf("growth.txt has no line for %q: make growth measures it", tr.name)
		}
		delete(lines, tr.name)
	}
	for name := range lines {
		t.Errorf("growth.txt has a line for %q, and there is no such input", name)
	}
}
