//go:build unix

package trials

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// processorTime is what this process has taken so far, in seconds.
func processorTime(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// Twice the input takes at most 2.5 times the statements and the memory of a
// whole process. A binary that counts every statement it executes, those of the
// standard library and of other modules too, counts the same on every machine,
// busy or not: what a processor calls instructions, a virtual one often does not
// tell.
func TestFullGrowth(t *testing.T) {
	if !*full {
		t.Skip("pass -full")
	}
	binary := covered(t)
	fmt.Println("| input | size | statements | memory | statements in all | memory in all |\n" +
		"| --- | ---: | ---: | ---: | ---: | ---: |")
	for _, tr := range growths() {
		t.Run(tr.name, func(t *testing.T) {
			n := tr.full / 2
			one, few := newInput(t, tr, n)
			two, many := newInput(t, tr, 2*n)
			var first, second cost
			const tries = 3 // when memory is collected is up to the machine
			for range tries {
				first, second = first.least(one.execute(binary, few)), second.least(two.execute(binary, many))
				if first.grew(second).memory <= most {
					break
				}
			}
			g := first.grew(second)
			fmt.Println(tableLine(tr.name, n, g, second))
			if g.work > most || g.memory > most {
				t.Errorf("%d and %d take %.2f times the statements, %.2f times the memory", n, 2*n, g.work, g.memory)
			}
		})
	}
}

// covered builds the program so that it counts its statements.
func covered(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "counting")
	build := exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg=all", "-o", binary, "cardwright")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return binary
}

// execute runs command lines in processes of their own, and returns the
// statements of all and the memory of the largest.
func (p *input) execute(binary string, commands [][]string) cost {
	p.Helper()
	var all cost
	counts := p.TempDir()
	for _, args := range commands {
		cmd := exec.Command(binary, args...)
		cmd.Dir = p.dir
		cmd.Env = append(os.Environ(), "GOCOVERDIR="+counts, "GOMAXPROCS=1", "GOGC=50")
		if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() < 0 || cmd.ProcessState.ExitCode() > 2 {
			p.Fatalf("%s: %v", args, err)
		}
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			p.Fatal("the system does not tell how much memory was used")
		}
		peak := float64(usage.Maxrss)
		if runtime.GOOS == "linux" {
			peak *= 1024
		}
		all.memory = max(all.memory, peak)
	}
	all.work = p.statements(counts)
	return all
}

// statements counts what was executed but for the runtime, which collects memory
// and schedules as it likes.
func (p *input) statements(counts string) float64 {
	p.Helper()
	const profile = "profile.txt"
	read := exec.Command("go", "tool", "covdata", "textfmt", "-i=.", "-o="+profile)
	read.Dir = counts // whose name may hold commas, which would separate directories
	if out, err := read.CombinedOutput(); err != nil {
		p.Fatalf("reading the counts: %v\n%s", err, out)
	}
	f, err := os.Open(filepath.Join(counts, profile))
	if err != nil {
		p.Fatal(err)
	}
	defer f.Close()
	sum := 0.0
	lines := bufio.NewScanner(f)
	for lines.Scan() { // FILE:FROM,TO STATEMENTS COUNT
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 || strings.HasPrefix(fields[0], "runtime/") || strings.HasPrefix(fields[0], "internal/runtime/") {
			continue
		}
		statements, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			p.Fatal(err)
		}
		count, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			p.Fatal(err)
		}
		sum += statements * count
	}
	if err := lines.Err(); err != nil || sum == 0 {
		p.Fatalf("reading the counts: %v", err)
	}
	return sum
}
