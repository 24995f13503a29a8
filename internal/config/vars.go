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

// variables replace every ${NAME} in the texts of a configuration: in vars by environment
// variables, elsewhere by vars.
type variables struct {
	getenv   func(name string) (string, bool)
	keys     map[string]bool       // environment variables that hold signing keys, in capitals
	others   map[*source.Node]bool // what this run does not use: vars, and environments that were not chosen
	values   map[string]string     // of vars
	known    *diag.Words           // names of vars
	expanded int                   // bytes that variables added

	report func(diag.Diagnostic)
	unset  map[*source.Node]bool // texts with an unresolved variable
}

// lookup finds the value of a variable, or returns why there is none.
type lookup func(name string) (value string, fault *diag.Diagnostic)

// resolve returns the tree with its variables replaced. What cannot be replaced is a
// finding, and the node it stands in is remembered as broken. Environments
// that were not chosen may use vars of their own, and are left as they are.
func (v *variables) resolve(root *source.Node, environment string) *source.Node {
	environments := root.Get("environments")
	chosen := environments.Get(environment)
	v.others = map[*source.Node]bool{root.Get("vars"): true, chosen.Get("vars"): true}
	for _, m := range environments.Fields() {
		if m.Key != environment {
			v.others[m.Value] = true
		}
	}
	v.values = map[string]string{}
	for _, m := range merge(root.Get("vars"), chosen.Get("vars")).Fields() {
		if m.Value.Scalar() {
			v.values[m.Key] = v.expand(m.Value, v.inEnvironment)
		}
	}
	v.known = diag.Among(slices.Sorted(maps.Keys(v.values)))
	return v.replace(root)
}

func (v *variables) replace(n *source.Node) *source.Node {
	out := *n
	switch {
	case v.others[n]:
		for text := range n.All() { // its form cannot be checked
			v.unset[text] = v.unset[text] || strings.Contains(text.Text, "${")
		}
		return n
	case n.Kind == source.Object:
		members := slices.Clone(n.Members)
		for i := range members {
			members[i].Value = v.replace(members[i].Value)
		}
		return n.WithMembers(members)
	case n.Kind == source.Array:
		out.Items = slices.Clone(n.Items)
		for i := range out.Items {
			out.Items[i] = v.replace(out.Items[i])
		}
	case n.Kind == source.String && strings.Contains(n.Text, "${"):
		out.Text = v.expand(n, v.inVars)
		v.unset[&out] = v.unset[n]
	}
	return &out
}

// inVars looks a name up in vars.
func (v *variables) inVars(name string) (string, *diag.Diagnostic) {
	if value, ok := v.values[name]; ok {
		return value, nil
	}
	hint := fmt.Sprintf("add it to vars, such as %s: \"${%s:-default}\"; environment variables are read there only", name,
		strings.ToUpper(name))
	if near, ok := v.known.Nearest(name); ok {
		hint = diag.Meant("${" + near + "}")
	}
	return "", unsetVariable(name, hint)
}

// inEnvironment looks a name up in the environment, unless vars must not read it: what they
// read is published. An empty variable counts as unset: that is how CI systems pass what they
// do not know.
func (v *variables) inEnvironment(name string) (string, *diag.Diagnostic) {
	if reason, hint := v.refusal(name); reason != "" {
		fault := diag.New(diag.ConfigValue, diag.Span{}, "vars cannot read the environment variable %q: %s", name, reason).
			WithHint(hint)
		return "", &fault
	}
	if v.getenv != nil {
		if value, _ := v.getenv(name); value != "" {
			return value, nil
		}
	}
	return "", unsetVariable(name,
		fmt.Sprintf("set the environment variable %s, or give a default: ${%s:-default}", name, name))
}

func unsetVariable(name, hint string) *diag.Diagnostic {
	d := diag.New(diag.ConfigVariableUnset, diag.Span{}, "variable %q is not set", name).WithHint(hint)
	return &d
}

// reference matches ${NAME}, ${NAME:-default}, the beginning of what should be one, and $${,
// which is a literal ${.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$?\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\})?`)
})

// expand replaces the references in a text.
func (v *variables) expand(n *source.Node, find lookup) string {
	return reference().ReplaceAllStringFunc(n.Text, func(text string) string {
		if literal, is := strings.CutPrefix(text, "$$"); is {
			return "$" + literal
		}
		parts := reference().FindStringSubmatch(text)
		if parts[1] == "" {
			v.fail(n, diag.New(diag.ConfigValue, n.Span, "%s is not a variable reference", diag.Quote(n.Text)).
				WithHint("write ${NAME} or ${NAME:-default}; $${ is a literal ${"))
			return text
		}
		value, fault := find(parts[1])
		switch {
		case fault != nil && fault.Rule == diag.ConfigVariableUnset && parts[2] != "":
			return strings.TrimPrefix(parts[2], ":-")
		case fault != nil:
			v.fail(n, *fault)
			return text
		}
		return v.limited(n, value)
	})
}

// limited returns a value, unless variables make the configuration larger than one may be
// that is written without them. That is reported once.
func (v *variables) limited(n *source.Node, value string) string {
	before := v.expanded
	if v.expanded += len(value); v.expanded <= source.MaxSource {
		return value
	}
	if v.unset[n] = true; before <= source.MaxSource {
		v.fail(n, diag.New(diag.ConfigValue, n.Span,
			"after replacing its variables, the configuration has more than %d bytes, the limit for a source",
			source.MaxSource).WithHint("use the long variables less often"))
	}
	return ""
}

// fail reports a text that cannot be resolved.
func (v *variables) fail(n *source.Node, d diag.Diagnostic) {
	v.unset[n] = true
	d.Span = n.Span
	v.report(d)
}

// checkTexts reports texts for people that a comment seems to cut short, and values that
// are a variable of another tool, which would be published as it stands.
func (v *variables) checkTexts(root *source.Node) {
	for n := range root.All() {
		for _, m := range n.Fields() {
			v.checkText(m.Key, m.Value)
		}
	}
}

func (v *variables) checkText(key string, n *source.Node) {
	prose := slices.Contains([]string{"description", "name", "title", "organization"}, key)
	if n.Cut && key == "description" || n.Glued && prose {
		v.report(diag.New(diag.SourceCommentCut, n.Span, `%q ends before " #", which starts a comment`, key).
			WithHint("put the text in quotes"))
	}
	name := foreignVariable().FindStringSubmatch(n.ScalarText())
	if name != nil && (prose || key == "version" || strings.HasSuffix(strings.ToLower(key), "url")) {
		word := strings.Join(name[1:], "")
		v.fail(n, diag.New(diag.ConfigVariableUnset, n.Span, "%q is %q, a variable that nothing replaces", key, n.Text).
			WithHint(fmt.Sprintf("write ${%s}, and add vars: {%s: \"${%s}\"}", word, word, word)))
	}
}

// foreignVariable matches a text that is a variable as shells, Make, Windows, and
// templates write it.
var foreignVariable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\$(\w+)|\$\((\w+)\)|%(\w+)%|@(\w+)@|\{\{[ .]*(\w+) *\}\}|<%=? *(\w+) *%>)$`)
})
