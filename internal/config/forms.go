package config

import (
	"cmp"
	_ "embed"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

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
//   - scheme, for a member that a security scheme lacks, and member, that something else lacks.
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

// rightForm shows how a value of another type than its key takes is written, with the
// text that stands there.
func rightForm(key string, node *source.Node, want []string) string {
	given := node
	if items := node.Elements(); len(items) > 0 { // a list in place of a map
		given = items[0]
	}
	text := ""
	if given.Scalar() && plainText().MatchString(given.Text) {
		text = given.Text
	}
	switch example := exampleOf(key, text); {
	case slices.Equal(want, []string{"string"}) && node.Is(source.Array):
		return "put the text in quotes, because [ begins a list"
	case !slices.Contains(want, "array") && !slices.Contains(want, "object"):
		return "" // the message says it
	case example != "":
		return "write " + example
	case slices.Contains(want, "array") && node.Scalar():
		return "write " + key + ": [" + strconv.Quote(node.Text) + "]"
	}
	return ""
}

// plainText matches a text that an example shows without quotes.
var plainText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\w[\w ./-]{0,60}$`) })

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

// meantKey suggests the key that is meant by an unknown one, or where that belongs.
func meantKey(name string, f jsonschema.Fault) string {
	for _, key := range otherNames(name) {
		if slices.Contains(f.Known, key) {
			return diag.Meant(key)
		}
	}
	return cmp.Or(belongs(name), f.Hint)
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
