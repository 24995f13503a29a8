package mapping

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// precedence is how a file stands among others that hold a skill of the same id:
// the lowest one wins.
type precedence struct {
	copy  bool // in a directory for copies
	depth int
	name  string
}

func precedenceOf(name string) precedence {
	return precedence{copy: IsCopy(name), depth: max(1, strings.Count(name, "/")), name: name}
}

func (s precedence) compare(t precedence) int {
	if s.copy != t.copy {
		return map[bool]int{false: -1, true: 1}[s.copy]
	}
	return cmp.Or(cmp.Compare(s.depth, t.depth), strings.Compare(s.name, t.name))
}

// Foreign says why nothing in a directory is a part of the project that it lies in,
// "" for a directory that may hold something: what others wrote, what a build has
// made, and copies that git checks out. Below a directory called skills, every name
// means a category or a skill.
func Foreign(name string) string {
	parts := strings.Split(name, "/")
	if slices.Contains(parts[:len(parts)-1], "skills") {
		return ""
	}
	switch base := parts[len(parts)-1]; base {
	case "vendor", "node_modules", "site-packages", ".venv", "venv", ".tox", "third_party":
		return "dependencies"
	case "build", "dist", "out", "target", ".next", "_site":
		return "build output"
	case "worktrees", ".worktrees":
		return "worktrees"
	}
	return ""
}

// IsCopy reports whether a file lies in a directory for what stands elsewhere too, or is
// a template. Below a directory called skills, some of these names are topics.
func IsCopy(file string) bool {
	topics := false
	home, own := path.Split(path.Dir(file))
	for segment := range strings.SplitSeq(strings.TrimSuffix(home, "/"), "/") {
		if isCopies(segment) && (!topics || !slices.Contains(topical, strings.ToLower(segment))) {
			return true
		}
		topics = topics || segment == "skills"
	}
	return slices.Contains(templates, strings.ToLower(strings.TrimLeft(own, "._")))
}

// isCopies reports whether directories of that name hold copies of what stands
// elsewhere: kept, shown, or in another language.
func isCopies(segment string) bool {
	segment = strings.ToLower(strings.TrimLeft(segment, "._"))
	return slices.Contains(copies, strings.TrimSuffix(segment, "s")) || segment == "docs" || isLanguage(segment)
}

// copies are names of directories for copies, without a plural s.
var copies = []string{
	"archive", "archived", "backup", "deprecated", "doc", "draft", "example", "export", "legacy", "mirror",
	"old", "preview", "sample", "template", "test", "fixture", "tmp",
}

var (
	topical   = []string{"doc", "docs", "test", "tests"}
	templates = []string{"template", "templates", "skill-template", "template-skill", "skill-name", "your-skill-name"}
)

// isLanguage reports whether a name in lower case is the tag of a language that a
// copy has been translated to, such as ja-jp, zh_cn or fr (RFC 5646).
func isLanguage(name string) bool {
	language, region, regional := strings.Cut(strings.ReplaceAll(name, "_", "-"), "-")
	if !regional {
		return slices.Contains(languages, language)
	}
	return (slices.Contains(languages, language) || slices.Contains(ambiguous, language)) &&
		slices.Contains(regions, region)
}

// These are what skills are translated to; English is what they are translated
// from. The ambiguous ones are more often departments and words than languages
// where they stand without a region.
var (
	languages = strings.Fields("ar bn cs de el es fa fi fr hu ja ko nl pl pt ro ru sv th tr uk vi zh")
	ambiguous = strings.Fields("da he hi hr id it no")
	regions   = strings.Fields("ar at be bd br ca ch cl cn co cz de dk es fi fr gr hans hant hk hr hu id il in ir it " +
		"jp kr latn mo mx nl no pe pl pt ro ru sa se sg th tr tw ua vn 419")
)
