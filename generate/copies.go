package generate

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/mapping"
)

// standing is how a file stands among others that hold a skill of the same id:
// the lowest one wins.
type standing struct {
	aside bool // in a directory for copies
	depth int
	name  string
}

func standingOf(tree Tree, name string) standing {
	dir := path.Dir(relative(tree, name))
	s := standing{name: name}
	for segment := range strings.SplitSeq(dir, "/") {
		s.aside = s.aside || isAside(segment)
		s.depth++
	}
	return s
}

func (s standing) compare(t standing) int {
	if s.aside != t.aside {
		if s.aside {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(s.depth, t.depth), strings.Compare(s.name, t.name))
}

// isAside tells whether directories of that name hold copies of what stands
// elsewhere: kept, shown, or in another language.
func isAside(segment string) bool {
	segment = strings.ToLower(strings.TrimLeft(segment, "._"))
	singular := strings.TrimSuffix(segment, "s")
	return slices.Contains(asides, singular) || segment == "docs" || isLanguage(segment)
}

// asides are names of directories for copies, without a plural s.
var asides = []string{"archive", "archived", "backup", "deprecated", "doc", "draft", "example", "export", "legacy", "old", "preview", "sample", "template", "test", "fixture", "tmp"}

// isLanguage tells whether a name in lower case is the tag of a language that a
// copy has been translated to, such as ja-jp, zh_cn or fr (RFC 5646).
func isLanguage(name string) bool {
	language, region, regional := strings.Cut(strings.ReplaceAll(name, "_", "-"), "-")
	if !regional {
		return slices.Contains(languages, language)
	}
	return (slices.Contains(languages, language) || slices.Contains(ambiguous, language)) && slices.Contains(regions, region)
}

// These are what skills are translated to; English is what they are translated
// from. The ambiguous ones are more often departments and words than languages
// where they stand without a region.
var (
	languages = strings.Fields("ar bn cs de el es fa fi fr hu ja ko nl pl pt ro ru sv th tr uk vi zh")
	ambiguous = strings.Fields("da he hi hr id it no")
	regions   = strings.Fields("ar at be bd br ca ch cl cn co cz de dk es fi fr gr hans hant hk hr hu id il in ir it jp kr latn mo mx nl no pe pl pt ro ru sa se sg th tr tw ua vn 419")
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
	if end := slices.IndexFunc(a, isAside); end >= 0 {
		for end++; end < len(a) && isAside(a[end]); end++ { // docs/ja-JP
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
func (c copies) summary(kept []mapping.Skill, sources []config.Source) diag.List {
	var found diag.List
	for _, dir := range slices.Sorted(maps.Keys(c)) {
		if c[dir].n < fewCopies {
			continue
		}
		elsewhere := "elsewhere"
		if from := c[dir].from; len(from) == 1 && from[0] != "." {
			elsewhere = "in " + diag.Quote(from[0])
		}
		found = append(found, diag.New("source-id-collision", diag.Span{File: dir}, "%d skills in %s have the ids of skills %s, which are published", c[dir].n, diag.Quote(dir), elsewhere).
			WithSeverity(diag.Info).
			WithHint(exclusion(dir, kept, sources)))
	}
	return found
}

// exclusion says how the configuration leaves out the skills of a directory.
func exclusion(dir string, kept []mapping.Skill, sources []config.Source) string {
	for _, src := range sources {
		root := path.Clean(src.Path)
		rest, below := strings.CutPrefix(dir+"/", root+"/")
		if root != "." && !below || path.Clean(rest) == "." {
			continue
		}
		hint := fmt.Sprintf("exclude: [%q] on the source %s settles it", path.Clean(rest), diag.Quote(src.Path))
		only := 0
		for i := range kept {
			if strings.HasPrefix(kept[i].Origin.File, dir+"/") {
				only++
			}
		}
		if only > 0 {
			hint += fmt.Sprintf(", and leaves out %d skills that are only there", only)
		}
		return hint
	}
	return ""
}
