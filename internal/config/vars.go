package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// resolve returns the tree with every ${NAME} in its texts replaced: in vars
// by environment variables, elsewhere by vars. What cannot be replaced is a
// finding, and the node it stands in is remembered as broken. Environments
// that were not chosen may use vars of their own, and are left as they are.
func (l *loader) resolve(root *source.Node) *source.Node {
	chosen := root.Get("environments").Get(l.Environment)
	vars := merge(root.Get("vars"), chosen.Get("vars"))
	l.findKeys(root)
	return l.resolveMembers(root, l.among(vars, l.guardedVariable))
}

// lookup finds the value of a variable. Where there is none, the hint says how
// to get one; where it must not be read, refused says why.
type lookup func(name string) variable

type variable struct {
	value   string
	set     bool
	refused string // why it must not be read, "" where it may
	hint    string
}

// expandVars returns the values of vars.
func (l *loader) expandVars(vars *source.Node, find lookup) map[string]string {
	values := map[string]string{}
	for _, m := range vars.Fields() {
		if m.Value.Scalar() {
			values[m.Key] = l.expand(m.Value, find)
		}
	}
	return values
}

// among looks variables up in vars, and in the environment with outer.
func (l *loader) among(vars *source.Node, outer lookup) lookup {
	values := l.expandVars(vars, outer)
	known := diag.Among(slices.Sorted(maps.Keys(values)))
	return func(name string) variable {
		if value, ok := values[name]; ok {
			return variable{value: value, set: true}
		}
		if near, ok := known.Nearest(name); ok {
			return variable{hint: diag.Meant("${" + near + "}")}
		}
		return variable{hint: fmt.Sprintf(
			"add it to vars, such as %s: \"${%s:-default}\"; environment variables are read there only", name,
			strings.ToUpper(name),
		)}
	}
}

// resolveMembers resolves what is at the top of a configuration or of an
// environment.
func (l *loader) resolveMembers(n *source.Node, find lookup) *source.Node {
	if n.Kind != source.Object {
		return n
	}
	members := slices.Clone(n.Members)
	for i, m := range members {
		switch m.Key {
		case "vars":
		case "environments":
			members[i].Value = l.resolveEnvironments(m.Value, find)
		default:
			members[i].Value = l.replace(m.Value, find)
		}
	}
	return n.WithMembers(members)
}

func (l *loader) resolveEnvironments(n *source.Node, find lookup) *source.Node {
	if n.Kind != source.Object {
		return n
	}
	members := slices.Clone(n.Members)
	for i, m := range members {
		if m.Key != l.Environment {
			l.leave(m.Value)
			continue
		}
		members[i].Value = l.resolveMembers(m.Value, find)
	}
	return n.WithMembers(members)
}

// leave remembers the texts with a reference in a tree that is not resolved:
// their form cannot be judged.
func (l *loader) leave(n *source.Node) {
	for v := range n.All() {
		if v.Kind == source.String && strings.Contains(v.Text, "${") {
			l.unset[v] = true
		}
	}
}

func (l *loader) replace(n *source.Node, find lookup) *source.Node {
	out := *n
	switch n.Kind {
	case source.Object:
		members := slices.Clone(n.Members)
		for i := range members {
			members[i].Value = l.replace(members[i].Value, find)
		}
		return n.WithMembers(members)
	case source.Array:
		out.Items = slices.Clone(n.Items)
		for i := range out.Items {
			out.Items[i] = l.replace(out.Items[i], find)
		}
	case source.String:
		if strings.Contains(n.Text, "${") {
			out.Text = l.expand(n, find)
			l.unset[&out] = l.unset[n]
		}
	}
	return &out
}

// guardedVariable looks a name up in the environment, unless vars must not read
// it: what they read is published.
func (l *loader) guardedVariable(name string) variable {
	if reason, hint := l.refusal(name); reason != "" {
		return variable{refused: reason, hint: hint}
	}
	return l.environmentVariable(name)
}

