package config

import (
	"slices"

	"cardwright/internal/source"
)

// merge lays over on base: objects member by member, anything else replaced.
// Every node keeps its own place.
func merge(base, over *source.Node) *source.Node {
	switch {
	case base == nil:
		return over
	case over == nil:
		return base
	case base.Kind != source.Object || over.Kind != source.Object:
		return over
	}
	out := *over
	out.Members = slices.Clone(base.Members)
	for _, m := range over.Members {
		if old := out.Member(m.Key); old != nil {
			*old = source.Member{Key: m.Key, KeySpan: m.KeySpan, Value: merge(old.Value, m.Value)}
			continue
		}
		out.Members = append(out.Members, m)
	}
	return &out
}

// mergeEnvironment lays an environment over the whole configuration: as
// [merge] does, but for agents, which are matched by id.
func mergeEnvironment(root, env *source.Node) *source.Node {
	agents := mergeAgents(root.Get("agents"), env.Get("agents"))
	return with(merge(root, env), "agents", agents)
}

func mergeAgents(base, over *source.Node) *source.Node {
	if !base.Is(source.Array) || !over.Is(source.Array) {
		return merge(base, over)
	}
	out := *base
	out.Items = slices.Clone(base.Items)
	for _, agent := range over.Items {
		same := func(n *source.Node) bool {
			return agent.Get("id").Scalar() && textOf(n.Get("id")) == textOf(agent.Get("id"))
		}
		if i := slices.IndexFunc(out.Items, same); i >= 0 {
			out.Items[i] = merge(out.Items[i], agent)
			continue
		}
		out.Items = append(out.Items, agent)
	}
	return &out
}

// with returns the object with one member set. A nil value changes nothing.
func with(n *source.Node, key string, value *source.Node) *source.Node {
	if value == nil {
		return n
	}
	out := *n
	out.Members = slices.Clone(n.Members)
	if m := out.Member(key); m != nil {
		m.Value = value
		return &out
	}
	out.Members = append(out.Members, source.Member{Key: key, KeySpan: value.Span, Value: value})
	return &out
}

// withPath returns the object with the value at a path of member names set,
// making objects on the way.
func withPath(n *source.Node, path []string, value *source.Node) *source.Node {
	if len(path) == 0 {
		return value
	}
	child := n.Get(path[0])
	if !child.Is(source.Object) && len(path) > 1 {
		child = &source.Node{Kind: source.Object, Span: value.Span}
	}
	return with(n, path[0], withPath(child, path[1:], value))
}

func textOf(n *source.Node) string {
	if n.Scalar() {
		return n.Text
	}
	return ""
}
