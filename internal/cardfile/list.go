package cardfile

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/discovery"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// ListOptions say what is known about the cards of a catalog that they do not
// say themselves.
type ListOptions struct {
	Publisher string // domain name, "" for what each card says
	// Below returns where a file lies below the directory that is served, if it does.
	Below     func(file string) (path string, ok bool)
	BaseURL   string    // where that is served, "" when that is unknown
	URLs, IDs PerCard   // where cards are published, and what their agents are called
	manifests manifests // of the trees around them
}

// PerCard holds the values of a flag FILE=VALUE.
type PerCard map[string]*cardValue

// cardValue is what a flag says of one card.
type cardValue struct {
	Value string
	used  bool
}

// ParsePerCard reads the values of a flag FILE=VALUE; what names the value.
func ParsePerCard(flag, what string, assignments []string) (PerCard, error) {
	values := PerCard{}
	for _, s := range assignments {
		file, value, ok := strings.Cut(s, "=")
		if !ok || file == "" || value == "" {
			return nil, diag.UsageError(fmt.Sprintf("%s FILE=%s", flag, what), "%s %s does not say which card it is about", flag,
				diag.Quote(s))
		}
		file = path.Clean(filepath.ToSlash(file))
		if first := values[file]; first != nil && first.Value != value {
			return nil, diag.UsageError("remove one of them", "%s gives both %s and %s for %s", flag, diag.Quote(first.Value),
				diag.Quote(value), diag.Quote(file))
		}
		values[file] = &cardValue{Value: value}
	}
	return values, nil
}

// of returns the value for a card, "" when there is none.
func (p PerCard) of(f File) string {
	v := p[path.Clean(filepath.ToSlash(f.Name))]
	if v == nil {
		return ""
	}
	v.used = true
	return v.Value
}

// Unused is the first card of the flag that was not found, "" when there is none.
func (p PerCard) Unused() string {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		if !p[name].used {
			return name
		}
	}
	return ""
}

// List reads the cards that were named, as agents of a catalog.
func (r Reader) List(named []string, o ListOptions) ([]discovery.Agent, diag.List) {
	files, found := r.findAll(named)
	o.manifests = manifests{}
	var agents []discovery.Agent
	taken := map[string]discovery.Agent{}
	listed := make(map[string]bool, len(files))
	for _, f := range files {
		listed[f.Path()] = true
	}
	for _, f := range files {
		r.count()
		if d, ok := leftOut(f, listed); ok {
			found = append(found, d)
			continue
		}
		agent, faults := o.agent(r, f)
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
		found = append(found, Unreadable(named[0], "there is no card to list", ""))
	}
	return agents, found
}

// findAll reads the cards that all arguments stand for, each once.
func (r Reader) findAll(named []string) (files []File, found diag.List) {
	seen := map[string]bool{}
	for _, name := range named {
		more, faults := r.Find(name)
		found = append(found, faults...)
		for _, f := range more {
			if !seen[f.Path()] {
				files = append(files, f)
			}
			seen[f.Path()] = true
		}
	}
	return files, found
}

// leftOut reports a card that no catalog lists, among the paths of others.
func leftOut(f File, others map[string]bool) (diag.Diagnostic, bool) {
	var message string
	dir, base := path.Split(f.Path())
	switch {
	case base == tree.ExtendedCardName:
		message = "the extended card is not listed: it is for authenticated clients"
	case base == path.Base(tree.LegacyCardPath) && others[dir+path.Base(tree.CardPath)]:
		message = "the card is not listed: clients use agent-card.json beside it"
	default:
		return diag.Diagnostic{}, false
	}
	return diag.New("catalog-left-out", diag.Span{File: f.Path()}, "%s", message), true
}

