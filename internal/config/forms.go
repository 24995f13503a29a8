package config

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// hintLines are what to write for what people write most often in another way, a line
// each: its kind, what was written, a value for the form of a key, and what to write,
// with VALUE for the text that stands there. The kinds are
//
//   - form, of a key that has a value of another type,
//   - name, for a key of cards, older versions of A2A and other tools: the keys that may
//     be meant,
//   - type, of a security scheme that is none,
//   - member, that a security scheme lacks.
//
//go:embed hints.txt
var hintLines string

// hint returns what a line says, "" where there is none.
func hint(kind, written string) (value, text string) {
	for line := range strings.Lines(hintLines) {
		if words := strings.SplitN(strings.TrimSpace(line), "\t", 4); words[0] == kind && words[1] == written {
			return words[2], words[3]
		}
	}
	return "", ""
}

// rightForm says how to write a value of another type than its key takes.
func rightForm(pointer string, node *source.Node, want []string) string {
	key, entry := "", false
	for token := range source.Tokens(pointer) {
		if _, err := strconv.Atoi(token); err == nil && key != "" {
			entry = true
			continue
		}
		key, entry = token, false
	}
	given := ""
	if node.Is(source.String) && len(node.Text) <= 60 && !strings.ContainsAny(node.Text, "\n\"{}[],:#&*!|>'%@`") {
		given = node.Text
	}
	if strings.Contains(pointer+"/", "/signing/") {
		return signingForm
	}
	if node.Is(source.Array) && len(node.Items) > 0 && node.Items[0].Is(source.String) &&
		!strings.ContainsAny(node.Items[0].Text, "{}[],:#") {
		given = node.Items[0].Text // of a list in place of a map
	}
	if !slices.Contains(want, "array") && !slices.Contains(want, "object") {
		return scalarForm(key, entry, given, want)
	}
	if value, text := hint("form", key); text != "" {
		return "write " + strings.Replace(text, "VALUE", cmp.Or(given, value), 1)
	}
	switch {
	case entry || key == "":
		return ""
	case slices.Contains(want, "array") && node.Scalar() && given != "":
		return "write " + key + ": [" + given + "]"
	case slices.Contains(want, "array") && node.Scalar():
		return "write " + key + ": [" + strconv.Quote(node.Text) + "]"
	case slices.Contains(want, "array"):
		return "write " + key + ": [a, b]"
	case slices.Contains(want, "object"):
		return "write " + key + ": {key: value}"
	}
	return ""
}

// signingForm is how an agent is signed.
const signingForm = `write signing: {key: "env:CARD_KEY", kid: cards-2026}`

// policyForm says how to write a cache policy.
func policyForm(node *source.Node) string {
	if node.Is(source.String) {
		return "max-age counts seconds, without a unit: max-age=300 is five minutes"
	}
	seconds := "3600"
	if node.Is(source.Number) {
		seconds = node.Text
	}
	return "write cacheControl: public, max-age=" + seconds
}

// scalarForm is [rightForm] for texts, numbers and flags.
func scalarForm(key string, entry bool, given string, want []string) string {
	switch {
	case slices.Contains(want, "integer") || slices.Contains(want, "number"):
		return "write " + key + ": 1000, a number without quotes"
	case slices.Contains(want, "boolean"):
		return "write " + key + ": true or " + key + ": false"
	case entry:
		return "write " + key + ": [text]"
	case key == "":
		return ""
	case given != "":
		return "write " + key + ": " + given
	}
	return "write " + key + ": text"
}

// otherNames are the keys that may be meant by the name of a key from elsewhere.
func otherNames(name string) []string {
	_, keys := hint("name", name)
	for _, message := range schema.Messages() {
		for _, m := range schema.Members(message) {
			if key := m.Key(); keys == "" && m.Name == name && key != name {
				keys = key
			}
		}
	}
	return strings.Fields(keys)
}

// meantKey suggests the key that is meant by a name from elsewhere, where it is
// one of the known ones: a hint that lists them. node is the value at the pointer.
func meantKey(pointer string, node *source.Node, hint string) string {
	list, ok := strings.CutPrefix(hint, "known keys: ")
	if !ok {
		return hint
	}
	last := ""
	for token := range source.Tokens(pointer) {
		last = token
	}
	known := strings.Split(list, ", ")
	for _, key := range otherNames(last) {
		switch {
		case !slices.Contains(known, key):
		case key == "interfaces" && strings.Contains(node.ScalarText(), "/"):
			return "write interfaces: [{url: " + node.ScalarText() + "}]"
		default:
			return diag.Meant(key)
		}
	}
	return hint
}
