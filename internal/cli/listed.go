package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/catalog"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/publish"
	"cardwright/internal/source"
	"cardwright/schema"
)

// perCard holds the values of a flag FILE=VALUE.
type perCard map[string]*cardValue

// cardValue is what a flag says of one card.
type cardValue struct {
	value string
	used  bool
}

func parsePerCard(flag, what string, assignments []string) (perCard, error) {
	values := perCard{}
	for _, s := range assignments {
		file, value, ok := strings.Cut(s, "=")
		if !ok || file == "" || value == "" {
			return nil, usageError(fmt.Sprintf("%s FILE=%s", flag, what), "%s %s does not say which card it is about", flag, diag.Quote(s))
		}
		file = path.Clean(filepath.ToSlash(file))
		if first := values[file]; first != nil && first.value != value {
			return nil, usageError("leave one of them away", "%s says both %s and %s of %s", flag, diag.Quote(first.value), diag.Quote(value), diag.Quote(file))
		}
		values[file] = &cardValue{value: value}
	}
	return values, nil
}

// of returns the value for a card, "" when there is none.
func (p perCard) of(c cardFile) string {
	v := p[path.Clean(filepath.ToSlash(c.name))]
	if v == nil {
		return ""
	}
	v.used = true
	return v.value
}

// unused is the first card of the flag that was not found, "" when there is none.
func (p perCard) unused() string {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		if !p[name].used {
			return name
		}
	}
	return ""
}

// listed reads the cards that were named, as agents of a catalogue.
func (a *app) listed(p *project, o *catalogOptions, names []string) ([]catalog.Agent, diag.List) {
	var cards []cardFile
	var found diag.List
	seen := map[string]bool{}
	for _, name := range names {
		files, faults := a.findCards(p, name, o.limits)
		found = append(found, faults...)
		for _, f := range files {
			if !seen[f.file()] {
				cards = append(cards, f)
			}
			seen[f.file()] = true
		}
	}
	var agents []catalog.Agent
	taken := map[string]catalog.Agent{}
	for _, c := range cards {
		if d, ok := leftOut(c, cards); ok {
			found = append(found, d)
			continue
		}
		agent, faults := o.agent(c)
		if found = append(found, faults...); agent == nil {
			continue
		}
		key := agent.Publisher + " " + agent.ID + " " + agent.Card.Version
		if first, ok := taken[key]; ok {
			found = append(found, twice(first, *agent))
			continue
		}
		taken[key] = *agent
		agents = append(agents, *agent)
	}
	if len(agents) == 0 && found.Worst() < diag.Error {
		found = append(found, unreadable(names[0], "there is no card to list", ""))
	}
	return agents, found
}

// leftOut tells of a card that no catalogue lists.
func leftOut(c cardFile, cards []cardFile) (diag.Diagnostic, bool) {
	d := diag.Diagnostic{Rule: "catalog-left-out", Severity: diag.Info, Span: diag.Span{File: c.file()}}
	dir, base := path.Split(c.file())
	switch {
	case base == "extended-agent-card.json":
		d.Message = "the extended card is not listed: it is for authenticated clients"
	case base == "agent.json" && slices.ContainsFunc(cards, func(o cardFile) bool { return o.file() == dir+"agent-card.json" }):
		d.Message = "the card is not listed: agent-card.json beside it is the one that clients ask for"
	default:
		return d, false
	}
	return d, true
}

// twice tells of two cards with one identifier and version: one is enough where
// they are the same, and otherwise only the user knows what to call them.
func twice(first, second catalog.Agent) diag.Diagnostic {
	d := diag.Diagnostic{Span: second.Span, Related: []diag.Related{{Span: first.Span, Message: "first listed here"}}}
	if bytes.Equal(first.Data, second.Data) {
		d.Rule, d.Severity, d.Message = "catalog-left-out", diag.Info, "the card is listed already, with the same bytes"
		return d
	}
	d.Rule, d.Severity = "catalog-duplicate", diag.Error
	d.Message = fmt.Sprintf("the card has the publisher, the id %s and the version %s of another one", diag.Quote(second.ID), diag.Quote(second.Card.Version))
	d.Hint = fmt.Sprintf("give one of them an id of its own, such as --id %s=%s-2", second.Span.File, second.ID)
	return d
}

