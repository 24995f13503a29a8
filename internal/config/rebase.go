package config

import (
	"path"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// agentPaths are the keys of an agent that hold paths; * stands for the entries of a list.
// A path is relative to the file that it stands in.
func agentPaths() []string {
	return []string{"skills/from/*/path"}
}

// rebase makes the paths that stand in included files relative to the configuration.
// Nothing but this run knows the nodes yet.
func (l *loader) rebase(root *source.Node) {
	if len(l.names) < 2 {
		return
	}
	for _, agent := range root.Get("agents").Elements() {
		for _, keys := range agentPaths() {
			each(agent, strings.Split(keys, "/"), l.rebasePath)
		}
	}
}

// each calls use for every text that keys lead to.
func each(n *source.Node, keys []string, use func(*source.Node)) {
	switch {
	case n == nil:
	case len(keys) == 0:
		if n.Kind == source.String {
			use(n)
		}
	case keys[0] == "*":
		for _, item := range n.Elements() {
			each(item, keys[1:], use)
		}
	case n.Kind == source.Object:
		each(n.Get(keys[0]), keys[1:], use)
	}
}

// rebasePath makes a path of an included file relative to the configuration. It must
// stay in the directory of its file.
func (l *loader) rebasePath(n *source.Node) {
	dir, known := l.dirs[n.Span.File]
	if !known || n.Span.File == l.File || l.unset[n] || n.Text == "" || path.IsAbs(n.Text) ||
		strings.Contains(n.Text, `\`) {
		return // opening it reports what is wrong
	}
	if full := path.Clean(n.Text); full == ".." || strings.HasPrefix(full, "../") {
		l.report(diag.New(diag.ConfigValue, n.Span, "%s leads out of the directory of this included file",
			diag.Quote(n.Text)).WithHint("move the agent to " + l.File))
		return
	}
	n.Text = relative(path.Dir(l.Files.Name), path.Join(dir, n.Text))
}

// relative returns the path of a file seen from a directory. Both are relative to
// the same place, and clean.
func relative(dir, name string) string {
	from, to := elements(dir), elements(name)
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] && from[0] != ".." {
		from, to = from[1:], to[1:]
	}
	return path.Join(strings.Repeat("../", len(from)), strings.Join(to, "/"))
}

func elements(name string) []string {
	if name == "." || name == "" {
		return nil
	}
	return strings.Split(name, "/")
}
