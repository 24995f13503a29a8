package mapping

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// visibility returns the most private visibility that a header, or what else
// describes a skill, states anywhere: whoever hides a skill in the wrong place, or
// spells it in the wrong way, still means to hide it.
func (m *maker) visibility(header *source.Node) Visibility {
	w := wishes{maker: m, most: Public}
	w.members(header, outer)
	w.lines(header.Text, diag.Span{File: header.Span.File, Line: 1})
	if metadata := header.Get("metadata"); metadata.Is(source.String) && parseJSON(metadata) == nil {
		w.lines(metadata.Text, metadata.Span)
	}
	return w.most
}

// wishes are what a header says about the visibility of its skill.
type wishes struct {
	*maker
	most Visibility // of all, the most private
}

// scope is where a key stands, which decides how much it must say.
type scope uint8

const (
	inside scope = iota // somewhere: a2a-visibility
	outer               // at the top of the header or of its metadata: visibility as well
	own                 // in the map a2a: visibility, hidden, private and the like as well
)

// members looks at the members of n, and at those below.
func (w *wishes) members(n *source.Node, at scope) {
	if n.Is(source.String) && at != inside { // metadata and a2a may be JSON text
		n = parseJSON(n)
	}
	if n == nil {
		return
	}
	for _, m := range n.Members {
		switch key := Plain(m.Key); {
		case meansVisibility(key, at):
			w.state(m)
		case w.sentence(m.Key, m.KeySpan, at): // with its value in the quotes of the key
		case key == "a2a" && at == outer && !mayHold(m.Value):
			w.state(m)
		case key == "a2a":
			w.members(m.Value, own)
		case at == outer && privateWord(key) && !denied(m.Value), at != inside && withholds(m, at):
			w.state(source.Member{Key: m.Key, KeySpan: m.KeySpan, Value: &source.Node{Kind: source.Null, Span: m.Value.Span}})
		case key == "metadata" && at == outer && privateWord(plainWord(text(m.Value))):
			w.state(m)
		case key == "metadata" && at == outer:
			w.members(m.Value, outer)
		default:
			w.members(m.Value, inside)
		}
	}
	for _, item := range n.Items {
		if at == own && item.Scalar() {
			w.state(source.Member{Key: "a2a", KeySpan: item.Span, Value: item})
		} else if key := Plain(item.Text); item.Scalar() && !w.sentence(item.Text, item.Span, at) &&
			at == outer && (meansVisibility(key, at) || privateWord(key)) { // its value may be the next entry
			w.state(source.Member{Key: item.Text, KeySpan: item.Span, Value: &source.Node{Kind: source.Null, Span: item.Span}})
		}
		w.members(item, at)
	}
}

// sentence notes what a text asks for that has both key and value, such as an entry
// of a list, and reports whether it does.
func (w *wishes) sentence(text string, span diag.Span, at scope) bool {
	text = norm.NFKC.String(text[:min(len(text), nearby)])
	i := strings.IndexAny(text, ":=")
	if i < 0 && at != inside {
		i, at = strings.IndexAny(text, " \t"), inside // which needs a key that can mean nothing else
	}
	if i < 0 {
		return false
	}
	key, value := Plain(text[:i]), &source.Node{Kind: source.String, Text: strings.Trim(text[i:], ":= \t\"'"), Span: span}
	private := at == outer && (key == "a2a" || privateWord(key)) && !denied(value)
	if !private && !meansVisibility(key, at) {
		return false
	}
	w.state(source.Member{Key: text, KeySpan: span, Value: value})
	return true
}

// mayHold reports whether a value can have members, as it is or as JSON text.
func mayHold(n *source.Node) bool {
	return n.Is(source.Object) || n.Is(source.Array) || parseJSON(n) != nil
}

// state notes what a key asks for, and reports what is not said plainly.
func (w *wishes) state(m source.Member) {
	said := text(m.Value)
	v := asVisibility(said)
	w.most = MostPrivate(w.most, v)
	if key, ok := ownKey(m.Key); !ok && m.Key != "visibility" || ok && key != "visibility" {
		w.report("source-visibility", &source.Node{Span: m.KeySpan},
			fmt.Sprintf("the key %s is read as a2a-visibility, so the skill is %s", diag.Quote(m.Key), v),
			fmt.Sprintf("write metadata: {a2a-visibility: %s}", v))
	} else if !strings.EqualFold(said, string(v)) {
		what := "unknown visibility " + diag.Quote(said)
		switch {
		case !m.Value.Scalar():
			what = "the visibility is " + m.Value.Kind.Article()
		case said == "":
			what = "the visibility is empty"
		}
		w.report("source-visibility", m.Value, what+", so the skill is hidden", "known: public, extended, hidden")
	}
}

// asVisibility returns the visibility of that name, and [Hidden] for any other.
func asVisibility(name string) Visibility {
	switch v := Visibility(strings.ToLower(name)); v {
	case Public, Extended:
		return v
	}
	return Hidden
}

// meansVisibility reports whether a plain key is about the visibility of the
// skill: it may be up to two edits away.
func meansVisibility(key string, at scope) bool {
	const longest = 32 // "a2a-visibility" in any spelling is shorter
	if len(key) < len("a2avis") && at != own || len(key) > longest {
		return false
	}
	name, prefixed := strings.CutPrefix(key, "a2a")
	if (prefixed || at == own) && meansAccess(name) {
		return true
	}
	if !strings.ContainsAny(key, "2vb") { // two edits leave one of them
		return false
	}
	if strings.HasPrefix(name, "vis") && (prefixed || at != inside) {
		key = "a2a" + name
	}
	_, near := diag.Nearest(key, []string{"a2avisibility"})
	return near
}

