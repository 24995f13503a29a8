package lint

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

var numberChecks = checks{
	diag.NumberUnsafe: {both, eachScalar(source.Number, numberUnsafe)},
}

// maxInteger is the largest integer up to which the numbers of JavaScript are
// exact (RFC 7493 section 2.2).
const maxInteger = 1<<53 - 1

func numberUnsafe(c *card, t textAt) {
	if why := unsafeNumber(t.text); why != "" {
		c.find(t.location, "write it as a string", "%s", why)
	}
}

// unsafeNumber returns why readers of a number, which most hold in 64 bits of
// IEEE 754, see another one. It is "" for a number that they all read.
func unsafeNumber(text string) string {
	f, _ := strconv.ParseFloat(text, 64)
	digits, exponent := decimal(text)
	read, at := decimal(strconv.FormatFloat(f, 'e', -1, 64))
	switch {
	case math.IsInf(f, 0):
		return fmt.Sprintf("the number %s is larger than parsers can represent", diag.Quote(text))
	case digits == read && exponent == at && (math.Abs(f) <= maxInteger || source.SameEverywhere(text, f)):
		return ""
	case digits == read && exponent == at:
		return fmt.Sprintf("the number %s is beyond ±(2^53−1), where parsers round differently", diag.Quote(text))
	}
	format := byte('f')
	if at > 20 || at < -6 { // from here on JavaScript does too
		format = 'e'
	}
	return fmt.Sprintf("the number %s is read as %s by JavaScript and by SDKs that hold numbers as it does",
		diag.Quote(text), strconv.FormatFloat(f, format, -1, 64))
}

// decimal returns the significant digits of a number in JSON and the power of
// ten of the first of them, "" for zero.
func decimal(text string) (digits string, exponent int) {
	mantissa, power, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(text, "-")), "e")
	exponent, _ = strconv.Atoi(power) // 0 without one; one out of range leaves no finite number
	whole, fraction, _ := strings.Cut(mantissa, ".")
	exponent += len(whole) - 1
	all := whole + fraction
	digits = strings.TrimLeft(all, "0")
	if digits == "" {
		return "", 0
	}
	exponent -= len(all) - len(digits)
	return strings.TrimRight(digits, "0"), exponent
}
