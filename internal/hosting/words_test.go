package hosting

import (
	"encoding/json"
	"path"
	"strings"

	"cardwright/internal/source"
)

// words reads a file as its server does: strings without their quotes, names,
// marks, and ends of lines where they count. Comments are left out.
func words(o Output) ([]string, bool) {
	text := string(o.Data)
	switch name := path.Base(o.Path); {
	case name == ".htaccess", strings.HasPrefix(o.Path, "apache/"):
		return apacheWords(text)
	case name == "_headers", name == "_redirects", name == ".nojekyll", name == ".vercelignore", path.Ext(name) == ".html":
		return lineWords(text), true
	case path.Ext(name) == ".json":
		root, found := source.ParseJSON("x", o.Data, source.Limits{})
		return leaves(root), found == nil
	case path.Ext(name) == ".yml":
		root, found := source.ParseYAML("x", o.Data, "r", source.Limits{})
		return leaves(root), found == nil
	case path.Ext(name) == ".js":
		return scan(text, syntax{comment: "//", quotes: `"`, unquote: unquoteJSON})
	case path.Ext(name) == ".sh":
		return scan(text, syntax{comment: "#", quotes: `"'`, joined: true, unquote: unquoteSh, lines: true})
	case strings.HasPrefix(o.Path, "nginx/"), strings.HasPrefix(o.Path, "caddy/"):
		return scan(text, syntax{
			comment: "#", quotes: `"`, lines: strings.HasPrefix(o.Path, "caddy/"), marks: ";{}",
			unquote: unquoteDouble,
		})
	}
	return scan(text, syntax{comment: "#", quotes: `"`, marks: "(){}=,+", unquote: unquoteDouble})
}

// syntax is what tells the words of a language apart.
type syntax struct {
	comment string // what starts a comment, at the start of a word
	quotes  string // characters that begin and end a string
	marks   string // characters that are words of their own, or end one
	lines   bool   // the end of a line is a word
	joined  bool   // strings may stand in the middle of a word
	unquote func(string) (string, bool)
}

// scan reads the words of a text.
func scan(text string, s syntax) (all []string, ok bool) {
	for text != "" {
		switch c := text[0]; {
		case c == '\n' && s.lines:
			all, text = append(all, "\n"), text[1:]
		case strings.IndexByte(" \t\r\n", c) >= 0:
			text = text[1:]
		case strings.HasPrefix(text, s.comment):
			_, text, _ = strings.Cut(text, "\n")
			text = "\n" + text
		case strings.IndexByte(s.marks, c) >= 0:
			all, text = append(all, string(c)), text[1:]
		default:
			n := s.word(text)
			word := text[:n]
			if strings.IndexByte(s.quotes, c) >= 0 || s.joined {
				if word, ok = s.unquote(word); !ok {
					return all, false
				}
			}
			all, text = append(all, word), text[n:]
		}
	}
	return all, true
}

// word returns the length of the word that a text begins with.
func (s syntax) word(text string) int {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i++
		case quote != 0 && c == quote:
			if quote = 0; !s.joined {
				return i + 1
			}
		case quote != 0:
		case (i == 0 || s.joined) && strings.IndexByte(s.quotes, c) >= 0:
			quote = c
		case strings.IndexByte(" \t\r\n", c) >= 0, strings.IndexByte(s.marks, c) >= 0:
			return i
		}
	}
	return len(text)
}

// ourVariables are what our own values of Header name of a request.
var ourVariables = strings.NewReplacer("%{a2a_tag}e", "tag", "%{a2a_card}e", "card", "%{a2a_origin}e", "origin")

// apacheWords reads directives, one in a line: their arguments as
// ap_getword_conf does, and the strings in expressions.
func apacheWords(text string) (all []string, ok bool) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "<") {
			if line[len(line)-1] != '>' {
				return all, false
			}
			line = line[:len(line)-1]
		}
		arguments, ok := scan(line, syntax{comment: "\x00", quotes: `"`, unquote: unquoteConf})
		if !ok {
			return all, false
		}
		for i, a := range arguments {
			switch {
			case arguments[0] == "<If" || strings.HasPrefix(a, "expr=") || i > 0 && arguments[i-1] == "expr":
				all = append(all, strings.Split(a, "'")...)
			case arguments[0] == "Header" && i >= 3:
				value, ok := unformat(ourVariables.Replace(a))
				if !ok {
					return all, false
				}
				all = append(all, value)
			default:
				all = append(all, a)
			}
		}
		all = append(all, "\n")
	}
	return all, true
}

// unquoteConf reads an argument in double quotes, in which a backslash takes the
// meaning from a quote and from another backslash.
func unquoteConf(text string) (string, bool) {
	inner, ok := strings.CutPrefix(text, `"`)
	inner, closed := strings.CutSuffix(inner, `"`)
	return unescaped.Replace(inner), ok && closed && inner != ""
}

var unescaped = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// lineWords are the lines of a _headers file, in which nothing is quoted.
func lineWords(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

// leaves are the keys and values of a document.
func leaves(n *source.Node) []string {
	if n == nil {
		return nil
	}
	all := []string{n.Text}
	for _, m := range n.Members {
		all = append(append(all, m.Key), leaves(m.Value)...)
	}
	for _, item := range n.Items {
		all = append(all, leaves(item)...)
	}
	return all
}

// unquoteSh reads a word of the POSIX shell, without what stands in it for a
// value.
func unquoteSh(text string) (string, bool) {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == c:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), quote == 0
}

func unquoteJSON(text string) (string, bool) {
	var s string
	err := json.Unmarshal([]byte(text), &s)
	return s, err == nil
}
