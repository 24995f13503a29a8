// Ratios measures cardwright beside the least that any program has to do with
// the same skills, and prints the tables of docs/internals/performance.md:
//
//	go run ./internal/synth/_ratios [-runs N] [-most SKILLS]
//
// It builds both programs, makes trees of skills in a temporary directory, and
// runs the programs by turns, so that other work on the machine hits all of
// them. Of all runs of a program it keeps the quickest.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"cardwright/internal/synth"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, args []string) error {
	flags := flag.NewFlagSet("ratios", flag.ContinueOnError)
	runs := flags.Int("runs", 10, "how often each program runs; the more, the less does other work on the machine count")
	most := flags.Int("most", 100_000, "how many skills the largest tree has")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "cardwright-ratios-")
	if err != nil {
		return err
	}
	b := bench{dir: dir, runs: max(*runs, 1), out: out}
	return errors.Join(b.all(ctx, *most), os.RemoveAll(dir))
}

// bench is one run of all measurements.
type bench struct {
	dir  string // temporary, with the programs and the trees
	runs int
	out  io.Writer
}

// tree is the size of a project.
type tree struct{ cards, skills int }

// trees go from the size of most projects to the bound on skills.
var trees = []tree{{1, 100}, {1, 1000}, {1, 10_000}, {1000, 10_000}, {1, 100_000}}

func (b *bench) all(ctx context.Context, most int) error {
	for name, pkg := range map[string]string{
		"cardwright": "cardwright",
		"reference":  "cardwright/internal/synth/_reference",
	} {
		if _, err := b.measure(ctx, ".", "go", "build", "-o", b.program(name), pkg); err != nil {
			return err
		}
	}
	fmt.Fprintln(b.out, "| skills | cards | reference | `generate`, first | `generate` | `--check` "+
		"| processor, reference | processor, `--check` | memory |")
	fmt.Fprintln(b.out, "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, t := range trees {
		if t.skills <= most {
			if err := b.tree(ctx, t); err != nil {
				return err
			}
		}
	}
	if err := b.fleet(ctx); err != nil {
		return err
	}
	fmt.Fprintln(b.out, "\n| command, 5 skills | processor |\n| --- | ---: |")
	return b.starts(ctx)
}

// fleet prints what 500 agents of 40 teams cost, for docs/internals/performance.md.
func (b *bench) fleet(ctx context.Context) error {
	dir := filepath.Join(b.dir, "fleet")
	defer os.RemoveAll(dir)
	if err := synth.WriteFleet(dir, 40, 500, 10); err != nil {
		return err
	}
	commands := [][]string{
		{"reference", "."},
		{"cardwright", "generate", "-q"},
		{"reference", ".", "check"},
		{"cardwright", "generate", "-q", "--check"},
		{"cardwright", "generate", "-q", "--check", "--agent", synth.Group(250)},
		{"cardwright", "lint", "-q", "--agent", synth.Group(250)},
	}
	best := make([]usage, len(commands))
	for range b.runs {
		for i, c := range commands {
			u, err := b.measure(ctx, dir, b.program(c[0]), c[1:]...)
			if err != nil {
				return err
			}
			best[i].keep(u)
		}
	}
	fmt.Fprintln(b.out, "\n| 500 agents, 5,000 skills, 40 files | time | processor |\n| --- | ---: | ---: |")
	for i, c := range commands {
		fmt.Fprintf(b.out, "| `%s` | %s | %s |\n", strings.Join(c, " "), milliseconds(best[i].wall),
			milliseconds(best[i].processor))
	}
	return nil
}

func (b *bench) program(name string) string { return filepath.Join(b.dir, name) }

// tree prints the row of one size.
func (b *bench) tree(ctx context.Context, t tree) error {
	dir := filepath.Join(b.dir, "tree")
	defer os.RemoveAll(dir)
	if err := synth.Write(dir, t.cards, t.skills/t.cards); err != nil {
		return err
	}
	var first, reference, generate, check usage
	for range b.runs {
		if err := os.RemoveAll(filepath.Join(dir, "dist")); err != nil {
			return err
		}
		for _, p := range []struct {
			best    *usage
			program string
			args    []string
		}{
			{&first, "cardwright", []string{"generate", "-q"}},
			{&reference, "reference", []string{"."}},
			{&generate, "cardwright", []string{"generate", "-q"}},
			{&check, "cardwright", []string{"generate", "-q", "--check"}},
		} {
			u, err := b.measure(ctx, dir, b.program(p.program), p.args...)
			if err != nil {
				return err
			}
			p.best.keep(u)
		}
	}
	against := func(u usage) string {
		return fmt.Sprintf("%s (%.2f ×)", milliseconds(u.wall), float64(u.wall)/float64(reference.wall))
	}
	each := func(u usage) string {
		return fmt.Sprintf("%.1f µs", float64(u.processor.Microseconds())/float64(t.skills))
	}
	fmt.Fprintf(b.out, "| %d | %d | %s | %s | %s | %s | %s | %s | %s |\n", t.skills, t.cards, milliseconds(reference.wall),
		against(first), against(generate), against(check), each(reference), each(check),
		megabytes(max(first.peak, generate.peak, check.peak)))
	return nil
}

// starts prints what small runs cost.
func (b *bench) starts(ctx context.Context) error {
	dir := filepath.Join(b.dir, "small")
	if err := synth.Write(dir, 1, 5); err != nil {
		return err
	}
	card := filepath.Join("dist", synth.Group(0), ".well-known", "agent-card.json")
	commands := [][]string{
		{"--version"},
		{"generate", "-q"},
		{"generate", "-q", "--check"},
		{"lint", "-q"},
		{"lint", "-q", card},
		{"convert", "-q", card, "--to", "0.3"},
		{"diff", "-q", "dist", "dist"},
		{"verify", "-q", "dist"},
		{"rules"},
		{"schema", "config"},
	}
	best := make([]usage, len(commands))
	for range 5 * b.runs {
		for i, args := range commands {
			u, err := b.measure(ctx, dir, b.program("cardwright"), args...)
			if err != nil {
				return err
			}
			best[i].keep(u)
		}
	}
	for i, args := range commands {
		name := args[0]
		if name == "lint" && len(args) > 2 {
			name += " CARD"
		}
		if last := args[len(args)-1]; last == "--check" {
			name += " " + last
		}
		fmt.Fprintf(b.out, "| `%s` | %s |\n", name, milliseconds(best[i].processor))
	}
	return nil
}

func milliseconds(d time.Duration) string {
	const few = 100 * time.Millisecond
	if d < few {
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

// megabytes returns a number of bytes for people, "–" where it is not known.
func megabytes(bytes int64) string {
	if bytes == 0 {
		return "–"
	}
	return fmt.Sprintf("%d MB", bytes/1_000_000)
}
