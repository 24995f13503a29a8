package config

import (
	"path"
	"strings"

	"cardwright/internal/source"
)

// pathKey is a key whose value is a path, * stands for the entries of a list.
type pathKey struct {
	key    string
	prefix string // before the path, without which the value is none
}

// agentPaths are the keys of agents, and of their defaults, that hold paths. A
// path is relative to the file that it stands in.
func agentPaths() []pathKey {
	return []pathKey{
		{key: "skills/from/*/path"},
		{key: "signing/key", prefix: "file:"},
		{key: "signing/*/key", prefix: "file:"},
		{key: "signing/publish/*"},
		{key: "signing/*/publish/*"},
		{key: "policies/*/schema"},
	}
}

// rootPaths are the keys of the configuration that hold paths to files which are
// read. What a run writes is relative to the configuration that it is given.
func rootPaths() []pathKey {
	return []pathKey{{key: "policies/*/schema"}, {key: "accept"}, {key: "mcp/*/tools"}, {key: "list/*"}}
}

// rebase makes the paths that stand in other files relative to the
// configuration. Nothing but this run knows the nodes yet.
func (l *loader) rebase(root *source.Node) {
	if len(l.names) < 2 {
		return
	}
	all := []*source.Node{root}
	for _, m := range root.Get("environments").Fields() {
		all = append(all, m.Value)
	}
	for _, n := range all {
		l.rebaseKeys(n, rootPaths())
		l.rebaseKeys(n.Get("defaults"), agentPaths())
		for _, agent := range n.Get("agents").Elements() {
			l.rebaseKeys(agent, agentPaths())
		}
	}
}

func (l *loader) rebaseKeys(n *source.Node, keys []pathKey) {
	for _, k := range keys {
		each(n, strings.Split(k.key, "/"), func(value *source.Node) { l.rebasePath(value, k.prefix) })
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

func (l *loader) rebasePath(n *source.Node, prefix string) {
	dir, known := l.dirs[n.Span.File]
	name, holds := strings.CutPrefix(n.Text, prefix)
	if !known || !holds || n.Span.File == l.File || l.unset[n] || name == "" || path.IsAbs(name) ||
		strings.Contains(name, `\`) {
		return
	}
	l.checkReach(n, name)
	n.Text = prefix + relative(path.Dir(l.Files.Name), path.Join(dir, name))
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
