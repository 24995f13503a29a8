package source

import (
	"encoding/json"
	"math"
	"strings"
)

// IsNumber reports whether s is a number as RFC 8259 section 6 spells it.
func IsNumber(s string) bool {
	const digits = "0123456789"
	switch {
	case s == "":
		return false
	case s[0] != '0' && strings.Trim(s, digits) == "": // as most are, without a copy
		return true
	}
	return strings.IndexByte("-"+digits, s[0]) >= 0 && s[len(s)-1] > ' ' && json.Valid([]byte(s))
}

// SameEverywhere reports whether every reader takes a number in JSON for f and
// spells it alike, although f is beyond the whole numbers that are exact in 64
// bits: from 1e21 on, where ECMAScript writes exponents as all others do (section
// 6.1.6.1.20), if the text does not read as a whole number of arbitrary length.
func SameEverywhere(text string, f float64) bool {
	return math.Abs(f) >= 1e21 && strings.ContainsAny(text, "eE.")
}
