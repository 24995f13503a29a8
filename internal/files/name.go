package files

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// PathFault says what makes p unfit as the path of a file in an output tree,
// "" when nothing does. The same holds for what is to be written and for what a
// manifest lists.
func PathFault(p string) string {
	elements := strings.Split(p, "/")
	has := func(bad func(element string) bool) bool { return slices.ContainsFunc(elements, bad) }
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
	case len(p) > mostPath || has(func(e string) bool { return len(e) > mostName }):
		return fmt.Sprintf("is too long: a name may have %d bytes, a path %d", mostName, mostPath)
	case has(Device):
		return "has an element that is a device on Windows"
	case has(unfitForWindows):
		return "has an element that Windows does not allow"
	case IsTemp(path.Base(p)):
		return "is the name of a temporary file"
	case has(func(e string) bool { return strings.EqualFold(e, ".git") }):
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

// Device reports whether Windows takes a file or directory of this name for a
// device, whatever its letter case and whatever follows its first dot: such a
// name can be neither created nor checked out there.
func Device(name string) bool { return device.MatchString(name) }

var device = regexp.MustCompile(`^(?i:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[1-9¹²³]) *(?:\.|$)`)

// Fold returns what s has in common with every text that differs from it only
// in letter case or in how its characters are composed.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// What a file is called while it is being written, around the text of rand.Text.
const (
	tempPrefix = ".cardwright-"
	tempSuffix = ".tmp"
)

// IsTemp reports whether name belongs to a file that is being written, or was when
// a run was killed.
func IsTemp(name string) bool { return temp.MatchString(name) }

var temp = regexp.MustCompile(`^\.cardwright-[A-Z2-7]{26}\.tmp$`)
