package mapping

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// maker makes a skill of a positioned tree, and collects what is wrong with it.
type maker struct {
	whole diag.Span // where the skill as a whole stands
	keys  keyForm   // for hints
	skill Skill
	found diag.List
}

// report adds a finding at n, or about the whole when n has no place, and returns it.
func (m *maker) report(rule diag.RuleID, n *source.Node, message, hint string) *diag.Diagnostic {
	span := m.whole
	if n != nil && n.Span.File != "" {
		span = n.Span
	}
	m.found = append(m.found, diag.New(rule, span, "%s", message).WithHint(hint))
	return &m.found[len(m.found)-1]
}

// leaveOut reports that what the source has makes no skill, and why.
func (m *maker) leaveOut(rule diag.RuleID, severity diag.Severity, n *source.Node, message, hint string) {
	d := m.report(rule, n, message, hint)
	d.Severity, d.Effect = severity, diag.SkillLeftOut
}

// reportCut warns of a description that a comment follows.
func (m *maker) reportCut(n *source.Node) {
	if n != nil && n.Cut {
		m.report(diag.SourceCommentCut, n, `the description ends before " #", which starts a comment`,
			"put the description in quotes")
	}
}

// reportRestricted reports that the skill is not meant for every caller.
func (m *maker) reportRestricted(n *source.Node, message string) {
	m.report(diag.SourceInvocation, n, message+", the skill is published anyway",
		"to leave it out, name it in skills.exclude")
}

// named begins a skill with an id, and the first of the titles for its name.
func (m *maker) named(id *source.Node, titles ...*source.Node) *Skill {
	s := &m.skill
	s.Origin = id.Span
	s.ID = m.read("/id", id)
	s.Name = m.read("/name", titles...)
	return s
}

func (m *maker) place(pointer string, span diag.Span) {
	m.skill.Places = append(m.skill.Places, Place{Pointer: pointer, Span: span})
}

// read returns the text of the first node that has one, and notes its place.
func (m *maker) read(pointer string, nodes ...*source.Node) string {
	n := present(nodes...)
	if n != nil {
		m.place(pointer, n.Span)
	}
	return text(n)
}

// reportUnread names what has no text in a list: its entries, or the list that is a map.
func (m *maker) reportUnread(what string, n *source.Node) {
	for _, item := range append(n.Elements(), n) {
		if item.Is(source.Object) || item.Is(source.Array) && item != n {
			m.report(diag.SourceKeyUnknown, item, "an entry of "+what+" has no text and is not read",
				"write one text per entry").Severity = diag.Info
		}
	}
}

// list returns the entries of all nodes, each once whatever its letter case.
func (m *maker) list(pointer string, how split, nodes ...*source.Node) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range nodes {
		m.reportUnread(strings.Trim(pointer, "/"), n)
		for _, e := range entries(n, how) {
			if key := files.Fold(e.text); !seen[key] {
				seen[key] = true
				m.place(fmt.Sprintf("%s/%d", pointer, len(out)), e.span)
				out = append(out, e.text)
			}
		}
	}
	if len(out) > 0 {
		first := m.skill.Places[len(m.skill.Places)-len(out)]
		m.place(pointer, first.Span)
	}
	return out
}

// present returns the first node that has a text, or nil: empty is absent.
func present(nodes ...*source.Node) *source.Node {
	for _, n := range nodes {
		if text(n) != "" {
			return n
		}
	}
	return nil
}

// text returns the text of a scalar with LF for every line break, no blanks at
// the ends of lines and no white space around it. The text of any other node is "".
func text(n *source.Node) string {
	if !n.Scalar() {
		return ""
	}
	return tidy(n.Text)
}

func tidy(s string) string {
	if strings.IndexByte(s, '\n') >= 0 || strings.IndexByte(s, '\r') >= 0 { // ContainsAny takes ten times as long
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			lines[i] = strings.TrimRightFunc(line, unicode.IsSpace)
		}
		s = strings.Join(lines, "\n")
	}
	return strings.TrimSpace(s)
}

// split says what separates the entries of a list that is written as text.
type split string

const (
	splitLines split = "\n"
	splitAll   split = "\n,"
	splitWords split = "\n, " // at spaces only where each word can be a tag
)

// entry is one entry of a list.
type entry struct {
	text string
	span diag.Span
}

// entries returns the entries of a list, empty ones left out. A list may be an
// array, its JSON text, "[a, b]", or text with one entry a line; commas, and
// spaces between words, separate as well where how says so.
func entries(n *source.Node, how split) []entry {
	if list := parseJSON(n); list.Is(source.Array) {
		n = list
	}
	var out []entry
	if n.Is(source.Array) {
		for _, item := range n.Items {
			if t := text(item); t != "" {
				out = append(out, entry{t, item.Span})
			}
		}
		return out
	}
	all := text(n)
	listed := how != splitLines
	if listed && strings.HasPrefix(all, "[") && strings.HasSuffix(all, "]") {
		all = all[1 : len(all)-1]
	}
	if how == splitWords && !areTags(all) {
		how = splitAll
	}
	for t := range strings.FieldsFuncSeq(all, func(r rune) bool { return strings.ContainsRune(string(how), r) }) {
		t = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(t), "- "))
		if listed {
			t = unquote(t)
		}
		if t != "" {
			out = append(out, entry{t, n.Span})
		}
	}
	return out
}

// areTags reports whether a text is several words without a comma between them, each fit
// to be a tag: in lower case, and none that only joins others.
func areTags(text string) bool {
	words := strings.Fields(text)
	return len(words) > 1 && !strings.ContainsAny(text, ",\n") && !slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains(joins, word) || Plain(word) == "" || word != strings.ToLower(word) ||
			strings.ContainsFunc(word, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.+#/", r)
			})
	})
}

// unquote takes off a pair of quotes around s.
func unquote(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return strings.TrimSpace(s[1 : len(s)-1])
	}
	return s
}

// parseJSON returns the object or array whose JSON text n is, or nil. It all
// has the place of n.
func parseJSON(n *source.Node) *source.Node {
	t := text(n)
	if !n.Is(source.String) || !strings.HasPrefix(t, "{") && !strings.HasPrefix(t, "[") {
		return nil
	}
	tree, _ := source.ParseJSON("", []byte(t))
	for part := range tree.All() {
		part.Span = n.Span
		for i := range part.Members {
			part.Members[i].KeySpan = n.Span
		}
	}
	return tree
}

// Plain returns the letters and digits of a text in lower case, without the variants
// that only look different.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(text))
}
