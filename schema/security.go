package schema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// maxSplit bounds how many requirements splitting schemes may add to a card:
// a requirement that names several of them grows with the product of their
// flows, and cards come from strangers.
const maxSplit = 100_000

// mutualTLSDescription stands where nobody described a mutual TLS scheme: the
// object would be empty without it, and readers disagree on empty objects.
const mutualTLSDescription = "The client authenticates with a TLS certificate."

// part is one flow of an OAuth scheme that became a scheme of its own.
type part struct {
	name string
	flow Flow
}

// splitSchemes finds the schemes that are written. In 1.0 a scheme has exactly
// one flow (4.5.5), so that one with several becomes several; in 0.3 there is
// no device code.
func (w *wiring) splitSchemes(schemes map[string]SecurityScheme) {
	w.schemes = make(map[string]SecurityScheme, len(schemes))
	w.parts = map[string][]part{}
	w.dropped = map[string]bool{}
	for _, name := range sortedKeys(schemes) {
		s := schemes[name]
		if s.Type != OAuth2 {
			w.schemes[name] = s
			continue
		}
		flows := w.flows(s.Flows, name)
		switch {
		case len(flows) == 0 && len(s.Flows) > 0:
			w.dropped[name] = true
		case w.splits(name, flows):
			for _, f := range flows {
				p := part{name: w.freeName(name+"-"+string(f.Type), schemes), flow: f}
				w.parts[name] = append(w.parts[name], p)
				s.Flows = []Flow{f}
				w.schemes[p.name] = s
			}
		default:
			s.Flows = flows
			w.schemes[name] = s
		}
	}
}

func (w *wiring) splits(name string, flows []Flow) bool {
	if w.chosen != nil {
		return w.chosen[name]
	}
	return w.v10 && len(flows) > 1
}

// SplitFlows returns the card with the chosen OAuth schemes split into one
// scheme a flow, as [Wire] splits those of several flows for 1.0, and with the
// requirements that name them split accordingly.
func (c *Card) SplitFlows(chosen map[string]bool) *Card {
	w := wiring{v10: true, chosen: chosen}
	w.splitSchemes(c.SecuritySchemes)
	split := *c
	split.SecuritySchemes = w.schemes
	split.Security = w.splitAll(c.Security)
	split.Skills = slices.Clone(c.Skills)
	for i := range split.Skills {
		split.Skills[i].Security = w.splitAll(c.Skills[i].Security)
	}
	return &split
}

func (w *wiring) splitAll(list []Requirement) []Requirement {
	var out []Requirement
	for _, r := range list {
		out = append(out, w.split(r, "")...)
	}
	return out
}

// flows returns the flows that are written, each kind once, in their order.
func (w *wiring) flows(flows []Flow, name string) []Flow {
	var out []Flow
	for _, t := range FlowTypes() {
		i := slices.IndexFunc(flows, func(f Flow) bool { return f.Type == t })
		if i < 0 {
			continue
		}
		pointer := source.Pointer("/securitySchemes", name) + "/oauth2SecurityScheme/flows/" + string(t)
		if t == DeviceCode && w.v03 {
			w.lose(Loss{Rule: "scheme-oauth-devicecode", Pointer: pointer, Message: fmt.Sprintf("the device code flow of scheme %s is left out, A2A 0.3 has no form for it", diag.Quote(name)), Hint: "give the scheme another flow too, or a card of its own to 1.0 clients"})
			continue
		}
		if flows[i].PKCERequired && !w.v10 {
			w.lose(Loss{Rule: "protocol-loss", Pointer: pointer + "/pkceRequired", Message: fmt.Sprintf("\"pkceRequired\" of scheme %s is left out, A2A 0.3 does not know it", diag.Quote(name))})
		}
		out = append(out, flows[i])
	}
	return out
}

