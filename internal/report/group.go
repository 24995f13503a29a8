package report

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
)

const (
	groupFrom   = 6 // findings of one cause that are printed as a group
	groupShown  = 3 // of a group
	dirsShown   = 4 // directories that the rest of a group is counted by
	ownersShown = 6 // of the rest of a group
)

// cause is what findings have in common that one change would settle: the rule,
// and the message without what differs from place to place.
type cause struct {
	rule     string
	severity diag.Severity
	message  string
}

func causeOf(d diag.Diagnostic) cause { return cause{d.Rule, d.Severity, pattern(d.Message)} }

// pattern returns a message without quoted text and numbers.
func pattern(message string) string {
	var b strings.Builder
	quoted := false
	for i := range len(message) {
		c := message[i]
		switch {
		case c == '"' && (i == 0 || message[i-1] != '\\'):
			quoted = !quoted
		case quoted, c >= '0' && c <= '9':
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// groups are the findings that share a cause with many others.
type groups map[cause]*findingGroup

type findingGroup struct {
	found diag.List
	shown int
}

func group(found diag.List) groups {
	all := groups{}
	for _, d := range found {
		c := causeOf(d)
		if all[c] == nil {
			all[c] = &findingGroup{}
		}
		all[c].found = append(all[c].found, d)
	}
	for c, g := range all {
		if len(g.found) < groupFrom {
			delete(all, c)
		}
	}
	return all
}

// take reports whether a finding is printed, and of which group it is the last one that is.
func (all groups) take(d diag.Diagnostic) (printed bool, last *findingGroup) {
	g := all[causeOf(d)]
	if g == nil {
		return true, nil
	}
	if g.shown++; g.shown == groupShown {
		last = g
	}
	return g.shown <= groupShown, last
}

// rest says how many findings of the group are not printed, which option shows them,
// and where they are when that is in a few directories.
func (g *findingGroup) rest(option string) string {
	line := fmt.Sprintf("and %d more (%s shows them)", len(g.found)-groupShown, option)
	if where := g.directories(); where != "" {
		line += ": " + where
	}
	if owners := g.owners(); owners != "" {
		line += "; " + owners
	}
	return line
}

// owners says who answers for the findings of the group that are not printed, where
// these are several.
func (g *findingGroup) owners() string {
	counts := map[string]int{}
	for _, d := range g.found[groupShown:] {
		if d.Owner != "" {
			counts[d.Owner]++
		}
	}
	if len(counts) < 2 {
		return ""
	}
	names := slices.Sorted(maps.Keys(counts))
	shown := names[:min(len(names), ownersShown)]
	for i, name := range shown {
		shown[i] = fmt.Sprintf("%s %d", name, counts[name])
	}
	line := "owners: " + strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

// directories says where the findings of the group are that are not printed.
func (g *findingGroup) directories() string {
	var files []string
	for _, d := range g.found[groupShown:] {
		files = append(files, d.Span.File)
	}
	return directories(files)
}

// directories counts files by the directories below the one that they share, ""
// when these are too many to say anything.
func directories(files []string) string {
	shared := strings.Split(path.Dir(files[0]), "/")
	for _, f := range files {
		parts := strings.Split(path.Dir(f), "/")
		n := 0
		for n < len(shared) && n < len(parts) && shared[n] == parts[n] {
			n++
		}
		shared = shared[:n]
	}
	counts := map[string]int{}
	for _, f := range files {
		parts := strings.Split(path.Dir(f), "/")
		counts[path.Join(parts[:min(len(parts), len(shared)+1)]...)]++
	}
	if len(counts) > dirsShown {
		if len(shared) == 0 || shared[0] == "." {
			return ""
		}
		return "below " + path.Join(shared...)
	}
	dirs := make([]string, 0, len(counts))
	for dir := range counts {
		dirs = append(dirs, dir)
	}
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	for i, dir := range dirs {
		if len(dirs) == 1 {
			return "in " + dir
		}
		dirs[i] = fmt.Sprintf("%d in %s", counts[dir], dir)
	}
	return strings.Join(dirs, ", ")
}
