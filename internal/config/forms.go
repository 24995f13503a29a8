package config

import (
	"cmp"
	_ "embed"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/schema"
)

// wordLines are words of other tools and versions, a line each: the kind, the word,
// and what to write. The kinds are
//
//   - name, for a key: the keys that may be meant,
//   - type, of a security scheme that is none,
//   - member, that a security scheme lacks.
//
//go:embed hints.txt
var wordLines string

// word returns what a line says, "" where there is none.
func word(kind, written string) string {
	for line := range strings.Lines(wordLines) {
		if words := strings.SplitN(strings.TrimSpace(line), "\t", 3); words[0] == kind && words[1] == written {
			return words[2]
		}
	}
	return ""
}

// exampleOf returns the example of a key, with a text in the place of what it marks by <>,
// "" for a key without an example.
func exampleOf(key, given string) string {
	for _, object := range Objects() {
		for name, f := range Keys(object) {
			if example := f.Tag.Get("example"); name == key && example != "" {
				before, rest, _ := strings.Cut(example, "<")
				marked, after, _ := strings.Cut(rest, ">")
				return key + ": " + before + cmp.Or(given, marked) + after
			}
		}
	}
	return ""
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
		return signingForm()
	}
	if node.Is(source.Array) && len(node.Items) > 0 && node.Items[0].Is(source.String) &&
		!strings.ContainsAny(node.Items[0].Text, "{}[],:#") {
		given = node.Items[0].Text // of a list in place of a map
	}
	if !slices.Contains(want, "array") && !slices.Contains(want, "object") {
		if node.Is(source.Array) && len(node.Items) > 1 {
			return "put the text in quotes, because [ begins a list"
		}
		return scalarForm(key, entry, given, want)
	}
	if example := exampleOf(key, given); example != "" {
		return "write " + example
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
func signingForm() string { return "write " + exampleOf("signing", "") }

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
	keys := word("name", name)
	for _, message := range schema.Messages() {
		for _, m := range schema.Members(message) {
			if key := m.Key(); keys == "" && m.Name == name && key != name {
				keys = key
			}
		}
	}
	return strings.Fields(keys)
}

// meantKey suggests the key that is meant by an unknown one, or where that belongs. node is
// its value.
func meantKey(name string, node *source.Node, f jsonschema.Fault) string {
	for _, key := range otherNames(name) {
		switch {
		case !slices.Contains(f.Known, key):
		case key == "interfaces" && strings.Contains(node.ScalarText(), "/"):
			return "write interfaces: [{url: " + node.ScalarText() + "}]"
		default:
			return diag.Meant(key)
		}
	}
	if where := belongs(name); where != "" {
		return where
	}
	return f.Hint
}

// belongs says where a key of the configuration or of an agent stands, "" for any other.
func belongs(name string) string {
	for _, place := range []struct {
		object reflect.Type
		where  string
	}{
		{reflect.TypeFor[File](), "at the top level"},
		{reflect.TypeFor[Agent](), "in an agent, or in defaults"},
		{reflect.TypeFor[Skills](), "below skills of an agent"},
		{reflect.TypeFor[schema.Capabilities](), "below capabilities of an agent"},
		{reflect.TypeFor[Auth](), "below auth of an agent"},
	} {
		for key := range Keys(place.object) {
			if key == name {
				return strconv.Quote(name) + " stands " + place.where
			}
		}
	}
	return ""
}
