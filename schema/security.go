package schema

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// maxSplit bounds how many names of schemes splitting may add to the requirements
// of a card: a requirement that names several of them grows with the product of
// their flows, and cards come from strangers.
const maxSplit = 20_000

// MutualTLSDescription stands where a mutual TLS scheme has no description: the
// object would be empty without it, and readers disagree on empty objects.
const MutualTLSDescription = "The client authenticates with a TLS certificate."

// part is one flow of an OAuth scheme that became a scheme of its own.
type part struct {
	name string
	flow Flow
}

// written is a scheme as written, and the name under which the card has it.
type written struct {
	SecurityScheme
	origin string
}

// demand is a requirement as written, and where it stands in the list of
// its message.
type demand struct {
	Requirement
	index int
}

// splitSchemes finds the schemes that are written. In 1.0 a scheme has exactly
// one flow (4.5.5), so that one with several becomes several. So it does for 0.3,
// which allows them: a2a-go reads such a card with its types of 1.0, and refuses
// it. In 0.3 there is no device code.
func splitSchemes(w *wiring, schemes map[string]SecurityScheme) {
	w.schemes = make(map[string]written, len(schemes))
	w.parts = map[string][]part{}
	w.dropped = map[string]bool{}
	for _, name := range sortedKeys(schemes) {
		s := schemes[name]
		if s.Type != OAuth2 {
			w.schemes[name] = written{s, name}
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
				w.schemes[p.name] = written{s, name}
			}
		default:
			s.Flows = flows
			w.schemes[name] = written{s, name}
		}
	}
}

func (w *wiring) splits(name string, flows []Flow) bool {
	if w.chosen != nil {
		return w.chosen[name]
	}
	return len(flows) > 1
}

// SplitFlows returns the card with the chosen OAuth schemes split into one
// scheme a flow, as [Wire] splits schemes of several flows, and with the
// requirements that name them split accordingly.
func (c *Card) SplitFlows(chosen map[string]bool) *Card {
	w := newWiring(Listed)
	w.chosen = chosen
	splitSchemes(w, c.SecuritySchemes)
	split := *c
	split.SecuritySchemes = make(map[string]SecurityScheme, len(w.schemes))
	for name, s := range w.schemes {
		split.SecuritySchemes[name] = s.SecurityScheme
	}
	split.Security = splitAll(w, c.Security)
	split.Skills = slices.Clone(c.Skills)
	for i := range split.Skills {
		split.Skills[i].Security = splitAll(w, c.Skills[i].Security)
	}
	return &split
}

func splitAll(w *wiring, list []Requirement) []Requirement {
	var out []Requirement
	for _, r := range list {
		out = append(out, w.split(r, top)...)
	}
	return out
}

