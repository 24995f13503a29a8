package discovery

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cardwright/schema"
)

// agentView is an agent as the page shows it.
type agentView struct {
	Anchor       string
	Open         bool // it stands open when the page is loaded
	Name         string
	Line         string // what the overview says of it
	Owner        string
	Version      string
	Protocols    []string // "1.0", "0.3"
	Provider     link
	Description  prose
	URL          link // of the card
	Docs         link
	Interfaces   []interfaceView
	Security     securityView
	Capabilities []string
	Extensions   []extensionView
	Input        []string
	Output       []string
	Skills       []skillView
	Tags         string // numbers of its tags, for the filter
	JSON         string
}

// interfaceView is one address of an agent, with all the versions it speaks.
type interfaceView struct {
	URL, Binding, Tenant string
	Versions             []string
}

type extensionView struct {
	URI         string
	Required    bool
	Description prose
}

type skillView struct {
	ID, Name      string
	Description   prose
	Tags          []tagLabel
	MoreTags      []tagLabel // folded away
	Examples      []prose
	MoreExamples  []prose // folded away
	Input, Output []string
	Security      securityView // where the skill asks for something of its own
}

func newAgentView(a Agent, anchor string, tags tags) agentView {
	c := a.Card
	v := agentView{
		Anchor:       anchor,
		Name:         a.name(),
		Line:         label(c.Description),
		Owner:        label(a.Owner),
		Version:      label(c.Version),
		Description:  newProse(c.Description),
		URL:          cardLink(a),
		Docs:         newLink(c.DocumentationURL, c.DocumentationURL),
		Interfaces:   interfaces(c.Interfaces),
		Security:     agentSecurity(c),
		Capabilities: capabilities(c.Capabilities),
		Extensions:   extensions(c.Capabilities.Extensions),
		Input:        labels(c.InputModes),
		Output:       labels(c.OutputModes),
		Tags:         tags.numbers(c),
		JSON:         shownJSON(a.Data),
	}
	if c.Provider != nil {
		v.Provider = newLink(c.Provider.URL, label(c.Provider.Organization))
	}
	for _, i := range v.Interfaces {
		v.Protocols = append(v.Protocols, i.Versions...)
	}
	slices.Sort(v.Protocols)
	slices.Reverse(v.Protocols)
	v.Protocols = slices.Compact(v.Protocols)
	for _, s := range c.Skills {
		v.Skills = append(v.Skills, newSkillView(s, c.SecuritySchemes, tags))
	}
	slices.SortStableFunc(v.Skills, func(a, b skillView) int { return natural(a.ID, b.ID) })
	return v
}

// cardLink leads to the published card, with its absolute URL where one is
// known.
func cardLink(a Agent) link {
	if a.URL == "" && a.Path != "" {
		return relative(a.Path)
	}
	return newLink(a.URL, a.URL)
}

func newSkillView(s schema.Skill, schemes map[string]schema.SecurityScheme, tags tags) skillView {
	v := skillView{
		ID:          label(s.ID),
		Name:        label(s.Name),
		Description: newProse(s.Description),
		Input:       labels(s.InputModes),
		Output:      labels(s.OutputModes),
		Security:    skillSecurity(s, schemes),
	}
	if v.Name == "" {
		v.Name = v.ID
	}
	var examples []prose
	for _, e := range s.Examples {
		examples = append(examples, newProse(e))
	}
	v.Examples, v.MoreExamples = fold(examples, examplesShown)
	v.Tags, v.MoreTags = fold(tags.labels(s.Tags), tagsShown)
	return v
}

// How many tags and examples of a skill stand open, so that one with hundreds
// leaves room for the others.
const (
	tagsShown     = 20
	examplesShown = 8
)

// fold divides a list into what everybody sees and what is folded away, which
// is nothing when the list is not much longer than n.
func fold[T any](all []T, n int) (head, rest []T) {
	if len(all) <= n+n/2 {
		return all, nil
	}
	return all[:n], all[n:]
}

// interfaces puts together what differs by version only, in the order of the
// card.
func interfaces(all []schema.Interface) []interfaceView {
	var views []interfaceView
	known := map[[3]string]int{}
	shown := map[[4]string]bool{}
	for _, i := range all {
		v := interfaceView{URL: line(i.URL), Binding: label(i.Binding), Tenant: label(i.Tenant)}
		key := [3]string{v.URL, v.Binding, v.Tenant}
		at, ok := known[key]
		if !ok {
			at = len(views)
			known[key] = at
			views = append(views, v)
		}
		version := label(i.Version)
		edition := [4]string{v.URL, v.Binding, v.Tenant, version}
		if version != "" && !shown[edition] {
			shown[edition] = true
			views[at].Versions = append(views[at].Versions, version)
		}
	}
	return views
}

func capabilities(c schema.Capabilities) []string {
	var words []string
	for _, flag := range []struct {
		set  *bool
		word string
	}{
		{c.Streaming, "streaming"},
		{c.PushNotifications, "push notifications"},
		{c.StateTransitionHistory, "state transition history"},
		{c.ExtendedAgentCard, "an extended card for authenticated clients"},
	} {
		if flag.set != nil && *flag.set {
			words = append(words, flag.word)
		}
	}
	return words
}

func extensions(all []schema.Extension) []extensionView {
	var views []extensionView
	for _, e := range all {
		views = append(views, extensionView{URI: line(e.URI), Required: e.Required, Description: newProse(e.Description)})
	}
	return views
}

// anchorsOf are the ids of agents within the page, in the order of the agents.
func anchorsOf(agents []Agent) []string {
	used := anchors{}
	ids := make([]string, 0, len(agents))
	for _, a := range agents {
		ids = append(ids, used.of(a.ID))
	}
	return ids
}

// anchors are the ids of agents within the page that are taken.
type anchors map[string]bool

// of returns an id for the agent, the same on every run.
func (a anchors) of(id string) string {
	base := "agent-" + strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.M, unicode.N) || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}, id)
	anchor := base
	for n := 2; a[anchor]; n++ {
		anchor = fmt.Sprintf("%s-%d", base, n)
	}
	a[anchor] = true
	return anchor
}
