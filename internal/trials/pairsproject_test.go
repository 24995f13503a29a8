package trials

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"cardwright/internal/fixture"
)

type object = map[string]any

const (
	// private stands in whatever is not to be published: no public file may have it.
	private = "keptprivate"
	// hidden stands in the texts of skills that are not on a public card.
	hidden = "nobodysees"
)

// feature is something that a project can have in several ways. The first value is what a
// project has that does not care.
type feature struct {
	name   string
	values []value
}

// value is one way to have a feature.
type value struct {
	name        string
	agent, site string            // YAML: maps merge, lists grow
	files       map[string]string // by their path from the file that has the agent's keys
	root        map[string]string // by their path from the root
	flags       []string          // of generate, and of what makes the same tree
	apply       func(p *project)  // what these cannot say
	never       []string          // what this one excludes: FEATURE=VALUE, or FEATURE for all but the first
	rule        string            // a project with this value is refused, with a finding of the rule
}

// label is a value in one word.
func (f *feature) label(v int) string {
	return strings.ReplaceAll(f.name+"="+f.values[v].name, " ", "-")
}

func (f *feature) excludes(v int, g *feature, w int) bool {
	never := f.values[v].never
	return slices.Contains(never, g.label(w)) || w > 0 && slices.Contains(never, g.name)
}

// project is what a row makes, before it is written.
type project struct {
	site, agent object
	other       object            // the second agent, nil where there is none
	beside      map[string]string // by their path from the file that has the agent's keys
	files       map[string]string // by their path from the root
	flags       []string

	agentIn, siteIn string // where keys stand: values of the features of these names
	style           string // of text files
	config          string // name of the configuration
}

// build applies the values of a row to what every project has: one agent that reads one
// skill and says where it is.
func build(features []feature, r row) *project {
	p := &project{
		site: parsed("{version: 1, baseUrl: https://agents.acme.example}"),
		agent: parsed("{id: desk, name: Room Desk, description: Books meeting rooms and equipment in every office., " +
			"host: desk.acme.example, skills: {from: [{type: skills, path: skills}]}}"),
		beside: map[string]string{"skills/rooms/SKILL.md": skillFile("rooms", roomsHeader, "The body is "+private+".")},
		files:  map[string]string{"skills-of-nobody/SKILL.md": skillFile("nobody", "", private)},
		config: "cardwright.yaml",
	}
	for f, i := range r {
		v := features[f].values[i]
		p.agent, p.site = merged(p.agent, parsed(v.agent)), merged(p.site, parsed(v.site))
		maps.Copy(p.beside, v.files)
		maps.Copy(p.files, v.root)
		p.flags = append(p.flags, v.flags...)
		if v.apply != nil {
			v.apply(p)
		}
	}
	return p
}

const roomsHeader = "metadata: {a2a-tags: \"rooms, calendar\", " +
	"a2a-examples: \"Book a room for six\\nWhich rooms are free?\"}\n"

func skillFile(name, header, body string) string {
	if !strings.Contains(header, "description:") {
		header = "description: Handles " + name + " for people who ask. Use it when somebody needs " + name + ".\n" + header
	}
	return "---\nname: " + name + "\n" + header + "---\n" + body + "\n"
}

// parsed is a YAML map of the table.
func parsed(text string) object {
	o := object{}
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	return o
}

// merged returns a with all that b says besides: maps merge, lists grow.
func merged(a, b object) object {
	all := maps.Clone(a)
	for k, v := range b {
		switch was := all[k].(type) {
		case object:
			if more, is := v.(object); is {
				v = merged(was, more)
			}
		case []any:
			if more, is := v.([]any); is {
				v = slices.Concat(was, more)
			}
		}
		all[k] = v
	}
	return all
}

// parted moves some keys of a map, and those that are not among them.
func parted(o object, names ...string) (these, others object) {
	these, others = object{}, object{}
	for k, v := range o {
		if slices.Contains(names, k) {
			these[k] = v
		} else {
			others[k] = v
		}
	}
	return these, others
}

// team is the directory of the file of include.
const team = "teams/desk"

// tree returns all files of the project by their path from the root.
func (p *project) tree(t *testing.T) map[string]string {
	t.Helper()
	files, beside := maps.Clone(p.files), "."
	top := p.site
	itself, rest := parted(p.agent, "id", "name", "description", "host", "path")
	essential, _ := parted(p.agent, "id", "name", "description", "host", "path", "interfaces", "version", "skills")
	switch p.agentIn {
	case "defaults":
		top = merged(top, object{"defaults": rest, "agents": []any{itself}})
	case "include", "include's defaults":
		beside = team
		top = merged(top, object{"include": []any{"teams/*/agents.yaml"}})
		included := object{"agents": []any{p.agent}}
		if p.agentIn != "include" {
			included = object{"agents": []any{itself}, "defaults": rest}
		}
		files[team+"/agents.yaml"] = text(t, included)
	case "environment's defaults":
		_, more := parted(rest, "interfaces", "version", "skills")
		top = merged(top, object{
			"agents":       []any{essential},
			"environments": object{"staging": object{"defaults": more}},
		})
	default:
		top = merged(top, object{"agents": []any{p.agent}})
	}
	if p.other != nil {
		top = merged(top, object{"agents": []any{p.other}})
	}
	if p.siteIn == "environment" {
		here, moved := parted(top, "version", "agents", "include", "environments", "defaults")
		top = merged(here, object{"out": "elsewhere", "environments": object{"staging": moved}})
	}
	files[p.config] = "# " + private + ": a comment\n" + text(t, top)
	for name, content := range p.beside {
		files[path.Join(beside, name)] = content
	}
	for name, content := range files {
		files[name] = styled(p.style, name, content)
	}
	return files
}

func text(t *testing.T, o object) string {
	t.Helper()
	data, err := yaml.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// styled is a text as another editor saves it.
func styled(style, name, content string) string {
	switch ext := path.Ext(name); {
	case ext != ".md" && ext != ".yaml" && ext != ".json":
	case style == "CRLF":
		return strings.ReplaceAll(content, "\n", "\r\n")
	case style == "BOM" && ext != ".json":
		return "\ufeff" + content
	case style == "no last newline":
		return strings.TrimSuffix(content, "\n")
	}
	return content
}

// write puts the project into a directory.
func (p *project) write(t *testing.T, dir string) {
	t.Helper()
	for name, content := range p.tree(t) {
		fixture.Write(t, dir, name, content)
	}
}

// out is the output directory of the project, from the root.
func (p *project) out() string {
	if i := slices.Index(p.flags, "--out"); i >= 0 {
		return p.flags[i+1]
	}
	if out, is := p.site["out"].(string); is {
		return out
	}
	if p.siteIn == "environment" {
		return "elsewhere"
	}
	return "dist"
}

// public are the directories that a run of the project writes for everybody.
func (p *project) public() []string {
	if i := slices.Index(p.flags, "--server-dir"); i >= 0 {
		return []string{p.out(), p.flags[i+1]}
	}
	return []string{p.out(), p.out() + ".server"}
}