// flows returns the flows that are written.
func (w *wiring) flows(flows []Flow, name string) []Flow {
	var out []Flow
	at := source.Pointer("/securitySchemes", name)
	for _, f := range flows {
		if f.Type != DeviceCode || !w.form.Has(Flat) {
			out = append(out, f)
			continue
		}
		w.lose(diag.New(diag.SchemeOAuthDeviceCode, w.place(at, "/flows/"+string(f.Type)),
			"the device code flow of scheme %s is left out: A2A 0.3 has no form for it", diag.Quote(name)).
			WithPointer(at + "/oauth2SecurityScheme/flows/" + string(f.Type)).
			WithHint("add another flow to the scheme, or make a separate card for 1.0 clients"))
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

func writeSchemes(w *wiring, _ any, _ string) *source.Node {
	o := source.NewObject(len(w.schemes))
	o.Span = w.place(top, "/securitySchemes")
	for _, name := range sortedKeys(w.schemes) {
		put(o, name, w.scheme(w.schemes[name]))
	}
	return orNothing(o)
}

// scheme writes the flat members of 0.3 (OpenAPI 3), the wrapper of 1.0
// (4.5.1), or both side by side.
func (w *wiring) scheme(s written) *source.Node {
	if s.Type == MutualTLS && s.Description == "" {
		s.Description = MutualTLSDescription
	}
	at := source.Pointer("/securitySchemes", s.origin)
	o := source.NewObject(6)
	o.Span = w.place(at, "")
	if w.form.Has(Flat) {
		if s.Type != "" {
			kind := source.NewText(string(s.Type))
			kind.Span = w.place(at, "/type")
			set(o, "type", kind)
		}
		w.part = Flat
		o.Members = append(o.Members, w.message(s.Type.Message(), w.part, &s.SecurityScheme, at).Members...)
	}
	if w.form.Has(Listed) {
		w.part = w.form & Listed
		put(o, s.Type.Wrapper(), w.whole(s.Type.Message(), w.part, &s.SecurityScheme, at))
	}
	if w.form.Has(Flat) {
		w.putExtra(o, s.Extra, at)
	}
	return o
}

// wrappers are the members that hold a scheme in 1.0.
var wrappers = map[SchemeType]string{
	APIKey: "apiKeySecurityScheme", HTTPAuth: "httpAuthSecurityScheme", OAuth2: "oauth2SecurityScheme",
	OpenIDConnect: "openIdConnectSecurityScheme", MutualTLS: "mtlsSecurityScheme",
}

// Wrapper returns the member that holds a scheme in 1.0.
func (t SchemeType) Wrapper() string { return wrappers[t] }

// Message returns the name of the message of a scheme, "" for one of no known
// type.
func (t SchemeType) Message() string {
	if slices.Contains(SchemeTypes(), t) {
		return string(t)
	}
	return ""
}

// Message returns the name of the message of a flow.
func (t FlowType) Message() string { return string(t) + "Flow" }

func writeFlows(w *wiring, of any, at string) *source.Node {
	list := as[SecurityScheme](of).Flows
	flows := source.NewObject(len(list))
	flows.Span = w.place(at, "/flows")
	for i := range list {
		t := list[i].Type
		put(flows, string(t), w.whole(t.Message(), w.part, &list[i], at+"/flows/"+string(t)))
	}
	return orNothing(flows)
}

// writeScopes writes the map that both versions require, and a flow may well
// have no scopes. A scope without a description is still a scope.
func writeScopes(w *wiring, of any, at string) *source.Node {
	f := as[Flow](of)
	scopes := source.NewObject(len(f.Scopes))
	scopes.Span = w.place(at, "/scopes")
	for _, name := range sortedKeys(f.Scopes) {
		scope := source.NewText(cmp.Or(f.Scopes[name], name))
		scope.Span = w.place(at, source.Pointer("/scopes", name))
		put(scopes, name, scope)
	}
	return scopes
}

// requirements returns the alternatives of the card or of one skill as they are
// written.
func (w *wiring) requirements(list []Requirement, of string) []demand {
	const name = "/securityRequirements"
	pointer := of + name
	lose := func(l diag.Diagnostic) {
		l.Span = w.place(of, strings.TrimPrefix(l.Pointer, of))
		w.lose(l)
	}
	if len(list) > 0 && w.options.OmitRequirements && !w.form.Has(Flat) {
		lose(diag.New(diag.SecurityLost,
			diag.Span{}, "a2a-go-430 leaves out the security requirements, and a card for 1.0 only has no other place for them").
			WithPointer(pointer).
			WithHint("remove a2a-go-430 from compat, or add an interface for 0.3"))
		return nil
	}
	var out []demand
	var anonymous, lost bool
	for i, r := range list {
		at := pointer + "/" + strconv.Itoa(i)
		if len(r) == 0 {
			anonymous = true
			continue
		}
		names := sortedKeys(r)
		if n := slices.IndexFunc(names, func(name string) bool { return w.dropped[name] }); n >= 0 {
			lost = true
			lose(diag.New(diag.SchemeOAuthDeviceCode, diag.Span{},
				"a security requirement is left out, its scheme %s has no A2A 0.3 form", diag.Quote(names[n])).
				WithPointer(at))
			continue
		}
		for _, choice := range w.split(r, nth(pointer, i)) {
			out = append(out, demand{choice, i})
		}
	}
	switch {
	case anonymous && len(out) > 0:
		lose(diag.New(diag.SecurityAnonymous, diag.Span{},
			"the empty security requirement, which allows everyone, is left out: empty objects are not written").
			WithPointer(pointer).
			WithHint("remove the empty requirement, or all of them"))
	case lost && !anonymous && len(out) == 0:
		lose(diag.New(diag.SecurityLost, diag.Span{},
			"no security requirement has an A2A 0.3 form, so the card would let everyone in").
			WithPointer(pointer).
			WithHint("add a requirement with another scheme than device code"))
	}
	return out
}

// split turns a requirement into one alternative for each way to choose among
// the parts of its schemes.
func (w *wiring) split(r Requirement, at string) []Requirement {
	out := []Requirement{r}
	for _, name := range sortedKeys(r) {
		choices := w.choices(name, r[name])
		if len(choices) == 0 {
			continue
		}
		before := w.added
		w.added += len(out) * (len(choices) - 1) * len(r)
		if before > maxSplit {
			return nil
		}
		if w.added > maxSplit {
			w.lose(diag.New(diag.SecurityLost, w.place(at, ""),
				"with one scheme per OAuth flow, security requirements name more than %d schemes", maxSplit).
				WithPointer(at).
				WithHint("name fewer schemes with several flows in one requirement"))
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

func writeRequirements10(w *wiring, _ any, at string) *source.Node {
	if w.options.OmitRequirements {
		return nil
	}
	return w.demands(at, w.requirement10)
}

func writeRequirements03(w *wiring, _ any, at string) *source.Node {
	return w.demands(at, w.requirement03)
}

// demands writes the alternatives of the message that is written.
func (w *wiring) demands(of string, node func(r Requirement, at string) *source.Node) *source.Node {
	const list = "/securityRequirements"
	if len(w.required) == 0 {
		return nil
	}
	return array(w.required, w.place(of, list), func(_ int, d *demand) *source.Node {
		return node(d.Requirement, nth(of+list, d.index))
	})
}

func (w *wiring) requirement10(r Requirement, at string) *source.Node {
	schemes := source.NewObject(len(r))
	schemes.Span = w.place(at, "")
	for _, name := range sortedKeys(r) {
		scopes := source.NewObject(1)
		scopes.Span = w.place(at, source.Pointer("", name))
		if list := w.scopes(r, name, at); !list.Empty() || !w.options.Signed {
			set(scopes, "list", list)
		}
		set(schemes, name, scopes)
	}
	o := source.NewObject(1)
	o.Span = schemes.Span
	set(o, "schemes", schemes)
	return o
}

func (w *wiring) requirement03(r Requirement, at string) *source.Node {
	o := source.NewObject(len(r))
	o.Span = w.place(at, "")
	for _, name := range sortedKeys(r) {
		set(o, name, w.scopes(r, name, at))
	}
	return o
}

// scopes writes the scopes that a requirement asks for of a scheme, which may be
// none.
func (w *wiring) scopes(r Requirement, scheme, at string) *source.Node {
	if list := w.texts(r[scheme], at, scheme); list != nil {
		return list
	}
	return &source.Node{Kind: source.Array, Span: w.place(at, source.Pointer("", scheme))}
}
