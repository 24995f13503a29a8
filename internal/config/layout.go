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
		if a.Path != "" {
			l.checkPath(c, a, a.at("path"))
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
		l.clash(first, "id", "first used here", diag.New(diag.ConfigValue, at, "%s", message).
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
	key, message, hint, related := "path", "agents %q and %q have one directory, %s", "give one of them another path",
		"the other one"
	dir := files.Fold(c.Dir(a))
	switch c.Layout {
	case Path:
	case Host:
		if a.Host == "" {
			l.report(diag.New(diag.ConfigValue, a.Node.Span, "agent %q has no host, which layout host needs", a.ID).
				WithHint("add host: " + a.ID + ".example.com, or use layout path"))
			return
		}
		key, message, hint, related = "host", "agents %q and %q have the same output path, %s",
			"give every agent its own host, or use layout path", "first used here"
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
		l.clash(first, key, related, diag.New(diag.ConfigValue, a.at(key), message, first.ID, a.ID, c.Dir(a)).WithHint(hint))
		return
	}
	dirs[dir] = a
}

// clash reports what two agents cannot both have.
func (l *loader) clash(first *Agent, key, related string, d diag.Diagnostic) {
	l.report(d.WithRelated(diag.Related{Span: first.at(key), Message: related}))
}

// mostLevels is how many directories the path of an agent may have.
const mostLevels = 8

// checkPath reports a directory that an agent cannot have.
func (l *loader) checkPath(c *Config, a *Agent, at diag.Span) {
	fault := dirFault(a.Path)
	if c.Layout != Path {
		fault = "is used with layout path only"
	}
	if fault != "" {
		l.report(diag.New(diag.ConfigValue, at, "the path %s of agent %q %s", diag.Quote(a.Path), a.ID, fault).
			WithHint("use a directory below the output directory, such as teams/" + a.ID))
	}
}

// dirFault says why an agent cannot have a directory, "" where it can.
func dirFault(dir string) string {
	unsafe := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && (r < '0' || r > '9') && !strings.ContainsRune("/._-", r)
	}
	switch fault := files.PathFault(dir); {
	case fault != "":
		return fault
	case strings.ContainsFunc(dir, unsafe):
		return "must have only letters, digits, dots, hyphens and underscores"
	case strings.HasPrefix(dir, ".") || strings.Contains(dir, "/."):
		return "has an element that begins with a dot, which servers hide"
	case strings.Count(dir, "/") >= mostLevels:
		return fmt.Sprintf("has more than %d elements", mostLevels)
	}
	return ""
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
