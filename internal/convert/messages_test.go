package convert_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
	"cardwright/schema"
)

var strangers = flag.String("cards", "", "check the messages about the cards in this directory too")

// TestMessagesAreTrue compares what is said of every card among the fixtures of
// the project with the card that comes out: what is kept is there, what is left
// out is not, and what is assumed is there. With LONG_TRIALS it reads each card in each
// way; without, the documents of this package for one version in turn, and each other card
// in one way.
func TestMessagesAreTrue(t *testing.T) {
	type way struct {
		drop bool
		to   schema.Protocol
	}
	var ways []way
	for _, p := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
		ways = append(ways, way{false, p}, way{true, p})
	}
	n, documented, seen := 0, 0, map[string]int{}
	for _, dir := range []string{"../../testdata", "../../golden", "testdata", *strangers} {
		for name, data := range documents(t, dir) {
			if documented++; dir == "../../golden" && documented%fixture.Rounds(8, 1) != 0 { // whose cards are much alike
				continue
			}
			root, _ := source.ParseJSONLenient(name, data, source.Limits{})
			if root == nil {
				continue
			}
			some := ways
			switch {
			case fixture.Long():
			case strings.HasPrefix(dir, ".."):
				some = ways[documented%len(ways):][:1]
			default:
				some = ways[documented%3*2:][:2]
			}
			for _, w := range some {
				r := convert.Read(root, convert.ReadOptions{DropUnknown: w.drop, To: w.to})
				node, lost := convert.Convert(r, w.to, schema.WireOptions{})
				for _, d := range slices.Concat(r.Found, lost) {
					n++
					if node == nil {
						continue
					}
					if fault := untrue(root, node, d, seen); fault != "" {
						t.Errorf("%s:%d:%d: %s (drop %t, to %s): %s", name, d.Span.Line, d.Span.Column, d.Message, w.drop, w.to, fault)
					}
				}
			}
		}
	}
	for _, kind := range []string{"kept as", "kept: true", "kept: false", "empty", "assumed", "lost", "left out"} {
		if seen[kind] < fixture.Rounds(3, 10) {
			t.Errorf("of %d messages, only %d of the kind %q were compared: are they worded otherwise now?", n, seen[kind], kind)
		}
	}
}

