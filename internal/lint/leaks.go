package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"cardwright/internal/source"
)

// textAt is a text of a card: a string, or the name of a member.
type textAt struct {
	text string
	name string // of the member that it stands in, "" for a name itself
	path []step
	at   *source.Node
	in   *source.Node   // the object that it is a member of, nil for an item of an array
	key  *source.Member // for the name of a member
}

// step is one step from a value to one inside it.
type step struct {
	key   string
	index int // of an item, when there is no key
	item  bool
}

// place builds the place of a text, which costs more than looking at it.
func (t textAt) place() place {
	p := place{Node: t.at, near: t.at}
	for _, s := range t.path {
		if s.item {
			s.key = strconv.Itoa(s.index)
		}
		p.base = source.Pointer(p.base, s.key)
	}
	return p
}

// eachText calls visit with every text of the card: but for its signatures,
// which are not meant to be read.
func (c *card) eachText(visit func(textAt)) {
	path := make([]step, 0, 16) // deep enough for all but hostile cards: no step allocates
	for i := range c.root.Members {
		m := &c.root.Members[i]
		if m.Key != "signatures" {
			visitMember(c.root.Node, m, path, visit)
		}
	}
}

func visitMember(in *source.Node, m *source.Member, path []step, visit func(textAt)) {
	path = append(path, step{key: m.Key})
	visit(textAt{text: m.Key, path: path, at: m.Value, key: m})
	visitText(in, m.Value, m.Key, path, visit)
}

func visitText(in, n *source.Node, name string, path []step, visit func(textAt)) {
	switch n.Kind {
	case source.String:
		visit(textAt{text: n.Text, name: name, path: path, at: n, in: in})
	case source.Array:
		for i, item := range n.Items {
			visitText(nil, item, name, append(path, step{index: i, item: true}), visit)
		}
	case source.Object:
		for i := range n.Members {
			visitMember(n, &n.Members[i], path, visit)
		}
	default: // other scalars are not read
	}
}

func secretValue(c *card) {
	told := map[string]bool{} // by interface-credentials
	for _, e := range c.endpoints {
		if _, ok := credentialsIn(e.url.text()); ok {
			told[e.url.pointer()] = true
		}
	}
	c.eachText(func(t textAt) {
		s, ok := secretIn(t.name, t.text)
		if !ok && t.name == "d" && t.in.Get("kty").Is(source.String) {
			s, ok = secret{what: "the private part of a JSON Web Key", end: len(t.text)}, true
		}
		if !ok {
			return
		}
		if p := t.place(); !told[p.pointer()] {
			c.report(finding{
				at:      p,
				name:    t.key,
				message: fmt.Sprintf("the text holds %s, %q", s.what, s.clue(t.text)),
				hint:    "take it out and revoke it: a card is public, and so is the history of its file",
			})
		}
	})
}

func textInvisible(c *card) {
	c.eachText(func(t textAt) {
		if found := hidden(t.text); len(found) > 0 {
			c.report(finding{
				at:      t.place(),
				name:    t.key,
				message: fmt.Sprintf("the text has characters that nobody sees and language models read: %s in %s", nameHidden(found), quote(t.text)),
				hint:    "delete them",
			})
		}
	})
}

func textNotNFC(c *card) {
	c.eachText(func(t textAt) {
		if !isPlain(t.text) && !norm.NFC.IsNormalString(t.text) {
			c.report(finding{
				at:      t.place(),
				name:    t.key,
				message: fmt.Sprintf("the text %s is not in Unicode normalization form C, so equal words compare as different", quote(t.text)),
				hint:    "save it in normalization form C",
			})
		}
	})
}

// isProse tells whether a member of that name is written for people and models.
func isProse(name string) bool {
	return name == "name" || name == "description" || name == "examples"
}

func internalDetail(c *card) {
	c.eachText(func(t textAt) {
		if !isProse(t.name) || !mayBeInternal(t.text) {
			return
		}
		for word := range strings.FieldsFuncSeq(t.text, endsDetail) {
			if !mayBeInternal(word) {
				continue
			}
			word = strings.TrimRight(word, ".:!?")
			if what := internal(word); what != "" && !isFiller(word) {
				c.report(finding{
					at:      t.place(),
					message: fmt.Sprintf("the text names %s, %s, which callers cannot use", what, quote(word)),
					hint:    "describe what the agent does, not where it runs",
				})
				return
			}
		}
	})
}

// mayBeInternal tells whether a text has one of the signs without which there is
// no path, host or variable. Few sentences have, and looking at each word of
// ten thousand descriptions costs more than reading their files.
func mayBeInternal(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case '/', '\\', ':', '$', '_':
			return true
		case '.':
			if i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '\n' { // no full stop
				return true
			}
		}
	}
	return false
}

// endsDetail tells whether r separates what internal looks at.
func endsDetail(r rune) bool {
	switch r {
	case '"', '\'', '`', '(', ')', '[', ']', ',', ';', '|', '=':
		return true
	}
	return unicode.IsSpace(r)
}

// internal tells which inner detail a word of prose gives away.
func internal(word string) string {
	switch {
	case isFilePath(word):
		return "a file path"
	case isInternalHost(word):
		return "an internal host"
	case isVariable(word):
		return "an environment variable"
	}
	return ""
}

func isFilePath(word string) bool {
	for _, root := range []string{"/home/", "/Users/", "/root/", "/etc/", "/var/", "/opt/", "/srv/", "/usr/", "/tmp/", "/mnt/", "~/", "file://", `\\`} {
		if rest, ok := strings.CutPrefix(word, root); ok && rest != "" {
			return true
		}
	}
	return len(word) > 3 && word[1] == ':' && word[2] == '\\' && isAlnum(word[0])
}

// isInternalHost tells whether a word is a URL or address of an inner host, or
// its name in a local zone.
func isInternalHost(word string) bool {
	host := ""
	switch {
	case strings.Contains(word, "://"):
		host = hostOf(word)
	case strings.HasPrefix(word, "localhost:"):
		return true
	case strings.Contains(word, "."):
		host, _, _ = strings.Cut(strings.ToLower(word), ":")
		host, _, _ = strings.Cut(host, "/")
	}
	return host != "" && (isPrivate(host) || isLoopback(host))
}

// variableEnds are the ends of names of environment variables that configure a
// program. Other constants in capitals are everyday prose.
var variableEnds = []string{"_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_URL", "_HOST", "_PORT", "_DIR", "_PATH", "_HOME", "_ENDPOINT"}

// isVariable tells whether a word is the name of an environment variable: it
// says so with a $, or ends as such names do.
func isVariable(word string) bool {
	name, dollar := strings.CutPrefix(word, "$")
	name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return false
	}
	for i := range len(name) {
		if b := name[i]; !isUpperNum(b) && b != '_' {
			return false
		}
	}
	return dollar || slices.ContainsFunc(variableEnds, func(end string) bool { return strings.HasSuffix(name, end) })
}