// twice reports two cards with the same identifier and version. Equal cards are
// listed once; for others the user must choose another id.
func twice(first, second discovery.Agent) diag.Diagnostic {
	listed := diag.Related{Span: first.Span, Message: "first listed here"}
	if bytes.Equal(first.Data, second.Data) {
		return diag.New("catalog-left-out", second.Span, "the card is listed already, with the same bytes").
			WithRelated(listed)
	}
	return diag.New("catalog-duplicate", second.Span,
		"another card has the same publisher, the id %s and the version %s", diag.Quote(second.ID),
		diag.Quote(second.Card.Version)).
		WithHint(fmt.Sprintf("give one of them its own id, such as --id %s=%s-2", second.Span.File, second.ID)).
		WithRelated(listed)
}

// agent reads a card, nil where that cannot be done, and finds out what to call
// it and where it is published.
func (o ListOptions) agent(r Reader, f File) (*discovery.Agent, diag.List) {
	root, found := readRepaired(f, r.Limits)
	if root == nil {
		return nil, found
	}
	reading := dialect.Read(root, dialect.ReadOptions{})
	found = slices.Concat(found, reading.Found, reading.Missing)
	for i, d := range found {
		switch {
		case d.Rule == "convert-agent":
			found[i].Hint = d.Hint + "; to write it to its own file, run cardwright convert --agent"
		case i >= len(found)-len(reading.Missing):
			found[i].Hint = "set it with cardwright convert --set"
		}
	}
	if reading.Card == nil || len(reading.Missing) > 0 {
		return nil, found
	}
	repaired := len(found) > 0
	found = append(found, hazards(root)...)
	agent := &discovery.Agent{Card: reading.Card, Data: f.Data, Span: diag.Span{File: f.Path()}}
	o.locate(r, agent, f)
	if agent.URL == "" {
		if repaired { // the catalog holds what was made of it
			node, losses := dialect.Convert(reading, reading.Card.Protocol(), schema.WireOptions{})
			if found = append(found, losses...); node == nil {
				return nil, found
			}
			agent.Data = schema.Write(node)
		}
		found = append(found, diag.New("catalog-url-unknown", agent.Span,
			"the URL of the card is unknown, so the catalog contains the card").
			WithHint(fmt.Sprintf("set it with --card-url %s=URL", f.Name)))
	}
	return agent, append(found, o.publishedBy(agent)...)
}

// hazards returns lint's findings about deceptive text and secrets. None is an
// error: the card is somebody else's, and public already.
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
func (o ListOptions) locate(r Reader, agent *discovery.Agent, f File) {
	listed := o.manifests.of(r, f)
	agent.ID = cmp.Or(o.IDs.of(f), listed.Agent, discovery.NameID(agent.Card.Name))
	if !discovery.IsWebURL(listed.URL) {
		listed.URL = ""
	}
	if inside, ok := o.Below(f.Name); ok && f.Name != "-" {
		agent.Path = inside
	}
	agent.URL = cmp.Or(o.URLs.of(f), listed.URL)
	if agent.URL == "" && agent.Path != "" && o.BaseURL != "" {
		agent.URL = o.BaseURL + "/" + agent.Path
	}
}

// publishedBy finds out whose the agent is.
func (o ListOptions) publishedBy(agent *discovery.Agent) diag.List {
	if o.Publisher != "" {
		agent.Publisher = o.Publisher
		return nil
	}
	publisher, from := discovery.PublisherOf(agent.Card, agent.URL)
	d := diag.New("catalog-publisher", agent.Span, "").WithHint("to set one for all cards, use --publisher")
	switch {
	case publisher == "":
		d.Severity, d.Message = diag.Error, "the publisher of the card is unknown, but its identifier must begin with it"
	case !discovery.IsDomain(publisher):
		d.Severity, d.Message = diag.Warning, fmt.Sprintf("the publisher %q, from %s, is not a domain name", publisher, from)
	default:
		d.Message = fmt.Sprintf("the publisher is %q, from %s", publisher, from)
	}
	agent.Publisher = publisher
	return diag.List{d}
}
