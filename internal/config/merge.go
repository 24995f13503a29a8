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
	members := slices.Clone(base.Members)
	for i := range members {
		if m := over.Member(members[i].Key); m != nil {
			members[i] = source.Member{Key: m.Key, KeySpan: m.KeySpan, Value: merge(members[i].Value, m.Value)}
		}
	}
	for _, m := range over.Members {
		if base.Member(m.Key) == nil {
			members = append(members, m)
		}
	}
	return over.WithMembers(members)
}

// mergeEnvironment applies the overrides of an environment to the whole
// configuration, like [merge], except that agents are matched by id.
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
	index := make(map[string]int, len(out.Items)) // the first agent of each id
	note := func(i int) {
		if id := out.Items[i].Get("id").ScalarText(); index[id] == 0 {
			index[id] = i + 1
		}
	}
	for i := range out.Items {
		note(i)
	}
	for _, agent := range over.Items {
		id := agent.Get("id")
		if i := index[id.ScalarText()]; i > 0 && id.Scalar() {
			out.Items[i-1] = merge(out.Items[i-1], agent)
			continue
		}
		out.Items = append(out.Items, agent)
		note(len(out.Items) - 1)
	}
	return &out
}

// with returns the object with one member set. A nil value changes nothing.
func with(n *source.Node, key string, value *source.Node) *source.Node {
	if value == nil {
		return n
	}
	members := slices.Clone(n.Members)
	i := slices.IndexFunc(members, func(m source.Member) bool { return m.Key == key })
	if i < 0 {
		members = append(members, source.Member{Key: key, KeySpan: value.Span})
		i = len(members) - 1
	}
	members[i].Value = value
	return n.WithMembers(members)
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
