package config

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/internal/tree"
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
	span := func(a *Agent, key string) diag.Span {
		if n := a.Node.Get(key); n != nil {
			return n.Span
		}
		return a.Node.Span
	}
	if c.Layout == Single && len(c.Agents) > 1 {
		l.report(diag.New("config-value", root.Get("layout").Span, "layout single is for one agent, but there are %d",
			len(c.Agents)).WithHint("use layout path or host"))
		return
	}
	ids, dirs := map[string]*Agent{}, map[string]*Agent{}
	for i := range c.Agents {
		a := &c.Agents[i]
		if a.ID == "" {
			continue // the schema reports it
		}
		if first, ok := ids[strings.ToLower(a.ID)]; ok {
			message := fmt.Sprintf("two agents have the id %q", a.ID)
			if one, other := span(first, "id").File, span(a, "id").File; one != other {
				message = fmt.Sprintf("%s and %s both define the agent %q", one, other, a.ID)
			}
			l.report(diag.New("config-value", span(a, "id"), "%s", message).
				WithHint("give every agent its own id; letter case is ignored").
				WithRelated(diag.Related{Span: span(first, "id"), Message: "first used here"}))
			continue
		}
		ids[strings.ToLower(a.ID)] = a
		if tree.Device(a.ID) {
			l.report(diag.New("config-value", span(a, "id"),
				"the id %q is the name of a device on Windows and cannot be a directory there", a.ID).
				WithHint("choose another id, such as agent-" + a.ID))
		}
		if a.Path != "" {
			l.checkPath(c, a, span(a, "path"))
		}
		if c.Layout == Path {
			if first, ok := dirs[tree.Fold(c.Dir(a))]; ok {
				at := span(a, "path")
				l.report(diag.New("config-value", at, "agents %q and %q have one directory, %s", first.ID, a.ID, c.Dir(a)).
					WithHint("give one of them another path").WithRelated(diag.Related{
					Span:    span(first, "path"),
					Message: "the other one",
				}))
				continue
			}
			dirs[tree.Fold(c.Dir(a))] = a
		}
		if c.Layout != Host {
			continue
		}
		if a.Host == "" {
			l.report(diag.New("config-value", a.Node.Span, "agent %q has no host, which layout host needs", a.ID).
				WithHint("add host: " + a.ID + ".example.com, or use layout path"))
			continue
		}
		if first, ok := dirs[a.Host]; ok {
			l.report(diag.New("config-value", span(a, "host"), "agents %q and %q have the same output path, %s", first.ID, a.ID,
				a.Host).WithHint("give every agent its own host, or use layout path").
				WithRelated(diag.Related{Span: span(first, "host"), Message: "first used here"}))
			continue
		}
		dirs[a.Host] = a
	}
}

// mostLevels is how many directories the path of an agent may have.
const mostLevels = 8

// checkPath reports a directory that an agent cannot have.
func (l *loader) checkPath(c *Config, a *Agent, at diag.Span) {
	fault := tree.PathFault(a.Path)
	unsafe := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && (r < '0' || r > '9') && !strings.ContainsRune("/._-", r)
	}
	switch {
	case c.Layout != Path:
		fault = "is used with layout path only"
	case fault != "":
	case strings.ContainsFunc(a.Path, unsafe):
		fault = "must have only letters, digits, dots, hyphens and underscores"
	case strings.HasPrefix(a.Path, ".") || strings.Contains(a.Path, "/."):
		fault = "has an element that begins with a dot, which servers hide"
	case strings.Count(a.Path, "/") >= mostLevels:
		fault = fmt.Sprintf("has more than %d elements", mostLevels)
	}
	if fault != "" {
		l.report(diag.New("config-value", at, "the path %s of agent %q %s", diag.Quote(a.Path), a.ID, fault).
			WithHint("use a directory below the output directory, such as teams/" + a.ID))
	}
}

func intOf(n *source.Node) int {
	if !n.Is(source.Number) {
		return 0
	}
	i, err := strconv.Atoi(n.Text)
	if err != nil {
		return 0
	}
	return i
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
