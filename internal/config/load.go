package config

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Options is what the command line adds to a configuration.
type Options struct {
	File        string                           // shown in findings
	Getenv      func(name string) (string, bool) // the environment, for vars only
	Environment string                           // --env
	BaseURL     string                           // --base-url
	Set         []string                         // --set KEY=VALUE, for every agent
	Files       *Files                           // where include leads, nil for nowhere
}

// loader carries what the steps of one loading share.
type loader struct {
	Options
	included  *included
	found     diag.List
	unset     map[*source.Node]bool // texts with an unresolved variable
	ids       []string              // of the agents
	ruleNames *diag.Words
}

// Load reads a configuration. All its faults are found in one go; the Config
// is as complete as they allow, nil when there is nothing to go on with.
func Load(data []byte, o Options) (*Config, diag.List) {
	root, found := parse(o.File, data)
	if root == nil || found.Worst() == diag.Error {
		return nil, found
	}
	l := &loader{
		Options: o, found: found, unset: map[*source.Node]bool{}, ruleNames: diag.Among(diag.RuleNames()),
	}
	return l.load(root)
}

// parse reads a file of the configuration. JSON is YAML but for what yaml.v3 does not
// read, such as surrogate pairs.
func parse(file string, data []byte) (*source.Node, diag.List) {
	root, found := source.ParseYAML(file, data, diag.ConfigValue)
	if root == nil {
		if json, faults := source.ParseJSONUpTo(file, data, source.MaxSource); faults == nil {
			return json, nil
		}
	}
	return root, found
}

func (l *loader) load(root *source.Node) (*Config, diag.List) {
	if root.Kind != source.Object {
		what := "empty"
		if root.Kind != source.Null {
			what = source.Article(root.Kind.String())
		}
		l.report(diag.New(diag.ConfigValue, root.Span, "the configuration is %s, must be an object", what).
			WithHint("begin with version: 1, or delete the file and run cardwright init"))
		return nil, l.found
	}
	l.included = &included{
		Files: l.Files, main: l.File, root: root, report: l.report,
		names: []string{l.File}, dirs: map[string]string{}, left: copies * source.MaxSource,
	}
	root = l.included.agents()
	v := variables{getenv: l.Getenv, keys: signingKeys(root, l.Set), report: l.report, unset: l.unset}
	root = v.resolve(root, l.Environment)
	v.checkTexts(root)
	l.included.rebase(root.Get("agents"), l.unset)
	for _, agent := range root.Get("agents").Elements() {
		l.ids = append(l.ids, agent.Get("id").ScalarText())
	}
	l.validate(root, false)
	words := diag.Among([]string{"agents", "include"})
	misspelt := func(m source.Member) bool { _, near := words.Nearest(m.Key); return near }
	if root.Get("agents") == nil && root.Get("include") == nil && !slices.ContainsFunc(root.Members, misspelt) {
		l.report(diag.New(diag.ConfigValue, root.Span, `the configuration has no "agents"`))
	}
	alone := root
	root = l.environment(root)
	if l.BaseURL != "" {
		root = with(root, "baseUrl", text("--base-url", l.BaseURL))
	}
	agents := l.agents(root)
	if len(agents) > 0 && (root != alone || !slices.Equal(agents, root.Get("agents").Items)) {
		all := &source.Node{Kind: source.Array, Items: agents, Span: root.Get("agents").Span}
		l.validate(with(root, "agents", all), true)
	}
	config := l.decode(root, agents)
	return config, l.once()
}

// environment applies the overrides of the chosen environment.
func (l *loader) environment(root *source.Node) *source.Node {
	if l.Environment == "" {
		return root
	}
	environments := root.Get("environments")
	env := environments.Get(l.Environment)
	if env == nil {
		var known []string
		for _, m := range environments.Fields() {
			known = append(known, m.Key)
		}
		hint := "the configuration has no environments"
		if len(known) > 0 {
			hint = diag.Hint(l.Environment, known, "known: "+strings.Join(known, ", "))
		}
		l.report(diag.New(diag.ConfigValue, diag.Span{File: "--env"}, "unknown environment %q", l.Environment).WithHint(hint))
		return root
	}
	if strings.ContainsFunc(l.Environment, diag.Invisible) {
		l.report(diag.New(diag.ConfigValue, environments.Member(l.Environment).KeySpan,
			"the name of the environment %q has invisible characters", l.Environment))
	}
	if env.Kind != source.Object {
		return root
	}
	return mergeEnvironment(root, env)
}

// agents merges defaults and --set into every agent.
func (l *loader) agents(root *source.Node) []*source.Node {
	list := root.Get("agents")
	if !list.Is(source.Array) {
		return nil
	}
	defaults := root.Get("defaults")
	if !defaults.Is(source.Object) {
		defaults = nil
	}
	var out []*source.Node
	room := copies * source.MaxSource
	for _, own := range list.Items {
		if own.Kind != source.Object {
			continue // the schema reports it
		}
		agent := merge(defaults, own)
		for _, assignment := range l.Set {
			agent = l.set(agent, assignment)
		}
		if room -= schema.Size(agent); room < 0 {
			l.tooMuch(list, copies*source.MaxSource)
			return nil
		}
		out = append(out, agent)
	}
	return out
}

