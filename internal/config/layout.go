package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// Dir is the directory of an agent below the root of the output tree, as a
// slash path; "" is the root itself.
func (c *Config) Dir(a *Agent) string {
	switch c.Layout {
	case Path:
		return cmp.Or(a.Path, a.ID)
	case Host:
		return a.Host
	}
	return ""
}

// checkLayout reports agents that would share an id or an output directory.
// Letter case does not tell directories apart on every file system.
func (l *loader) checkLayout(c *Config, root *source.Node) {
	if c.Layout == Single && len(c.Agents) > 1 {
		l.report(diag.New(diag.ConfigValue, root.Get("layout").Span, "layout single is for one agent, but there are %d",
			len(c.Agents)).WithHint("use layout path or host"))
		return
	}
	ids, dirs := map[string]*Agent{}, map[string]*Agent{}
	for i := range c.Agents {
		a := &c.Agents[i]
		if a.ID == "" || !l.checkID(a, ids) {
			continue // the schema reports an agent without an id
		}
		if a.Path != "" && c.Layout != Path {
			l.report(diag.New(diag.ConfigValue, a.at("path"), "the path of agent %q is used with layout path only", a.ID))
		}
		l.checkDirectory(c, a, dirs)
	}
}

// at returns the place of a key of the agent, or of the agent itself without the key.
func (a *Agent) at(key string) diag.Span {
	if n := a.Node.Get(key); n != nil {
		return n.Span
	}
	return a.Node.Span
}

// checkID reports an id that another agent has, and returns false then; and one that
// cannot be a directory.
func (l *loader) checkID(a *Agent, ids map[string]*Agent) bool {
	key, at := strings.ToLower(a.ID), a.at("id")
	if first, taken := ids[key]; taken {
		message := fmt.Sprintf("two agents have the id %q", a.ID)
		if one, other := first.at("id").File, at.File; one != other {
			message = fmt.Sprintf("%s and %s both define the agent %q", one, other, a.ID)
		}
		l.clash(first, "id", diag.New(diag.ConfigValue, at, "%s", message).
			WithHint("give every agent its own id; letter case is ignored"))
		return false
	}
	ids[key] = a
	if files.Device(a.ID) {
		l.report(diag.New(diag.ConfigValue, at,
			"the id %q is the name of a device on Windows and cannot be a directory there", a.ID).
			WithHint("choose another id, such as agent-" + a.ID))
	}
	return true
}

// checkDirectory reports an output directory that another agent has.
func (l *loader) checkDirectory(c *Config, a *Agent, dirs map[string]*Agent) {
	key, dir := "path", files.Fold(c.Dir(a))
	if c.Layout == Host {
		key = "host"
	}
	if c.Layout == Host && a.Host == "" {
		l.report(diag.New(diag.ConfigValue, a.Node.Span, "agent %q has no host, which layout host needs", a.ID).
			WithHint("add host: " + a.ID + ".example.com, or use layout path"))
		return
	}
	if a.Host != "" && c.Layout != Host && !slices.ContainsFunc(c.Node.Get("environments").Fields(),
		func(m source.Member) bool { return m.Value.Get("layout").ScalarText() == string(Host) }) {
		l.report(diag.New(diag.ConfigValue, a.at("host"),
			"the host of agent %q is ignored: the layout is %s", a.ID, c.Layout).
			WithSeverity(diag.Warning).WithHint("set layout: host, or remove host"))
	}
	if c.Layout == Single {
		return
	}
	if first, taken := dirs[dir]; taken {
		l.clash(first, key, diag.New(diag.ConfigValue, a.at(key), "agents %q and %q have one directory, %s", first.ID, a.ID,
			c.Dir(a)).WithHint("give one of them another "+key))
		return
	}
	dirs[dir] = a
}

// clash reports what two agents cannot both have.
func (l *loader) clash(first *Agent, key string, d diag.Diagnostic) {
	l.report(d.WithRelated(diag.Related{Span: first.at(key), Message: "first used here"}))
}

// URL is where a file of the output tree will be found, "" when that is unknown.
func (c *Config) URL(file string) string {
	switch {
	case c.Layout == Host:
		return "https://" + file
	case c.BaseURL != "":
		return c.BaseURL + "/" + file
	}
	return ""
}