// meansAccess reports whether a plain key for A2A is about who gets to see the skill.
func meansAccess(key string) bool {
	whole := slices.Concat(openWords(), []string{"hide", "unlisted", "extended"})
	parts := []string{
		"access", "audience", "expos", "privacy", "private", "internal", "hidden", "restrict", "confidential",
		"visible", "visibility", "scope", "sharing", "reader", "viewer",
	}
	holds := func(part string) bool { return strings.Contains(key, part) }
	return slices.Contains(whole, key) || slices.ContainsFunc(parts, holds)
}

// openWords are the plain keys that say, with no, that a skill is private.
func openWords() []string {
	return []string{"public", "publish", "published", "visible", "listed", "shared", "discoverable"}
}

// privateWord reports whether a plain key alone says that a skill is private.
func privateWord(key string) bool {
	return slices.Contains([]string{
		"hide", "hidden", "private", "internal", "unlisted", "confidential", "restricted",
	}, key)
}

// withholds reports whether a member says in words of its own that a skill is for few:
// access: private, listed: false, and what nobody reads, a2a-team: internal.
func withholds(m source.Member, at scope) bool {
	access := []string{"vis", "access", "audience", "exposure", "privacy", "scope", "sharing", "status", "confidentiality"}
	key, _ := ownKey(m.Key)
	if at == own {
		key = kebab(m.Key)
	}
	name, prefixed := strings.CutPrefix(Plain(m.Key), "a2a")
	if privateWord(plainWord(text(m.Value))) {
		return (prefixed || at == own) && !slices.Contains(ownKeys(), key) || slices.Contains(access, name)
	}
	return denied(m.Value) && slices.Contains(openWords(), name)
}

// denied reports whether a value says that what its key says is not so.
func denied(n *source.Node) bool {
	const longest = len("false")
	t := text(n)
	return len(t) <= longest && slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(t))
}

// plainWord is [Plain] for a text that may be one of a few words: "" for a longer one, which
// most descriptions show with their first words.
func plainWord(text string) string {
	const longest = len("confidential")
	letters := 0
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			return Plain(text)
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
			letters++
		}
		if letters > longest {
			return ""
		}
	}
	return Plain(text)
}

// lines looks for statements in text that no parser has read as the author meant
// it, from the given place on: the header is broken, or its metadata is no map.
func (w *wishes) lines(text string, at diag.Span) {
	if at.Line > 0 {
		at.Line--
	}
	at.EndLine, at.EndColumn = 0, 0
	rest := text
	for line := range strings.Lines(text) {
		rest = rest[len(line):]
		if at.Line++; !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			at.Column = 1
			w.line(line, rest, at)
		}
	}
}

// nearby is how many bytes on either side of a colon may hold its key and value.
const nearby = 256

// line looks for statements in one line, whose values may be on the next one.
func (w *wishes) line(line, next string, at diag.Span) {
	line = strings.Map(printable, norm.NFKC.String(line))
	next = next[:min(len(next), nearby)]
	before := w.most
	for i, r := range line {
		if r != ':' && r != '=' {
			continue
		}
		key, first := keyBefore(line[max(0, i-nearby):i])
		rest := line[i+1 : min(len(line), i+1+nearby)]
		value := wordAfter(rest + next)
		v := asVisibility(value)
		at := inside
		if first || strings.EqualFold(value, string(v)) { // else it may be the visibility of something else
			at = outer
		}
		named := first && key == "a2a" && wordAfter(rest) != "" && !strings.HasPrefix(value, "{")
		if meansVisibility(key, at) || named {
			w.most = MostPrivate(w.most, v)
		}
	}
	if key, explicit := strings.CutPrefix(strings.TrimLeft(line, " \t-"), "?"); explicit &&
		meansVisibility(Plain(key), outer) { // the value is on the next line
		w.most = MostPrivate(w.most, asVisibility(wordAfter(strings.TrimLeft(next, " \t:"))))
	}
	if words := strings.Fields(line); len(words) > 1 && !strings.ContainsAny(line, ":=") &&
		meansVisibility(Plain(words[0]), inside) {
		w.most = MostPrivate(w.most, asVisibility(wordAfter(words[1])))
	}
	if w.most != before {
		w.report("source-visibility", &source.Node{Span: at},
			fmt.Sprintf("the header has faults; this line makes the skill %s, so that is used", w.most),
			"fix the header")
	}
}

// keyBefore returns the plain key that a line ends with, and whether it is the
// first of the line.
func keyBefore(line string) (key string, first bool) {
	line = strings.TrimRight(line, "\"'\\ \t]})")
	i := strings.LastIndexFunc(line, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	})
	return Plain(line[i+1:]), strings.Trim(line[:i+1], "\"'\\ \t-?[{(") == ""
}

// wordAfter returns the word that a text begins with, as the value of a key.
func wordAfter(text string) string {
	text = strings.TrimLeft(text, "\"'\\ \t\r\n|>-+")
	if end := strings.IndexAny(text, " \t\r\n\"'\\,;#}]"); end >= 0 {
		text = text[:end]
	}
	return text
}

// printable drops control characters, as the repair of a header does.
func printable(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' {
		return -1
	}
	return r
}

// MostPrivate returns the one of two visibilities that shows less.
func MostPrivate(a, b Visibility) Visibility {
	for _, v := range []Visibility{Hidden, Extended} {
		if a == v || b == v {
			return v
		}
	}
	return Public
}