// freeName returns name, or name with a number behind it where a scheme of
// that name is there already.
func (w *wiring) freeName(name string, schemes map[string]SecurityScheme) string {
	taken := func(name string) bool {
		_, original := schemes[name]
		_, written := w.schemes[name]
		return original || written
	}
	free := name
	for n := 2; taken(free); n++ {
		free = name + "-" + strconv.Itoa(n)
	}
	return free
}

func (w *wiring) securitySchemes() *source.Node {
	o := object(len(w.schemes))
	for _, name := range sortedKeys(w.schemes) {
		put(o, name, w.scheme(w.schemes[name]))
	}
	return o
}

// scheme writes the flat members of 0.3 (OpenAPI 3), the wrapper of 1.0
// (4.5.1), or both side by side.
func (w *wiring) scheme(s SecurityScheme) *source.Node {
	if s.Type == MutualTLS && s.Description == "" {
		s.Description = mutualTLSDescription
	}
	o := object(6)
	if w.v03 {
		o.SetText("type", string(s.Type))
		setScheme(o, s, V03)
	}
	if w.v10 {
		body := object(4)
		setScheme(body, s, V10)
		put(o, wrapper(s.Type), body)
	}
	return o
}

// wrapper returns the member that holds a scheme in 1.0.
func wrapper(t SchemeType) string {
	switch t {
	case APIKey:
		return "apiKeySecurityScheme"
	case HTTPAuth:
		return "httpAuthSecurityScheme"
	case OAuth2:
		return "oauth2SecurityScheme"
	case OpenIDConnect:
		return "openIdConnectSecurityScheme"
	case MutualTLS:
		return "mtlsSecurityScheme"
	}
	return string(t)
}

// setScheme sets the members of a scheme other than its type.
func setScheme(o *source.Node, s SecurityScheme, p Protocol) {
	switch s.Type {
	case APIKey:
		location := "location"
		if p == V03 {
			location = "in"
		}
		o.SetText(location, s.In)
		o.SetText("name", s.Name)
	case HTTPAuth:
		o.SetText("scheme", s.Scheme)
		o.SetText("bearerFormat", s.BearerFormat)
	case OAuth2:
		flows := object(len(s.Flows))
		for _, f := range s.Flows {
			put(flows, string(f.Type), flow(f, p))
		}
		put(o, "flows", flows)
		o.SetText("oauth2MetadataUrl", s.OAuth2MetadataURL)
	case OpenIDConnect:
		o.SetText("openIdConnectUrl", s.OpenIDConnectURL)
	case MutualTLS: // nothing but the description
	}
	o.SetText("description", s.Description)
}

func flow(f Flow, p Protocol) *source.Node {
	o := object(5)
	if f.Type == AuthorizationCode || f.Type == Implicit {
		o.SetText("authorizationUrl", f.AuthorizationURL)
	}
	if f.Type == DeviceCode {
		o.SetText("deviceAuthorizationUrl", f.DeviceAuthorizationURL)
	}
	if f.Type != Implicit {
		o.SetText("tokenUrl", f.TokenURL)
	}
	o.SetText("refreshUrl", f.RefreshURL)
	scopes := object(len(f.Scopes))
	for _, name := range sortedKeys(f.Scopes) {
		// A scope that nobody described is still a scope.
		scopes.SetText(name, cmp.Or(f.Scopes[name], name))
	}
	// Both versions require the map, and a flow may well have no scopes.
	o.Set("scopes", scopes)
	if f.Type == AuthorizationCode && f.PKCERequired && p == V10 {
		o.Set("pkceRequired", source.NewBool(true))
	}
	return o
}

