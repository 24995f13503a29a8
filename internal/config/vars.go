package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/nearest"
	"cardwright/internal/source"
)

// resolve returns the tree with every ${NAME} in its texts replaced: in vars
// by environment variables, elsewhere by vars. What cannot be replaced is a
// finding, and the node it stands in is remembered as broken. Environments
// that were not chosen may use vars of their own, and are left as they are.
func (l *loader) resolve(root *source.Node) *source.Node {
	chosen := root.Get("environments").Get(l.Environment)
	vars := map[string]string{}
	for _, m := range membersOf(merge(root.Get("vars"), chosen.Get("vars"))) {
		if m.Value.Scalar() {
			vars[m.Key] = l.expand(m.Value, l.environmentVariable)
		}
	}
	return l.resolveMembers(root, vars)
}

// resolveMembers resolves what is at the top of a configuration or of an
// environment.
func (l *loader) resolveMembers(n *source.Node, vars map[string]string) *source.Node {
	if n.Kind != source.Object {
		return n
	}
	out := *n
	out.Members = slices.Clone(n.Members)
	for i, m := range out.Members {
		switch m.Key {
		case "vars":
		case "environments":
			out.Members[i].Value = l.resolveEnvironments(m.Value, vars)
		default:
			out.Members[i].Value = l.replace(m.Value, vars)
		}
	}
	return &out
}

func (l *loader) resolveEnvironments(n *source.Node, vars map[string]string) *source.Node {
	if n.Kind != source.Object {
		return n
	}
	out := *n
	out.Members = slices.Clone(n.Members)
	for i, m := range out.Members {
		if m.Key != l.Environment {
			l.leave(m.Value)
			continue
		}
		out.Members[i].Value = l.resolveMembers(m.Value, vars)
	}
	return &out
}

// leave remembers the texts with a reference in a tree that is not resolved:
// their form cannot be judged.
func (l *loader) leave(n *source.Node) {
	if n.Kind == source.String && strings.Contains(n.Text, "${") {
		l.broken[n] = true
	}
	for _, m := range n.Members {
		l.leave(m.Value)
	}
	for _, item := range n.Items {
		l.leave(item)
	}
}

func (l *loader) replace(n *source.Node, vars map[string]string) *source.Node {
	out := *n
	switch n.Kind {
	case source.Object:
		out.Members = slices.Clone(n.Members)
		for i := range out.Members {
			out.Members[i].Value = l.replace(out.Members[i].Value, vars)
		}
	case source.Array:
		out.Items = slices.Clone(n.Items)
		for i := range out.Items {
			out.Items[i] = l.replace(out.Items[i], vars)
		}
	case source.String:
		if strings.Contains(n.Text, "${") {
			lookup := func(name string) (string, bool, string) {
				value, ok := vars[name]
				return value, ok, hintForVariable(name, vars)
			}
			out.Text = l.expand(n, lookup)
			if l.broken[n] {
				l.broken[&out] = true
			}
		}
	}
	return &out
}

func hintForVariable(name string, vars map[string]string) string {
	if n, ok := nearest.Nearest(name, slices.Sorted(maps.Keys(vars))); ok {
		return fmt.Sprintf("did you mean ${%s}?", n)
	}
	return fmt.Sprintf("add it to vars, such as %s: \"${%s:-default}\"; environment variables are read there only", name, strings.ToUpper(name))
}

// environmentVariable looks a name up in the environment. An empty variable
// counts as unset: that is how CI systems pass what they do not know.
func (l *loader) environmentVariable(name string) (value string, ok bool, hint string) {
	if l.Getenv != nil {
		value, _ = l.Getenv(name)
	}
	return value, value != "", fmt.Sprintf("set the environment variable %s, or give a default: ${%s:-default}", name, name)
}

// expand replaces ${NAME} and ${NAME:-default} in a text; $${ is a literal ${.
func (l *loader) expand(n *source.Node, lookup func(string) (value string, ok bool, hint string)) string {
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
			l.fail(n, "config-value", fmt.Sprintf("%q is no variable reference", clip("${"+after)), "write ${NAME} or ${NAME:-default}; $${ is a literal ${")
			return n.Text
		}
		value, ok, hint := lookup(name)
		switch {
		case ok:
			out.WriteString(value)
		case hasFallback:
			out.WriteString(fallback)
		default:
			l.fail(n, "config-variable-unset", fmt.Sprintf("variable %q is not set", name), hint)
			out.WriteString("${" + inner + "}")
		}
		rest = tail
	}
}

// fail reports a text that cannot be resolved.
func (l *loader) fail(n *source.Node, rule, message, hint string) {
	l.broken[n] = true
	l.report(diag.Diagnostic{Rule: rule, Message: message, Hint: hint, Span: n.Span})
}

func isName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
