package config_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/source"
	"cardwright/schema"
)

// pager writes docs/config.md: a section for each object, in the order in which they are
// first used.
type pager struct {
	docs
	out   strings.Builder
	queue []reflect.Type
}

func page(head string, comments docs) []byte {
	p := &pager{docs: comments, queue: []reflect.Type{reflect.TypeFor[config.File]()}}
	p.out.WriteString(strings.TrimRight(head, "\n") + "\n")
	for done := 0; done < len(p.queue); done++ { //nolint:intrange // sections add to the queue
		p.section(p.queue[done])
	}
	return []byte(p.out.String())
}

// heading is the name of an object as a title.
func heading(t reflect.Type) string {
	if t == reflect.TypeFor[config.File]() {
		return "Top level"
	}
	var out strings.Builder
	for i, r := range t.Name() {
		if i > 0 && r >= 'A' && r <= 'Z' {
			out.WriteString(" " + strings.ToLower(string(r)))
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

func (p *pager) section(t reflect.Type) {
	words, example := p.of(t)
	fmt.Fprintf(&p.out, "\n## %s\n\n%s\n\n", heading(t), words)
	if example != "" {
		fmt.Fprintf(&p.out, "```yaml\n%s\n```\n\n", example)
	}
	p.out.WriteString("| key | type | default | what it does |\n| --- | --- | --- | --- |\n")
	for k := range p.keys(t) {
		p.row(k)
	}
}

func (p *pager) row(k key) {
	otherwise := ""
	switch {
	case k.Tag.Get("default") != "":
		otherwise = "`" + k.Tag.Get("default") + "`"
	case k.Tag.Get("means") != "":
		otherwise = k.Tag.Get("means")
	case k.is("required"):
		otherwise = "required"
	}
	what := k.text
	if kinds := k.words("for"); kinds != nil {
		what = "For " + list(kinds) + ". " + what
	}
	if needs := k.words("needs"); needs != nil {
		what += " Each needs " + list(needs) + "."
	}
	fmt.Fprintf(&p.out, "| `%s` | %s | %s | %s |\n", k.name, p.kind(k, k.Type), otherwise, what)
}

func list(words []string) string { return "`" + strings.Join(words, "`, `") + "`" }

// kind says what type of value a key takes.
func (p *pager) kind(k key, t reflect.Type) string {
	switch {
	case config.Element(t) == reflect.TypeFor[config.Environment]():
		return "map of maps"
	case config.Element(t) == reflect.TypeFor[schema.Flow]():
		return "map of " + p.link(config.Element(t)) + " by " + list(k.enum())
	case k.name == "signing":
		return p.link(t.Elem()) + ", list of them, `false`"
	case k.Tag.Get("keyed") != "":
		return "map of " + p.link(config.Element(t)) + " by " + k.Tag.Get("keyed")
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Map:
		return "list of " + plural(p.kind(k, t.Elem()))
	case t == reflect.TypeFor[*source.Node]():
		return "map"
	case k.is("open"):
		return "map"
	case t.Kind() == reflect.Pointer:
		return p.kind(k, t.Elem())
	case t == reflect.TypeFor[[]schema.Requirement]():
		return "list of maps of lists"
	case t.Kind() == reflect.Map:
		return "map of " + plural(p.kind(k, t.Elem()))
	case config.IsObject(t):
		return p.link(t)
	case config.Element(t).Kind() == reflect.Bool:
		return "true or false"
	case k.is("list"):
		return "list of " + list(k.enum())
	case k.enum() != nil:
		return list(k.enum())
	case k.Tag.Get("type") != "":
		return strings.Join(k.words("type"), " or ")
	}
	return "string"
}

// link names an object, and queues its section.
func (p *pager) link(t reflect.Type) string {
	if !slices.Contains(p.queue, t) {
		p.queue = append(p.queue, t)
	}
	return "[" + strings.ToLower(heading(t)) + "](#" + strings.ReplaceAll(strings.ToLower(heading(t)), " ", "-") + ")"
}

func plural(kind string) string {
	if kind == "string" {
		return "strings"
	}
	return kind
}
