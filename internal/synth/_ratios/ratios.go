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
type tree struct{ cards, skills, files int }

// trees go from the size of most projects to the bound on skills.
var trees = []tree{
	{1, 100, 0}, {1, 1000, 0}, {500, 5000, 40}, {1, 10_000, 0}, {1000, 10_000, 0}, {1000, 100_000, 40}, {1, 100_000, 0},
}

func (b *bench) all(ctx context.Context, most int) error {
	for name, pkg := range map[string]string{
		"cardwright": "cardwright",
		"reference":  "cardwright/internal/synth/_reference",
	} {
		if _, err := b.measure(ctx, ".", "go", "build", "-trimpath", "-tags=urfave_cli_no_docs", "-ldflags=-s -w",
			"-o", b.program(name), pkg); err != nil { // as in a release
			return err
		}
	}
	fmt.Fprintln(b.out, "| skills | cards | files | floor | `--check` | floor, processor | `--check`, processor "+
		"| `generate`, first | `generate` | memory, `--check` | memory |")
	fmt.Fprintln(b.out, "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, t := range trees {
		if t.skills <= most {
			if err := b.tree(ctx, t); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(b.out, "\n| an edit under --watch, on disk after | median | most |\n| --- | ---: | ---: |")
	for _, t := range []tree{{1, 5, 0}, {500, 5000, 40}} {
		if err := b.edits(ctx, t); err != nil {
			return err
		}
	}
	fmt.Fprintln(b.out, "\n| command, 5 skills | processor |\n| --- | ---: |")
	return b.starts(ctx)
}

func (b *bench) program(name string) string { return filepath.Join(b.dir, name) }

// write makes a project in the directory that it returns.
func (b *bench) write(t tree) (dir string, err error) {
	dir = filepath.Join(b.dir, "tree")
	if t.files == 0 {
		return dir, synth.Write(dir, t.cards, t.skills/t.cards)
	}
	return dir, synth.WriteFleet(dir, t.files, t.cards, t.skills/t.cards)
}

// tree prints the row of one size.
func (b *bench) tree(ctx context.Context, t tree) error {
	dir, err := b.write(t)
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	var first, floor, generate, check usage
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
			{&generate, "cardwright", []string{"generate", "-q"}},
			{&floor, "reference", []string{".", "check"}},
			{&check, "cardwright", []string{"generate", "-q", "--check"}},
		} {
			u, err := b.measure(ctx, dir, b.program(p.program), p.args...)
			if err != nil {
				return err
			}
			p.best.keep(u)
		}
	}
	against := func(d, floor time.Duration) string {
		return fmt.Sprintf("%s (%.2f ×)", milliseconds(d), float64(d)/float64(floor))
	}
	fmt.Fprintf(b.out, "| %d | %d | %d | %s | %s | %s | %s | %s | %s | %s | %s |\n", t.skills, t.cards, 1+t.files,
		milliseconds(floor.wall), against(check.wall, floor.wall), milliseconds(floor.processor),
		against(check.processor, floor.processor), milliseconds(first.wall), milliseconds(generate.wall),
		megabytes(check.peak), megabytes(max(first.peak, generate.peak)))
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
		{"--version"}, // an empty program takes a millisecond
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
