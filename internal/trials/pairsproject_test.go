package trials

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// object is a map of the configuration.
type object = map[string]any

// list is a list of the configuration.
type list = []any

const (
	// private stands in whatever is not to be published: no public file may have it.
	private = "keptprivate"
	// hidden stands in the texts of skills that are nobody's business: no finding may
	// have it either.
	hidden = "nobodysees"
)

// project is what a row makes, before it is written.
type project struct {
	site  object // keys of the top level
	agent object // keys of the first agent
	other object // keys of the second agent, nil where there is none
	third object // an agent in a file of include, nil where there is none

	beside map[string]string // files by their path from the file that has the agent's keys
	files  map[string]string // files by their path from the root
	links  map[string]string // links by their path from the file that has the agent's keys
	flags  []string          // of generate, and of what makes the same tree

	agentIn string // where the agent's keys stand: one of the values of the feature "agent in"
	siteIn  string // where the keys of the site stand
	style   string // of text files
	config  string // name of the configuration
}

// lookup returns the value below keys, and makes the maps on the way.
func lookup(o object, keys ...string) object {
	for _, k := range keys {
		next, ok := o[k].(object)
		if !ok {
			next = object{}
			o[k] = next
		}
		o = next
	}
	return o
}

// add appends to the list at a key.
func add(o object, key string, values ...any) {
	l, _ := o[key].(list)
	o[key] = append(slices.Clone(l), values...)
}

// skills is the agent's key skills.
func (p *project) skills() object { return lookup(p.agent, "skills") }

// from adds a source and its files to the agent.
func (p *project) from(source object, files map[string]string) {
	add(p.skills(), "from", source)
	maps.Copy(p.beside, files)
}

// skill adds a SKILL.md below skills.
func (p *project) skill(name, header, body string) {
	p.beside["skills/"+name+"/SKILL.md"] = skillFile(name, header, body)
}

func skillFile(name, header, body string) string {
	if !strings.Contains(header, "description:") {
		header = "description: Handles " + name + " for people who ask. Use it when somebody needs " + name + ".\n" + header
	}
	return "---\nname: " + name + "\n" + header + "---\n" + body + "\n"
}

// newProject is what every project has: one agent that reads one skill and says where
// it is.
func newProject() *project {
	p := &project{
		site: object{"version": 1, "baseUrl": "https://agents.acme.example"},
		agent: object{
			"id": "desk", "name": "Room Desk", "description": "Books meeting rooms and equipment in every office.",
			"host": "desk.acme.example",
		},
		beside: map[string]string{}, files: map[string]string{}, links: map[string]string{},
		agentIn: "agents", siteIn: "config", style: "plain", config: "cardwright.yaml",
	}
	p.skill("rooms",
		"metadata: {a2a-tags: \"rooms, calendar\", a2a-examples: \"Book a room for six\\nWhich rooms are free?\"}\n",
		"The body of a skill is "+private+".")
	p.from(object{"type": "skills", "path": "skills"}, nil)
	p.files["skills-of-nobody/SKILL.md"] = skillFile("nobody", "", private)
	return p
}

// build applies the values of a row. The features that say where keys stand come last.
func build(features []feature, r row) *project {
	p := newProject()
	for f, v := range r {
		if apply := features[f].values[v].apply; apply != nil {
			apply(p)
		}
	}
	return p
}

// own are the keys that only the agent itself has, wherever the others stand.
func own(key string) bool {
	return slices.Contains([]string{"id", "name", "description", "host", "path"}, key)
}

// split moves all keys of the agent that it need not have itself.
func split(agent object) (itself, rest object) {
	itself, rest = object{}, object{}
	for k, v := range agent {
		if own(k) {
			itself[k] = v
		} else {
			rest[k] = v
		}
	}
	return itself, rest
}

// team is the directory of the file of include.
const team = "teams/desk"