// documents iterates over the JSON files below a directory, and those in its
// archives.
func documents(t *testing.T, dir string) func(yield func(string, []byte) bool) {
	t.Helper()
	return func(yield func(string, []byte) bool) {
		if dir == "" {
			return
		}
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(name, ".json") && !strings.HasSuffix(name, ".txtar") {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if strings.HasSuffix(name, ".json") && !yield(name, data) {
				return fs.SkipAll
			}
			if strings.HasSuffix(name, ".txtar") {
				for _, f := range txtar.Parse(data).Files {
					if strings.HasSuffix(f.Name, ".json") && !yield(name+"/"+f.Name, f.Data) {
						return fs.SkipAll
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

var (
	keptAs  = regexp.MustCompile(`kept as ("[^"]+")`)
	named   = regexp.MustCompile(`("(?:[^"\\]|\\.)*")(?: of ([a-zA-Z ]+))?(?:, |$)`)
	assumed = regexp.MustCompile(`assumed: (.*)$|^.*?[,;] ("(?:[^"\\]|\\.)*") is assumed`)
	lostOne = regexp.MustCompile(`^"(\w+)" is left out: A2A`)
	quoted  = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
)

// untrue says what of a message the card that came out belies, "" for nothing,
// and counts the kinds of messages that it understands.
func untrue(in, out *source.Node, d diag.Diagnostic, seen map[string]int) string {
	if m := keptAs.FindStringSubmatch(d.Message); m != nil {
		seen["kept as"]++
		name, _ := strconv.Unquote(m[1])
		if !hasKey(out, name) {
			return "the card has no " + name
		}
		return ""
	}
	head, list, _ := strings.Cut(d.Message, ": ")
	switch {
	case strings.HasSuffix(head, "kept as they are"), strings.HasSuffix(head, "does not define are left out"):
		kept := strings.HasSuffix(head, "kept as they are")
		seen["kept: "+strconv.FormatBool(kept)]++
		for _, m := range named.FindAllStringSubmatch(list, -1) {
			name, err := strconv.Unquote(m[1])
			if err == nil && holds(out, m[2], name) != kept {
				return "the card, and " + m[1] + " of " + m[2] + ": " + strconv.FormatBool(!kept)
			}
		}
	case strings.HasPrefix(head, "empty values are left out"):
		seen["empty"]++
		for _, q := range quoted.FindAllString(list, -1) {
			pointer, err := strconv.Unquote(q)
			if v, ok := in.Find(pointer); err == nil && ok {
				if kept, _ := v.Pruned(); kept != nil {
					return q + " is not empty"
				}
			}
		}
	case d.Rule == "convert-assumed":
		if m := assumed.FindStringSubmatch(d.Message); m != nil {
			seen["assumed"]++
			for _, q := range quoted.FindAllString(m[1]+m[2], -1) {
				if text, err := strconv.Unquote(q); err == nil && !hasText(out, text) {
					return "the card has no text " + q
				}
			}
		}
	case lostOne.MatchString(d.Message):
		seen["lost"]++
		if name := lostOne.FindStringSubmatch(d.Message)[1]; hasKey(out, name) {
			return "the card has a member " + name
		}
	case strings.HasSuffix(d.Message, "left out") && (d.Rule == "convert-dropped" || d.Rule == "convert-repaired" &&
		strings.Count(d.Pointer, "/") == 1):
		seen["left out"]++
		v, ok := in.Find(d.Pointer)
		key := d.Pointer[strings.LastIndexByte(d.Pointer, '/')+1:]
		if strings.Count(d.Pointer, "/") == 1 {
			if ok && out.Get(key).Equal(v) {
				return "the card has " + d.Pointer
			}
			return ""
		}
		if ok && strings.Trim(key, "0123456789") != "" && hasMember(out, key, v) {
			return "the card has " + d.Pointer
		}
	}
	return ""
}

// holds reports whether a message of the card has a member.
func holds(card *source.Node, of, name string) bool {
	switch of {
	case "":
		return card.Get(name) != nil
	case "the provider":
		return card.Get("provider").Get(name) != nil
	case "capabilities":
		return card.Get("capabilities").Get(name) != nil
	case "skills":
		return hasKey(card.Get("skills"), name)
	case "interfaces":
		return hasKey(card.Get("supportedInterfaces"), name) || hasKey(card.Get("additionalInterfaces"), name)
	case "extensions":
		return hasKey(card.Get("capabilities").Get("extensions"), name)
	}
	return hasKey(card.Get("securitySchemes"), name)
}

func hasKey(n *source.Node, name string) bool {
	return anywhere(n, func(m source.Member) bool { return m.Key == name })
}

func hasMember(n *source.Node, name string, value *source.Node) bool {
	return anywhere(n, func(m source.Member) bool { return m.Key == name && m.Value.Equal(value) })
}

func hasText(n *source.Node, text string) bool {
	if n == nil {
		return false
	}
	return n.Is(source.String) && isShown(n.Text, text) ||
		slices.ContainsFunc(n.Items, func(i *source.Node) bool { return hasText(i, text) }) ||
		slices.ContainsFunc(n.Members, func(m source.Member) bool { return isShown(m.Key, text) || hasText(m.Value, text) })
}

// isShown reports whether a message shows a text of the card as that: whole, or cut
// at an ellipsis. The version 0.3 stands in a 0.3 card as 0.3.0.
func isShown(text, shown string) bool {
	head, cut := strings.CutSuffix(shown, "…")
	return text == shown || cut && strings.HasPrefix(text, head) || text == "0.3.0" && shown == "0.3"
}

func anywhere(n *source.Node, is func(source.Member) bool) bool {
	if n == nil {
		return false
	}
	return slices.ContainsFunc(n.Items, func(i *source.Node) bool { return anywhere(i, is) }) ||
		slices.ContainsFunc(n.Members, func(m source.Member) bool { return is(m) || anywhere(m.Value, is) })
}
