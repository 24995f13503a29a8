//go:build unix

// Ratios measures cardwright beside the least that any program has to do with
// the same files, and prints the tables of docs/internals/performance.md:
//
//	go run ./internal/synth/_ratios [-runs N] [-most SKILLS]
//	go run ./internal/synth/_ratios tree DIR AGENTS SKILLS [FILES]
//
// It makes trees of skills in a temporary directory and runs the programs by turns,
// so that other work on the machine slows all of them. Of all runs of a program it
// keeps the quickest. The second form writes one such tree.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"

	"cardwright/internal/synth"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("ratios", flag.ContinueOnError)
	runs := flags.Int("runs", 10, "how often each program runs")
	most := flags.Int("most", 100_000, "how many skills the largest tree has")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch flags.Arg(0) {
	case "tree":
		return writeTree(flags.Args()[1:])
	case "floor":
		return synth.Floor(flags.Arg(1), synth.Work(flags.Arg(2)))
	}
	dir, err := os.MkdirTemp("", "cardwright-ratios-")
	if err != nil {
		return err
	}
	b := bench{dir: dir, runs: max(*runs, 1)}
	return errors.Join(b.all(ctx, *most), os.RemoveAll(dir))
}

func writeTree(args []string) error {
	if len(args) != 3 && len(args) != 4 {
		return errors.New("usage: tree DIR AGENTS SKILLS [FILES]")
	}
	numbers := make([]int, 3)
	for i, arg := range args[1:] {
		n, err := strconv.Atoi(arg)
		if err != nil {
			return err
		}
		numbers[i] = n
	}
	return synth.Write(args[0], synth.Size{Agents: numbers[0], Skills: numbers[1], Files: numbers[2]})
}

// bench is one run of all measurements.
type bench struct {
	dir  string // temporary, with the program and the trees
	runs int
	outs int // output directories so far
}

func (b *bench) all(ctx context.Context, most int) error {
	if _, err := measure(ctx, ".", "go", "build", "-trimpath", "-tags=urfave_cli_no_docs", "-ldflags=-s -w",
		"-o", b.program(), "."); err != nil { // as in a release
		return err
	}
	if err := b.trees(ctx, most); err != nil {
		return err
	}
	if err := b.cards(ctx); err != nil {
		return err
	}
	if err := b.small(ctx); err != nil {
		return err
	}
	return b.edits(ctx)
}

func (b *bench) program() string { return filepath.Join(b.dir, "cardwright") }

// write makes a project with its output.
func (b *bench) write(ctx context.Context, size synth.Size) (dir string, err error) {
	if dir, err = os.MkdirTemp(b.dir, "tree-"); err != nil {
		return "", err
	}
	if err := synth.Write(dir, size); err != nil {
		return "", err
	}
	_, err = measure(ctx, dir, b.program(), "generate", "-q")
	return dir, err
}

// trees prints what checks and first runs cost, from small projects to the bound on
// skills in each shape.
func (b *bench) trees(ctx context.Context, most int) error {
	fmt.Println("| skills | cards | files | floor | | `--check` | | cold | | memory |")
	fmt.Println("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, size := range []synth.Size{
		{Agents: 1, Skills: 1000},
		{Agents: 1, Skills: 10_000},
		{Agents: 1, Skills: 20_000},
		{Agents: 100, Skills: 1000},
		{Agents: 100, Skills: 10_000},
		{Agents: 100, Skills: 100_000},
		{Agents: 500, Skills: 5000, Files: 40},
		{Agents: 1000, Skills: 100_000},
	} {
		if size.Skills > most {
			continue
		}
		if err := b.tree(ctx, size); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) tree(ctx context.Context, size synth.Size) error {
	dir, err := b.write(ctx, size)
	if err != nil {
		return err
	}
	best, err := b.best(ctx, dir, [][]string{
		{floor, string(synth.Check)},
		{"generate", "-q", "--check"},
		{"generate", "-q", "--out", freshOut},
	})
	if err != nil {
		return err
	}
	least, check, cold := best[0], best[1], best[2]
	fmt.Printf("| %d | %d | %d | %s | %s | %s | %s | %d MB |\n", size.Skills, size.Agents, 1+size.Files,
		milliseconds(least.wall), milliseconds(least.processor), check.against(least), cold.against(least),
		check.peak/1_000_000)
	return os.RemoveAll(dir)
}

// cards prints what the commands cost that read cards, for a thousand of them.
func (b *bench) cards(ctx context.Context) error {
	const agents = 1000
	dir, err := b.write(ctx, synth.Size{Agents: agents, Skills: agents})
	if err != nil {
		return err
	}
	commands := [][]string{
		{floor, string(synth.ReadCards)},
		{"lint", "-q", "dist"},
		{"verify", "-q", "dist"},
		{"diff", "-q", "dist", "dist"},
	}
	best, err := b.best(ctx, dir, commands)
	if err != nil {
		return err
	}
	fmt.Printf("\n| %d cards | wall | processor |\n| --- | ---: | ---: |\n", agents)
	for i, u := range best {
		fmt.Printf("| `%s` | %s |\n", commands[i][0], u.against(best[0]))
	}
	return nil
}

// small prints what small runs cost. An empty program takes a millisecond.
func (b *bench) small(ctx context.Context) error {
	dir, err := b.write(ctx, synth.Size{Agents: 1, Skills: 5})
	if err != nil {
		return err
	}
	commands := [][]string{{"--version"}, {"generate", "-q"}, {"generate", "-q", "--check"}, {"lint", "-q"}}
	best, err := b.best(ctx, dir, commands)
	if err != nil {
		return err
	}
	fmt.Print("\n| 5 skills | wall | processor |\n| --- | ---: | ---: |\n")
	for i, u := range best {
		fmt.Printf("| `%v` | %s | %s |\n", commands[i], milliseconds(u.wall), milliseconds(u.processor))
	}
	return nil
}
