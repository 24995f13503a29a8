package mapping

import (
	"fmt"
	"path"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// maker makes a skill of a positioned tree, and collects what is wrong with it.
type maker struct {
	whole diag.Span // where the skill as a whole stands
	skill Skill
	found diag.List
}

// report adds a finding at n, or about the whole when n has no place, and returns it.
func (m *maker) report(rule string, n *source.Node, message, hint string) *diag.Diagnostic {
	span := m.whole
	if n != nil && n.Span.File != "" {
		span = n.Span
	}
	m.found = append(m.found, diag.New(rule, span, "%s", message).WithHint(hint))
	return &m.found[len(m.found)-1]
}

// reportCut warns of a description that a comment follows.
func (m *maker) reportCut(n *source.Node) {
	m.report("source-comment-cut", n, `the description ends before " #", which starts a comment`,
		"put the description in quotes")
}

// reportRestricted tells that not everybody is to call the skill, and what
// comes of that.
func (m *maker) reportRestricted(n *source.Node, message string, respect bool) {
	outcome := "the skill is published anyway"
	if respect {
		outcome = "it is left out of the card"
	}
	m.report("source-invocation", n, message+", "+outcome, "set by respectInvocation of the source").LeftOut = respect
}

// named begins a skill with an id, and the first of the titles for its name.
func (m *maker) named(id *source.Node, titles ...*source.Node) *Skill {
	s := &m.skill
	s.Origin = id.Span
	s.ID = m.take("/id", id)
	s.Name = m.take("/name", titles...)
	return s
}

// keeps notes whether the id of the skill is the name of its directory or file.
func (m *maker) keeps(file string) {
	dir, base := path.Split(file)
	m.skill.Keeps = m.skill.ID == schema.Slug(path.Base(dir)) ||
		m.skill.ID == schema.Slug(strings.TrimSuffix(base, path.Ext(base)))
}

func (m *maker) place(pointer string, span diag.Span) {
	m.skill.Places = append(m.skill.Places, Place{Pointer: pointer, Span: span})
}

// take returns the text of the first node that has one, and notes its place.
func (m *maker) take(pointer string, nodes ...*source.Node) string {
	n := present(nodes...)
	if n != nil {
		m.place(pointer, n.Span)
	}
	return text(n)
}

// reportUnread names the entries of a list that have no text, and the list that
// is a map.
func (m *maker) reportUnread(what string, n *source.Node) {
	const rule, hint = "source-entry-unread", "write one text per entry"
	if n.Is(source.Object) {
		m.report(rule, n, what+" is a map and is not read", hint)
	}
	if !n.Is(source.Array) {
		return
	}
	for _, item := range n.Items {
		if (item.Is(source.Object) || item.Is(source.Array)) && present(naming(item)...) == nil {
			m.report(rule, item, "an entry of "+what+" has no text and is not read", hint)
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
			if key := tree.Fold(e.text); !seen[key] {
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
