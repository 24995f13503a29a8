package publish

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/mapping"
	"cardwright/schema"
)

// pathFault says what makes p unfit as the path of a file in an output tree,
// "" when nothing does. The same holds for what is to be written and for what a
// manifest lists.
func pathFault(p string) string {
	switch {
	case p == "" || p == ".":
		return "names no file"
	case !utf8.ValidString(p) || strings.ContainsFunc(p, unicode.IsControl):
		return "holds a control character or is not UTF-8"
	case strings.Contains(p, `\`):
		return "holds a backslash"
	case path.IsAbs(p):
		return "is absolute"
	case !fs.ValidPath(p):
		return "has an empty element, a . or a .."
	case !filepath.IsLocal(filepath.FromSlash(p)):
		return "is reserved by the operating system"
	case slices.ContainsFunc(strings.Split(p, "/"), mapping.Device):
		return "has an element that Windows takes for a device"
	case slices.ContainsFunc(strings.Split(p, "/"), unfitForWindows):
		return "has an element that Windows does not allow"
	case isTemp(path.Base(p)):
		return "is the name of a temporary file"
	case slices.ContainsFunc(strings.Split(p, "/"), func(e string) bool { return strings.EqualFold(e, ".git") }):
		return "leads into a git directory"
	}
	return ""
}

// unfitForWindows tells whether Windows refuses a name or silently makes another
// one of it. Trees are made to be the same and to be checked out everywhere.
func unfitForWindows(element string) bool {
	return strings.ContainsAny(element, `<>:"|?*`) || strings.HasSuffix(element, ".") || strings.HasSuffix(element, " ")
}

// checkPaths finds paths that cannot be written, and paths of which a file
// system that ignores case or Unicode normalization could hold one only.
func checkPaths(dir string, tree []schema.File) diag.List {
	var found diag.List
	taken := map[string]string{mapping.Fold(ManifestName): ManifestName}
	for _, f := range tree {
		if fault := pathFault(f.Path); fault != "" {
			found = append(found, problem(rulePath, dir, "", fmt.Sprintf("the output path %q %s", f.Path, fault), ""))
			continue
		}
		key := mapping.Fold(f.Path)
		if other, ok := taken[key]; ok {
			found = append(found, collision(dir, f.Path, other))
			continue
		}
		taken[key] = f.Path
	}
	told := map[string]bool{}
	for _, f := range tree {
		for parent := path.Dir(mapping.Fold(f.Path)); parent != "." && parent != "/"; parent = path.Dir(parent) {
			if other, ok := taken[parent]; ok && !told[parent] {
				told[parent] = true
				found = append(found, problem(ruleCollision, dir, f.Path,
					fmt.Sprintf("the output path %q is that of a file, and %q needs a directory there", other, f.Path),
					"give the agent another id or host"))
			}
		}
	}
	return found.Sorted()
}

func collision(dir, p, other string) diag.Diagnostic {
	return problem(ruleCollision, dir, p,
		fmt.Sprintf("the output paths %q and %q are one path where case and Unicode normalization do not count", other, p),
		"give the agents ids or hosts that differ in more than that")
}
