package generate

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/mapping"
)

// fewCopies is how many copies are not worth a summary.
const fewCopies = 3

// copies are the places of skills that lost to one of the same id, by the
// directory that holds them.
type copies map[string]*lost

type lost struct {
	n    int
	from []string // directories that hold what they lost to, each once
}

func (c copies) add(loser, winner string) {
	a, b := strings.Split(path.Dir(loser), "/"), strings.Split(path.Dir(winner), "/")
	for len(a) > 1 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if end := slices.IndexFunc(a, mapping.Aside); end >= 0 {
		for end++; end < len(a) && mapping.Aside(a[end]); end++ { // docs/ja-JP
		}
		a = a[:end]
	}
	dir := path.Join(a...)
	if c[dir] == nil {
		c[dir] = &lost{}
	}
	c[dir].n++
	if from := cmp.Or(path.Join(b...), "."); !slices.Contains(c[dir].from, from) && len(c[dir].from) < fewCopies {
		c[dir].from = append(c[dir].from, from)
	}
}

// summary says which directories hold the copies that lost, and what leaves them
// out for good.
func (c copies) summary(kept []mapping.Skill, sources []mapping.Source) diag.List {
	var found diag.List
	for _, dir := range slices.Sorted(maps.Keys(c)) {
		if c[dir].n < fewCopies {
			continue
		}
		elsewhere := "elsewhere"
		if from := c[dir].from; len(from) == 1 && from[0] != "." {
			elsewhere = "in " + diag.Quote(from[0])
		}
		found = append(found, diag.New("source-id-collision",
			diag.Span{File: dir}, "%d skills in %s have the ids of skills %s, which are published", c[dir].n, diag.Quote(dir),
			elsewhere).
			WithSeverity(diag.Info).
			WithHint(exclusion(dir, kept, sources)))
	}
	return found
}

// exclusion says how the configuration leaves out the skills of a directory.
func exclusion(dir string, kept []mapping.Skill, sources []mapping.Source) string {
	for _, src := range sources {
		root := path.Clean(src.Path)
		rest, below := strings.CutPrefix(dir+"/", root+"/")
		if root != "." && !below || path.Clean(rest) == "." {
			continue
		}
		hint := fmt.Sprintf("exclude: [%q] on the source %s is clearer", path.Clean(rest), diag.Quote(src.Path))
		only := 0
		for i := range kept {
			if strings.HasPrefix(kept[i].Origin.File, dir+"/") {
				only++
			}
		}
		if only > 0 {
			hint += fmt.Sprintf(", and also leaves out %d skills that are only there", only)
		}
		return hint
	}
	return ""
}
