// Package synth makes directory trees of skills for benchmarks. Half of the
// files have 3.9 KB and one in a hundred 28 KB or more, half of the headers
// 0.4 KB and one in a hundred 1.2 KB or more, as with real skills, and headers
// are written in the ways in which people write them. The same numbers give
// the same bytes. No part of the product imports this package.
package synth

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// Size is how large a project is.
type Size struct {
	Agents int
	Skills int // of all agents together
	Files  int // how many files, which the configuration includes, share the agents; 0 for none
}

// Write makes the directory dir with a project of a size. Each agent has a directory with
// its skills, each file of agents a directory with these.
func Write(dir string, size Size) error {
	config := Config(size.Agents)
	if size.Files > 0 {
		config = []byte(head + "include: [\"teams/*/agents.yaml\"]\n")
	}
	for f := range max(size.Files, 1) {
		if err := writeTeam(dir, f, size); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "cardwright.yaml"), config, 0o644)
}

// writeTeam writes the skills of the agents of file number f, and the file.
func writeTeam(dir string, f int, size Size) error {
	if size.Files > 0 {
		dir = filepath.Join(dir, "teams", fmt.Sprintf("team-%03d", f))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	config := []byte("defaults:\n  documentationUrl: https://acme.example/docs/" + filepath.Base(dir) + "\nagents:\n")
	files := max(size.Files, 1)
	for g := f * size.Agents / files; g < (f+1)*size.Agents/files; g++ {
		if err := writeGroup(dir, g, size.Skills/size.Agents); err != nil {
			return err
		}
		config = append(config, agent(g)...)
	}
	if size.Files == 0 {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, "agents.yaml"), config, 0o644)
}

// writeGroup makes the directory of group number g in dir.
func writeGroup(dir string, g, skills int) error {
	for n := g * skills; n < (g+1)*skills; n++ {
		home := filepath.Join(dir, Group(g), name(n))
		if err := os.MkdirAll(home, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(home, "SKILL.md"), Skill(n), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Group returns the name of the directory of group number g.
func Group(g int) string { return fmt.Sprintf("group-%04d", g) }

// Config returns a configuration in which every group is an agent.
func Config(groups int) []byte {
	config := []byte(head + "agents:\n")
	for g := range groups {
		config = append(config, agent(g)...)
	}
	return config
}

// head begins every configuration.
const head = "version: 1\nlayout: path\nbaseUrl: https://agents.acme.example\n"

// agent returns the entry of group number g in a configuration.
func agent(g int) string {
	return fmt.Sprintf(`  - id: %[1]s
    name: Agent %[2]d
    description: Does all that is asked for in the area of number %[2]d.
    version: 1.0.0
    interfaces: [{url: /a2a/%[1]s}]
    skills: {from: [{type: skills, path: %[1]s}]}
`, Group(g), g)
}

// Skill returns the SKILL.md of skill number n.
func Skill(n int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "---\nname: %s\n", name(n))
	size := spread(n, 400, 1200)
	switch n % 20 {
	case 0, 1, 2, 3:
		fmt.Fprintf(&b, "description: >-\n%slicense: Apache-2.0\nmetadata:\n  author: acme\n  version: \"1.%d\"\n",
			paragraph(n, size-90, "  "), n%10)
	case 4, 5, 6:
		fmt.Fprintf(&b, "description: \"%s: %s\"\nallowed-tools:\n  - Read\n  - Grep\n", word(n), prose(n, size-80))
	case 7:
		fmt.Fprintf(&b, "description: %s\ncategory: %s\ntags: [%s, %s]\n", prose(n, size-80), word(n), word(n+1), word(n+2))
	default:
		fmt.Fprintf(&b, "description: %s\n", prose(n, size-40))
	}
	fmt.Fprintf(&b, "---\n\n# %s\n\n", name(n))
	b.WriteString(paragraph(n, spread(n, 3900, 28_000)-b.Len(), ""))
	return b.Bytes()
}

// spread returns a size for number n out of a log-normal distribution with the
// given median and 99th percentile.
func spread(n int, median, p99 float64) int {
	const golden, z99 = 0.6180339887498949, 2.3263478740408408
	_, u := math.Modf((float64(n) + 0.5) * golden) // even over 0 to 1, in no visible order
	z := math.Sqrt2 * math.Erfinv(2*u-1)
	return int(median * math.Exp(z*math.Log(p99/median)/z99))
}

func name(n int) string { return fmt.Sprintf("%s-%s-%d", word(n), word(n/7), n) }

func word(n int) string {
	words := [...]string{
		"review", "invoices", "orders", "checks", "finds", "reports", "merge", "deploy", "cluster", "schema", "parse",
		"render",
		"query", "cache", "build", "tests", "routes", "stream", "archive", "when", "the", "user", "asks", "for",
		"names", "it",
	}
	return words[n%len(words)]
}

// prose returns one line of words that is about size bytes long.
func prose(n, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Handles area %d", n)
	for i := n; b.Len() < size; i += 1 + (n+i)%5 {
		b.WriteByte(' ')
		b.WriteString(word(i))
	}
	b.WriteByte('.')
	return b.String()
}

// paragraph returns indented lines of prose, about size bytes in all.
func paragraph(n, size int, indent string) string {
	const width = 72
	var b strings.Builder
	for i := n; b.Len() == 0 || b.Len() < size; i++ {
		b.WriteString(indent + prose(i, min(width, size)) + "\n")
	}
	return b.String()
}