// requirements returns the alternatives of the card or of one skill, whose
// pointer is given, as they are written.
func (w *wiring) requirements(list []Requirement, pointer string) []Requirement {
	pointer += "/securityRequirements"
	if len(list) > 0 && w.options.OmitRequirements && !w.v03 {
		w.lose(Loss{Rule: "security-lost", Pointer: pointer, Message: "a2a-go-430 leaves the security requirements out, and a card for 1.0 clients only has no other place for them", Hint: "drop a2a-go-430 from compat, or add an interface for 0.3", Fatal: true})
		return nil
	}
	var out []Requirement
	var anonymous, lost bool
	for i, r := range list {
		at := pointer + "/" + strconv.Itoa(i)
		if len(r) == 0 {
			anonymous = true
			continue
		}
		if name, ok := w.needsDropped(r); ok {
			lost = true
			w.lose(Loss{Rule: "scheme-oauth-devicecode", Pointer: at, Message: fmt.Sprintf("a security requirement is left out, its scheme %s has no A2A 0.3 form", diag.Quote(name))})
			continue
		}
		out = append(out, w.split(r, at)...)
	}
	switch {
	case anonymous && len(out) > 0:
		w.lose(Loss{Rule: "security-anonymous", Pointer: pointer, Message: "the empty security requirement, which allows everyone, is left out: empty objects are not written", Hint: "drop the empty requirement, or all of them"})
	case lost && !anonymous && len(out) == 0:
		w.lose(Loss{Rule: "security-lost", Pointer: pointer, Message: "no security requirement has an A2A 0.3 form, the card would let everyone in", Hint: "add a requirement with another scheme than device code", Fatal: true})
	}
	return out
}

func (w *wiring) needsDropped(r Requirement) (string, bool) {
	for _, name := range sortedKeys(r) {
		if w.dropped[name] {
			return name, true
		}
	}
	return "", false
}

// split turns a requirement into one alternative for each way to choose among
// the parts of its schemes.
func (w *wiring) split(r Requirement, pointer string) []Requirement {
	out := []Requirement{r}
	for _, name := range sortedKeys(r) {
		choices := w.choices(name, r[name])
		if len(choices) == 0 {
			continue
		}
		before := w.added
		w.added += len(out) * (len(choices) - 1)
		if before > maxSplit {
			return nil
		}
		if w.added > maxSplit {
			w.lose(Loss{Rule: "security-lost", Pointer: pointer, Message: fmt.Sprintf("one scheme per OAuth flow makes more than %d security requirements", maxSplit), Hint: "name fewer schemes with several flows in one requirement", Fatal: true})
			return nil
		}
		var next []Requirement
		for _, alternative := range out {
			for _, choice := range choices {
				a := maps.Clone(alternative)
				delete(a, name)
				a[choice] = r[name]
				next = append(next, a)
			}
		}
		out = next
	}
	return out
}

// choices returns the parts of a scheme that declare all the scopes, or all
// its parts where none does.
func (w *wiring) choices(name string, scopes []string) []string {
	var all, able []string
	for _, p := range w.parts[name] {
		all = append(all, p.name)
		if !slices.ContainsFunc(scopes, func(s string) bool { _, ok := p.flow.Scopes[s]; return !ok }) {
			able = append(able, p.name)
		}
	}
	if len(able) > 0 {
		return able
	}
	return all
}

// putRequirements sets the alternatives in the form of each version.
func (w *wiring) putRequirements(o *source.Node, list []Requirement) {
	if w.v10 && !w.options.OmitRequirements {
		put(o, "securityRequirements", array(list, w.requirement10))
	}
	if w.v03 {
		put(o, "security", array(list, requirement03))
	}
}

func (w *wiring) requirement10(r Requirement) *source.Node {
	schemes := object(len(r))
	for _, name := range sortedKeys(r) {
		scopes := object(1)
		put(scopes, "list", texts(r[name]))
		if len(scopes.Members) == 0 && !w.options.Signed {
			scopes.Set("list", &source.Node{Kind: source.Array})
		}
		schemes.Set(name, scopes)
	}
	o := object(1)
	o.Set("schemes", schemes)
	return o
}

func requirement03(r Requirement) *source.Node {
	o := object(len(r))
	for _, name := range sortedKeys(r) {
		o.Set(name, texts(r[name]))
	}
	return o
}
