package tree

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PathFault says what makes p unfit as the path of a file in an output tree,
// "" when nothing does. The same holds for what is to be written and for what a
// manifest lists.
func PathFault(p string) string {
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
	case len(p) > mostPath || slices.ContainsFunc(strings.Split(p, "/"), func(e string) bool { return len(e) > mostName }):
		return fmt.Sprintf("is too long: a name may have %d bytes, a path %d", mostName, mostPath)
	case slices.ContainsFunc(strings.Split(p, "/"), Device):
		return "has an element that is a device on Windows"
	case slices.ContainsFunc(strings.Split(p, "/"), unfitForWindows):
		return "has an element that Windows does not allow"
	case IsTemp(path.Base(p)) || path.Base(p) == JournalName:
		return "is the name of a temporary file"
	case slices.ContainsFunc(strings.Split(p, "/"), func(e string) bool { return strings.EqualFold(e, ".git") }):
		return "is in a .git directory"
	}
	return ""
}

// So long are names and paths that all file systems take.
const (
	mostName = 255
	mostPath = 1000
)

// unfitForWindows reports whether Windows refuses a name or silently makes another
// one of it. Trees are made to be the same and to be checked out everywhere.
func unfitForWindows(element string) bool {
	return strings.ContainsAny(element, `<>:"|?*`) || strings.HasSuffix(element, ".") || strings.HasSuffix(element, " ")
}