// tree returns all files of the project and where its links lead.
func (p *project) tree(t *testing.T) (files, links map[string]string) {
	t.Helper()
	files, links = maps.Clone(p.files), map[string]string{}
	site := maps.Clone(p.site)
	agents := list{}
	beside := "."
	itself, rest := split(p.agent)
	switch p.agentIn {
	case "agents":
		agents = append(agents, p.agent)
	case "defaults":
		site["defaults"], agents = merged(site["defaults"], rest), append(agents, itself)
	case "environment":
		lookup(site, "environments", "staging")["agents"] = list{merged(object{"id": itself["id"]}, rest)}
		agents = append(agents, merged(itself, essential(rest)))
	case "environment's defaults":
		lookup(site, "environments", "staging")["defaults"] = rest
		agents = append(agents, merged(itself, essential(rest)))
	case "include":
		beside = team
		files[team+"/agents.yaml"] = text(t, object{"agents": list{p.agent}})
	case "include's defaults":
		beside = team
		files[team+"/agents.yaml"] = text(t, object{"defaults": rest, "agents": list{itself}})
	default:
		t.Fatalf("keys of the agent in %q", p.agentIn)
	}
	if beside != "." {
		// A team signs with a variable that the configuration shares.
		add(site, "include", object{"files": team + "/agents.yaml", "reads": list{"env:PAIRS_KEY", "env:PAIRS_UNSET"}})
	}
	if p.other != nil {
		agents = append(agents, p.other)
	}
	if p.third != nil {
		shared := path.Join(beside, "skills")
		third := merged(p.third, object{"skills": object{"from": list{object{"type": "skills", "path": "../../" + shared}}}})
		files["teams/finance/agents.yaml"] = text(t, object{"agents": list{third}})
		add(site, "include", object{"files": "teams/finance/agents.yaml", "reads": list{shared}})
	}
	for name, content := range p.beside {
		files[path.Join(beside, name)] = content
	}
	for name, to := range p.links {
		links[path.Join(beside, name)] = to
	}
	if len(agents) > 0 {
		site["agents"] = agents
	}
	p.writeSite(t, site, files)
	for name, content := range files {
		files[name] = styled(p.style, name, content)
	}
	return files, links
}

// essential are the keys without which the agent is none outside its environment.
func essential(rest object) object {
	return object{"interfaces": rest["interfaces"], "version": rest["version"], "skills": rest["skills"]}
}

func merged(maps ...any) object {
	all := object{}
	for _, m := range maps {
		o, _ := m.(object)
		for k, v := range o {
			if v != nil {
				all[k] = v
			}
		}
	}
	return all
}

// writeSite writes the keys of the top level to where they are to stand.
func (p *project) writeSite(t *testing.T, site object, files map[string]string) {
	t.Helper()
	// What only the configuration itself may have.
	here := object{}
	move := func(keys ...string) {
		for _, k := range keys {
			if v, has := site[k]; has {
				here[k] = v
				delete(site, k)
			}
		}
	}
	switch p.siteIn {
	case "config":
		here = site
	case "extends":
		move("agents", "include", "environments")
		here["version"], here["extends"] = 1, "platform/base.yaml"
		files["platform/base.yaml"] = text(t, rebased(site))
	case "environment":
		move("version", "agents", "include", "environments", "extends")
		staging := lookup(here, "environments", "staging")
		if all := merged(site["defaults"], staging["defaults"]); len(all) > 0 {
			site["defaults"] = all
		}
		maps.Copy(staging, site)
		here["out"] = "elsewhere"
	default:
		t.Fatalf("keys of the site in %q", p.siteIn)
	}
	files[p.config] = "# " + private + ": a comment\n" + text(t, here)
}

// rebased turns the paths of a site into paths from platform/.
func rebased(site object) object {
	return rebase(site, "../").(object) //nolint:errcheck // as it went in
}

// rebase copies a value, with a prefix before each path in it.
func rebase(v any, prefix string) any {
	switch v := v.(type) {
	case object:
		o := object{}
		for k, e := range v {
			s, is := e.(string)
			switch {
			case is && (k == "schema" || k == "tools" || k == "path" && v["type"] != nil):
				o[k] = prefix + s
			case is && k == "key" && strings.HasPrefix(s, "file:"):
				o[k] = "file:" + prefix + strings.TrimPrefix(s, "file:")
			case k == "publish" && v["key"] != nil || k == "list":
				var files list
				for _, f := range e.(list) { //nolint:errcheck // of the table
					files = append(files, prefix+f.(string)) //nolint:errcheck // of the table
				}
				o[k] = files
			default:
				o[k] = rebase(e, prefix)
			}
		}
		return o
	case list:
		l := make(list, len(v))
		for i, e := range v {
			l[i] = rebase(e, prefix)
		}
		return l
	}
	return v
}

// text is a file of the configuration.
func text(t *testing.T, o object) string {
	t.Helper()
	var b strings.Builder
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// styled is a text as another editor saves it.
func styled(style, name, content string) string {
	if ext := path.Ext(name); ext != ".md" && ext != ".yaml" && ext != ".yml" && ext != ".json" {
		return content
	}
	switch style {
	case "CRLF":
		return strings.ReplaceAll(content, "\n", "\r\n")
	case "BOM":
		if path.Ext(name) != ".json" {
			return "\ufeff" + content
		}
	case "no last newline":
		return strings.TrimSuffix(content, "\n")
	}
	return content
}

// write puts the project into a directory: in one order, or the other way round.
func (p *project) write(t *testing.T, dir string, backwards bool) {
	t.Helper()
	files, links := p.tree(t)
	names := slices.Sorted(maps.Keys(files))
	if backwards {
		slices.Reverse(names)
	}
	for _, name := range names {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), files[name])
	}
	for name, to := range links {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.FromSlash(to), file); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
	}
}

func writeFile(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	mode := os.FileMode(0o644)
	if strings.HasSuffix(file, ".pem") {
		mode = 0o600
	}
	if err := os.WriteFile(file, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}
