package tree

import "strings"

// Device reports whether Windows takes a file or directory of this name for a
// device, whatever its letter case and whatever follows its first dot: such a
// name can be neither created nor checked out there.
func Device(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	number, found := strings.CutPrefix(stem, "COM")
	if !found {
		number, found = strings.CutPrefix(stem, "LPT")
	}
	return found && (len(number) == 1 && number >= "1" && number <= "9" || number == "¹" || number == "²" || number == "³")
}