// agent reads a card, nil where that cannot be done, and finds out what to call
// it and where it is published.
func (o *catalogOptions) agent(c cardFile) (*catalog.Agent, diag.List) {
	root, found := source.ParseJSONLenient(c.file(), c.data, o.limits)
	if root == nil || found.Worst() == diag.Error {
		return nil, found
	}
	for i := range found {
		found[i].Severity = diag.Info // repaired, and nothing is lost
	}
	r := schema.Read(root, schema.ReadOptions{})
	found = slices.Concat(found, r.Found, r.Missing)
	for i, d := range found {
		switch {
		case d.Rule == "convert-agent":
			found[i].Hint = d.Hint + "; cardwright convert --agent writes it to a file of its own"
		case i >= len(found)-len(r.Missing):
			found[i].Hint = "cardwright convert --set supplies it"
		}
	}
	if r.Card == nil || len(r.Missing) > 0 {
		return nil, found
	}
	repaired := len(found) > 0
	found = append(found, hazards(root)...)
	agent := &catalog.Agent{Card: r.Card, Data: c.data, Span: diag.Span{File: c.file()}}
	o.locate(agent, c)
	if agent.URL == "" {
		if repaired { // the catalogue holds what was made of it
			node, losses := r.Convert(r.Card.Protocol())
			if found = append(found, losses...); node == nil {
				return nil, found
			}
			agent.Data = schema.Write(node)
		}
		found = append(found, diag.Diagnostic{
			Rule: "catalog-url-unknown", Severity: diag.Info, Span: agent.Span,
			Message: "where the card is published is not known, so the catalogue holds the card itself",
			Hint:    fmt.Sprintf("--card-url %s=URL tells it", c.name),
		})
	}
	return agent, append(found, o.publishedBy(agent)...)
}

// hazards are what lint says about text that deceives those who read it, and
// about secrets. The card is another's, and public already, so that none is an
// error.
func hazards(card *source.Node) diag.List {
	var found diag.List
	for _, d := range lint.Card(card, lint.Options{}) {
		switch d.Rule {
		case "secret-value", "text-instruction", "text-invisible", "text-lookalike":
			d.Severity = diag.Warning
			found = append(found, d)
		}
	}
	return found
}

// locate finds id and URL of a card: what the flags say, what the manifest of
// its tree says, and what follows from where the card lies.
func (o *catalogOptions) locate(agent *catalog.Agent, c cardFile) {
	listed := o.manifests.of(c)
	agent.ID = cmp.Or(o.ids.of(c), listed.Agent, catalog.NameID(agent.Card.Name))
	if !webURL(listed.URL) {
		listed.URL = ""
	}
	if c.name != "-" {
		if inside, err := filepath.Rel(resolved(o.out), resolved(c.name)); err == nil && filepath.IsLocal(inside) {
			agent.Path = filepath.ToSlash(inside)
		}
	}
	agent.URL = cmp.Or(o.cardURLs.of(c), listed.URL)
	if agent.URL == "" && agent.Path != "" && o.baseURL != "" {
		agent.URL = o.baseURL + "/" + agent.Path
	}
}

// manifests are the output trees around cards, each read once: what its manifest
// lists, by path.
type manifests map[string]map[string]publish.Listed

// of is what the manifest of the output tree around a card says of it.
func (m manifests) of(c cardFile) publish.Listed {
	dir, p, ok := outputTree(c.name)
	if !ok || c.name == "-" {
		return publish.Listed{}
	}
	files, read := m[dir]
	if !read {
		files = manifestOf(dir)
		m[dir] = files
	}
	return files[p]
}

// manifestOf is what the manifest in a directory lists, nothing where it cannot
// be read: what is wrong with it is for others to say.
func manifestOf(dir string) map[string]publish.Listed {
	name := filepath.Join(dir, publish.ManifestName)
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > publish.MaxManifest {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	files, _ := publish.Listing(filepath.ToSlash(name), data)
	return files
}

// publishedBy finds out whose the agent is.
func (o *catalogOptions) publishedBy(agent *catalog.Agent) diag.List {
	if o.publisher != "" {
		agent.Publisher = o.publisher
		return nil
	}
	publisher, told := catalog.PublisherOf(agent.Card, agent.URL)
	d := diag.Diagnostic{Rule: "catalog-publisher", Severity: diag.Info, Span: agent.Span, Hint: "--publisher names one for all cards"}
	switch {
	case publisher == "":
		d.Severity, d.Message = diag.Error, "the card does not tell who publishes it, which its identifier begins with"
	case !catalog.IsDomain(publisher):
		d.Severity, d.Message = diag.Warning, fmt.Sprintf("the publisher %q is taken from %s, and is no domain name", publisher, told)
	default:
		d.Message = fmt.Sprintf("the publisher %q is taken from %s", publisher, told)
	}
	agent.Publisher = publisher
	return diag.List{d}
}