// environmentVariable looks a name up in the environment. An empty variable
// counts as unset: that is how CI systems pass what they do not know.
func (l *loader) environmentVariable(name string) variable {
	v := variable{hint: fmt.Sprintf("set the environment variable %s, or give a default: ${%s:-default}", name, name)}
	if l.Getenv != nil {
		v.value, _ = l.Getenv(name)
	}
	v.set = v.value != ""
	return v
}

// expand replaces ${NAME} and ${NAME:-default} in a text; $${ is a literal ${.
func (l *loader) expand(n *source.Node, find lookup) string {
	var out strings.Builder
	rest := n.Text
	for {
		before, after, found := strings.Cut(rest, "${")
		if !found {
			out.WriteString(rest)
			return out.String()
		}
		if strings.HasSuffix(before, "$") {
			out.WriteString(before[:len(before)-1] + "${")
			rest = after
			continue
		}
		out.WriteString(before)
		inner, tail, closed := strings.Cut(after, "}")
		name, fallback, hasFallback := strings.Cut(inner, ":-")
		if !closed || !isName(name) {
			l.fail(n, diag.ConfigValue, fmt.Sprintf("%s is not a variable reference", diag.Quote("${"+after)),
				"write ${NAME} or ${NAME:-default}; $${ is a literal ${")
			return n.Text
		}
		v := find(name)
		if l.expanded += len(v.value); l.expanded > source.MaxSource {
			l.reportExpansion(n)
			return n.Text
		}
		switch {
		case v.refused != "":
			l.fail(n, diag.ConfigValue,
				fmt.Sprintf("vars cannot read the environment variable %q: %s", name, v.refused), v.hint)
			out.WriteString("${" + inner + "}")
		case v.set:
			out.WriteString(v.value)
		case hasFallback:
			out.WriteString(fallback)
		default:
			l.fail(n, diag.ConfigVariableUnset, fmt.Sprintf("variable %q is not set", name), v.hint)
			out.WriteString("${" + inner + "}")
		}
		rest = tail
	}
}

// reportExpansion reports, once, that variables make the configuration larger
// than one may be that is written without them.
func (l *loader) reportExpansion(n *source.Node) {
	l.unset[n] = true
	if l.overflown {
		return
	}
	l.overflown = true
	l.fail(n, diag.ConfigValue,
		fmt.Sprintf("after replacing its variables, the configuration has more than %d bytes, the limit for a source",
			source.MaxSource), "use the long variables less often")
}

// fail reports a text that cannot be resolved.
func (l *loader) fail(n *source.Node, rule diag.RuleID, message, hint string) {
	l.unset[n] = true
	l.report(diag.New(rule, n.Span, "%s", message).WithHint(hint))
}

// checkTexts reports texts for people that a comment seems to cut short, and values that
// are a variable of another tool, which would be published as it stands.
func (l *loader) checkTexts(root *source.Node) {
	for n := range root.All() {
		for _, m := range n.Fields() {
			l.checkText(m.Key, m.Value)
		}
	}
}

func (l *loader) checkText(key string, v *source.Node) {
	prose := slices.Contains([]string{"description", "name", "title", "organization"}, key)
	if v.Cut && key == "description" || v.Glued && prose {
		l.report(diag.New(diag.SourceCommentCut, v.Span, `%q ends before " #", which starts a comment`, key).
			WithHint("put the text in quotes"))
	}
	name := foreignVariable().FindStringSubmatch(v.ScalarText())
	if name != nil && (prose || key == "version" || strings.HasSuffix(strings.ToLower(key), "url")) {
		word := strings.Join(name[1:], "")
		l.fail(v, diag.ConfigVariableUnset, fmt.Sprintf("%q is %q, a variable that nothing replaces", key, v.Text),
			fmt.Sprintf("write ${%s}, and add vars: {%s: \"${%s}\"}", word, word, word))
	}
}

// foreignVariable matches a text that is a variable as shells, Make, Windows, and
// templates write it.
var foreignVariable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\$(\w+)|\$\((\w+)\)|%(\w+)%|@(\w+)@|\{\{[ .]*(\w+) *\}\}|<%=? *(\w+) *%>)$`)
})

func isName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