// copies is how much larger than a source all agents together may be: defaults
// count once for each of them, and what is nested is indented.
const copies = 32

// tooMuch reports agents that hold more than so many bytes.
func (l *loader) tooMuch(agents *source.Node, most int) {
	l.report(diag.New(diag.ConfigValue,
		agents.Span, "the agents with their defaults make cards of more than %d bytes, %d times the limit for a source", most,
		copies).
		WithPointer("/agents").
		WithHint("move defaults to the agents that need them, or nest values less"))
}

// set applies one KEY=VALUE of --set. KEY is an agent key, with dots for the
// keys below it; "url" belongs to the preferred interface.
func (l *loader) set(agent *source.Node, assignment string) *source.Node {
	key, value, ok := strings.Cut(assignment, "=")
	if !ok || key == "" {
		l.report(diag.New(diag.ConfigValue, diag.Span{File: "--set"}, "%q is not KEY=VALUE", assignment).
			WithHint("for example --set version=1.4.0"))
		return agent
	}
	flag := "--set " + key
	node := flagValue(flag, value)
	if key != "url" {
		return withPath(agent, strings.Split(key, "."), node)
	}
	interfaces := agent.Get("interfaces")
	if !interfaces.Is(source.Array) || len(interfaces.Items) == 0 {
		preferred := with(&source.Node{Kind: source.Object, Span: node.Span}, "url", node)
		return with(agent, "interfaces", &source.Node{Kind: source.Array, Span: node.Span, Items: []*source.Node{preferred}})
	}
	all := *interfaces
	all.Items = slices.Clone(interfaces.Items)
	all.Items[0] = with(all.Items[0], "url", node)
	return with(agent, "interfaces", &all)
}

// flagValue reads the VALUE of --set: a list, an object and a text in quotes as the
// configuration would, a list also without its quotes, true, false, else a text.
func flagValue(flag, value string) *source.Node {
	span := diag.Span{File: flag}
	if len(value) > 1 && slices.Contains([]string{"[]", "{}", `""`}, value[:1]+value[len(value)-1:]) {
		if read, _ := source.ParseYAML(flag, []byte(value), diag.ConfigValue); read != nil {
			for n := range read.All() {
				n.Span = span
				for i := range n.Members {
					n.Members[i].KeySpan = span
				}
			}
			return read
		}
	}
	if inner, ok := strings.CutPrefix(value, "["); ok && strings.HasSuffix(inner, "]") {
		var items []string
		for item := range strings.SplitSeq(strings.TrimSuffix(inner, "]"), ",") {
			items = append(items, strings.TrimSpace(item))
		}
		return list(flag, items)
	}
	if value == "true" || value == "false" {
		return &source.Node{Kind: source.Bool, Text: value, Span: span}
	}
	return text(flag, value)
}

func text(file, value string) *source.Node {
	return &source.Node{Kind: source.String, Text: value, Span: diag.Span{File: file}}
}

func list(file string, values []string) *source.Node {
	out := &source.Node{Kind: source.Array, Span: diag.Span{File: file}}
	for _, v := range values {
		out.Items = append(out.Items, text(file, v))
	}
	return out
}

// report adds a finding; every fault of a configuration is an error. Its pointer
// leads into the file that it is about.
func (l *loader) report(d diag.Diagnostic) {
	if rest, ok := strings.CutPrefix(d.Pointer, "/agents/"); ok {
		index, below, nested := strings.Cut(rest, "/")
		if i, err := strconv.Atoi(index); err == nil && i < len(l.ids) && len(l.ids) > 1 && d.Agent == "" {
			d.Agent = l.ids[i]
		}
		if i, err := strconv.Atoi(index); err == nil && i < len(l.included.local) {
			local := strconv.Itoa(l.included.local[i])
			d.Pointer = "/agents/" + local
			d.Message = strings.ReplaceAll(d.Message, `"agents[`+index+`]"`, `"agents[`+local+`]"`)
			if nested {
				d.Pointer += "/" + below
			}
		}
	}
	d.Severity = cmp.Or(d.Severity, diag.Error)
	l.found = append(l.found, d)
}

// once returns the findings, each place and message only once: a fault in
// defaults shows in every agent that inherits it.
func (l *loader) once() diag.List {
	type key struct {
		span    diag.Span
		message string
	}
	seen := map[key]bool{}
	out := slices.DeleteFunc(l.found.Named().Sorted(), func(d diag.Diagnostic) bool {
		k := key{d.Span, d.Message}
		if seen[k] {
			return true
		}
		seen[k] = true
		return false
	})
	return out
}

// FileNames are what a configuration is called, the first one first. JSON is YAML.
func FileNames() []string { return []string{"cardwright.yaml", "cardwright.yml", "cardwright.json"} }
