package hosting

import (
	"strconv"
	"strings"
	"testing"

	"cardwright/internal/source"
	"cardwright/schema"
)

// Each way to write a string is read back, by the rules of its syntax, as what
// was written, and ends where it should. Characters that a syntax cannot
// express are those that no inert table holds.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{
		"", "dist", "public, max-age=3600", `"@1753833600"`, `</.well-known/agent-card.json>; rel="successor-version"`,
		`'; rm -rf ~; '`, `%{ENV:PATH}`, "{$HOME} {http.request.host}", "a`id`b", "*/ }", "# x", "''", `""`, "<!-- -->",
		"${{ secrets.KEY }}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s != plainText(s) {
			t.Skip("no renderer sees it")
		}
		for _, q := range []struct {
			name, text string
			read       func(string) (string, bool)
		}{
			{"apache", apacheQuote(s), unquoteApache},
			{"caddy", caddyQuote(s), unquoteDouble},
			{"lighttpd", lighttpdQuote(s), unquoteDouble},
			{"nginx", nginxQuote(s), unquoteDouble},
			{"shell", shQuote(s), unquoteShell},
			{"YAML", yamlQuote(s), unquoteYAML},
			{"JSON", schema.WriteCompact(source.NewText(s)), unquoteJSON},
			{"JavaScript", strconv.Quote(s), unquoteJSON},
		} {
			if got, ok := q.read(q.text); !ok || got != s {
				t.Errorf("%s: %q becomes %s, which reads as %q, %v", q.name, s, q.text, got, ok)
			}
		}
	})
}

// unquoteDouble reads a string in double quotes in which a backslash takes the
// meaning from the next character.
func unquoteDouble(text string) (string, bool) {
	rest, ok := strings.CutPrefix(text, `"`)
	var b strings.Builder
	for ok && rest != "" {
		switch {
		case rest[0] == '"':
			return b.String(), rest == `"`
		case rest[0] == '\\' && len(rest) > 1:
			rest = rest[1:]
		}
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	return b.String(), false
}

// unquoteApache reads a value of the Header directive: a string in which %% is
// a percent sign, and % with anything else a variable of the request.
func unquoteApache(text string) (string, bool) {
	format, ok := unquoteDouble(text)
	value, literal := unformat(format)
	return value, ok && literal
}

// unformat reads the format of a Header, and reports whether it is all text.
func unformat(format string) (value string, literal bool) {
	return strings.ReplaceAll(format, "%%", "%"), !strings.Contains(strings.ReplaceAll(format, "%%", ""), "%")
}

// unquoteShell reads one word of POSIX sh: parts in single quotes, in which
// nothing has a meaning, and quotes behind a backslash.
func unquoteShell(text string) (string, bool) {
	var b strings.Builder
	for text != "" {
		if rest, ok := strings.CutPrefix(text, `\'`); ok {
			b.WriteByte('\'')
			text = rest
			continue
		}
		rest, ok := strings.CutPrefix(text, "'")
		part, after, closed := strings.Cut(rest, "'")
		if !ok || !closed {
			return b.String(), false
		}
		b.WriteString(part)
		text = after
	}
	return b.String(), true
}

func unquoteYAML(text string) (string, bool) {
	n, found := source.ParseYAML("x", []byte("a: "+text+" # end\n"), "r", source.Limits{})
	if len(found) > 0 || !n.Get("a").Is(source.String) {
		return "", false
	}
	return n.Get("a").Text, true
}
