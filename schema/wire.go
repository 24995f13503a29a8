package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// CompatA2AGo430 names a2a-go's issue 430 where users ask for [WireOptions].OmitRequirements.
const CompatA2AGo430 = "a2a-go-430"

// WireOptions says how a card is written.
type WireOptions struct {
	// Signed means that the card gets signed: a scheme without scopes in a
	// requirement is {}, not {"list": []}, because a verifier that goes through
	// the protocol's types drops the empty list.
	Signed bool
	// OmitRequirements leaves securityRequirements out, for readers that refuse
	// a card that has them (a2a-go issue 430).
	OmitRequirements bool
	// Place returns where a value came from, by the pointer of the message that
	// holds it and the pointer of the value in there: as A2A 1.0 spells them,
	// interfaces, skills and requirements in the order of the Card, and a scheme
	// as A2A 0.3 does. Without it, what is written has no places.
	Place func(message, below string) diag.Span
}

// Wire gives a card the form that p names, and returns what that form cannot
// hold: as an error where leaving it out changes what the card promises. Their
// pointers lead into the card as A2A 1.0 spells it, skills and interfaces in the
// order of the Card. Members stand in the order of the table, maps are sorted by key.
// Nothing empty is written, whether the specification requires the
// member or not: [ValidateCard] finds those. The exceptions are a scheme without
// scopes in a requirement, a flow without scopes, and capabilities, which claim
// no streaming where they claim nothing else.
func Wire(c *Card, p Protocol, o WireOptions) (*source.Node, diag.List) {
	w := newWiring(p)
	w.options = o
	splitSchemes(w, c.SecuritySchemes)
	w.interfaces(c.Interfaces)
	w.required = w.requirements(c.Security, top)
	return w.whole(CardMessage, p, c, top), w.losses
}

// wiring is one run of [Wire].
type wiring struct {
	rows     map[string][]Member // the table, which refers to what the run does
	form     Protocol            // the versions whose members are written
	options  WireOptions
	listed   []entry            // interfaces as listed versions have them
	flat     []entry            // interfaces as flat versions have them
	schemes  map[string]written // as they are written
	chosen   map[string]bool    // schemes that are split, nil for schemes of several flows
	parts    map[string][]part  // of the schemes that were split, by their old name
	dropped  map[string]bool    // schemes that cannot be written
	added    int                // requirements that splitting added
	required []demand           // of the message that is written
	part     Protocol           // the versions that the scheme at hand is written for
	losses   diag.List
}

func newWiring(form Protocol) *wiring { return &wiring{rows: table, form: form} }

// entry is an interface, and where it stands on the card.
type entry struct {
	Interface
	index int
}

func (w *wiring) lose(l diag.Diagnostic) { w.losses = append(w.losses, l) }

// top is the pointer of the card.
const top = ""

// nth is the pointer of an entry of a list.
func nth(list string, index int) string { return list + "/" + strconv.Itoa(index) }

// place finds where a value of a message came from.
func (w *wiring) place(at, below string) diag.Span {
	if w.options.Place == nil {
		return diag.Span{}
	}
	return w.options.Place(at, below)
}

// message writes the members that the versions of a form have of a message.
func (w *wiring) message(name string, form Protocol, of any, at string) *source.Node {
	rows := w.rows[name]
	o := source.NewObject(min(len(rows), 4)) // as many as most skills need
	o.Span = w.place(at, "")
	for i := range rows {
		m := &rows[i]
		switch {
		case m.In&form == 0 && !m.Moved:
			w.missing(m, of, at)
		case m.In&form == 0:
		case m.write != nil:
			if v := m.write(w, of, at); v != nil {
				set(o, m.Name, v)
			}
		default:
			if v := w.plain(m, of, at); v != nil {
				set(o, m.Name, v)
			}
		}
	}
	return o
}

// whole writes a message with the members that no version knows.
func (w *wiring) whole(name string, form Protocol, of any, at string) *source.Node {
	o := w.message(name, form, of, at)
	w.putExtra(o, Extra(of), at)
	return o
}

// plain writes a plain member, nil where the message does not have it.
func (w *wiring) plain(m *Member, of any, at string) *source.Node {
	if m.Kind == source.Array {
		return w.texts(m.Texts(of), at, m.Name)
	}
	if !m.Given(of) {
		return nil
	}
	n := source.NewText(m.Text(of))
	if flag := m.Flag(of); flag != nil {
		n = source.NewBool(*flag)
	}
	n.Span = w.place(at, "/"+m.Name)
	return n
}

// texts writes the texts of a list that are not empty, nil where there are none.
func (w *wiring) texts(list []string, at, name string) *source.Node {
	n := &source.Node{Kind: source.Array, Items: make([]*source.Node, 0, len(list))}
	for i, s := range list {
		if s == "" {
			continue
		}
		item := source.NewText(s)
		item.Span = w.place(at, "/"+name+"/"+strconv.Itoa(i))
		n.Items = append(n.Items, item)
	}
	if len(n.Items) == 0 {
		return nil
	}
	n.Span = w.place(at, "/"+name)
	return n
}

// missing reports a plain member that says something and that no version of the
// card knows: another part of a card for several may have it.
func (w *wiring) missing(m *Member, of any, at string) {
	if m.In.Has(w.form) || !m.says(of) {
		return
	}
	pointer := strings.Replace(at, "/flows/", "/oauth2SecurityScheme/flows/", 1) + "/" + m.Name
	w.lose(diag.New(diag.ProtocolLoss, w.place(at, "/"+m.Name), "%q is left out: A2A %s does not define it", m.Name,
		w.form.Text()).WithPointer(pointer))
}

func set(o *source.Node, key string, v *source.Node) {
	o.Members = append(o.Members, source.Member{Key: key, KeySpan: v.Span, Value: v})
}

// put sets a member unless its value is empty.
func put(o *source.Node, key string, v *source.Node) {
	if !v.Empty() {
		set(o, key, v)
	}
}

func writeClaim(w *wiring, _ any, at string) *source.Node {
	n := source.NewText(claim03)
	if len(w.flat) > 0 {
		at = nth("/supportedInterfaces", w.flat[0].index)
	}
	n.Span = w.place(at, "/protocolVersion")
	return n
}

func writeURL(w *wiring, _ any, _ string) *source.Node {
	return w.preferred("/url", func(e entry) string { return e.URL })
}

func writeTransport(w *wiring, _ any, _ string) *source.Node {
	return w.preferred("/protocolBinding", func(e entry) string { return e.Binding })
}

// preferred writes what a flat card says about its first interface.
func (w *wiring) preferred(below string, text func(entry) string) *source.Node {
	if len(w.flat) == 0 || text(w.flat[0]) == "" {
		return nil
	}
	n := source.NewText(text(w.flat[0]))
	n.Span = w.place(nth("/supportedInterfaces", w.flat[0].index), below)
	return n
}

func writeAdditional(w *wiring, _ any, at string) *source.Node { return w.entries(w.flat, Flat, at) }

func writeSupported(w *wiring, _ any, at string) *source.Node {
	return w.entries(w.listed, w.form&Listed, at)
}

func (w *wiring) entries(list []entry, form Protocol, at string) *source.Node {
	return array(list, w.place(at, "/supportedInterfaces"), func(_ int, e *entry) *source.Node {
		return w.whole(InterfaceMessage, form, &e.Interface, nth("/supportedInterfaces", e.index))
	})
}

// interfaces divides the interfaces among the lists of both families. Flat
// versions know neither tenants nor other versions than their own.
func (w *wiring) interfaces(list []Interface) {
	seen := map[string]bool{}
	for n, i := range list {
		at := nth("/supportedInterfaces", n)
		if !w.form.Has(Flat) || !i.Speaks().Has(Flat) {
			w.listed = append(w.listed, entry{i, n})
			if !w.form.Has(Listed) {
				w.lose(diag.New(diag.ProtocolLoss, w.place(at, ""),
					"interface %s speaks A2A %s, a 0.3 card lists interfaces for 0.3 only", diag.Quote(i.URL), diag.Quote(i.Version)).
					WithPointer(at))
			}
			continue
		}
		if i.Tenant != "" {
			w.lose(diag.New(diag.ProtocolLoss, w.place(at, "/tenant"),
				"tenant %s of interface %s is left out: A2A 0.3 has no tenants", diag.Quote(i.Tenant), diag.Quote(i.URL)).
				WithPointer(at + "/tenant"))
			i.Tenant = ""
		}
		if said := i.Said(); !seen[said] {
			seen[said] = true
			w.flat = append(w.flat, entry{i, n})
		}
	}
	if w.form.Has(Flat) && len(list) > 0 && len(w.flat) == 0 {
		w.lose(diag.New(diag.InterfaceNone, w.place(top, "/supportedInterfaces"),
			"no interface speaks A2A 0.3, a card for 0.3 clients needs one").
			WithPointer("/supportedInterfaces"))
	}
	w.listed = append(w.listed, w.flat...)
}

// writeProvider writes nothing unless both members are there: half a provider is
// no valid one.
func writeProvider(w *wiring, of any, _ string) *source.Node {
	p := as[Card](of).Provider
	const at = "/provider"
	var lacks string
	switch {
	case p == nil || p.Organization == "" && p.URL == "":
		return nil
	case p.Organization == "":
		lacks = "organization"
	case p.URL == "":
		lacks = "url"
	default:
		return w.whole(ProviderMessage, w.form, p, at)
	}
	w.lose(diag.New(diag.ProviderIncomplete, w.place(at, ""), "the provider has no %q and is left out", lacks).
		WithPointer(at).
		WithHint(fmt.Sprintf("give it %q as well", lacks)).
		WithSeverity(diag.Warning))
	return nil
}

func writeCapabilities(w *wiring, of any, _ string) *source.Node {
	capabilities := &as[Card](of).Capabilities
	o := w.whole(CapabilitiesMessage, w.form, capabilities, "/capabilities")
	if len(o.Members) == 0 {
		set(o, "streaming", source.NewBool(false)) // its place is the object's
	}
	return o
}

func writeExtended(w *wiring, of any, _ string) *source.Node {
	c := as[Card](of).Capabilities
	if c.ExtendedAgentCard == nil {
		return nil
	}
	n := source.NewBool(*c.ExtendedAgentCard)
	n.Span = w.place("/capabilities", "/extendedAgentCard")
	return n
}

func writeExtensions(w *wiring, of any, _ string) *source.Node {
	list := as[Capabilities](of).Extensions
	return array(list, w.place("/capabilities", "/extensions"), func(i int, e *Extension) *source.Node {
		return w.whole(ExtensionMessage, w.form, e, nth("/capabilities/extensions", i))
	})
}

func writeParams(w *wiring, of any, at string) *source.Node {
	e := as[Extension](of)
	params, empties := e.Params.Pruned()
	if empties > 0 {
		w.lose(diag.New(diag.ProtocolLoss, w.place(at, "/params"),
			"params of extension %s hold empty values (%d), which are left out: readers disagree on null, \"\", [] and {}",
			diag.Quote(e.URI), empties).
			WithPointer(at + "/params"))
	}
	return w.kept(params, at, "/params")
}

func writeSkills(w *wiring, of any, _ string) *source.Node {
	return array(as[Card](of).Skills, w.place(top, "/skills"), func(i int, s *Skill) *source.Node { return w.skill(s, i) })
}

func (w *wiring) skill(s *Skill, n int) *source.Node {
	at := nth("/skills", n)
	w.required = nil
	if len(s.Security) > 0 {
		w.required = w.requirements(s.Security, at)
	}
	return w.whole(SkillMessage, w.form, s, at)
}

func writeSignatures(w *wiring, of any, _ string) *source.Node {
	list := as[Card](of).Signatures
	return array(list, w.place(top, "/signatures"), func(i int, s *Signature) *source.Node {
		return w.message(SignatureMessage, w.form, s, nth("/signatures", i))
	})
}

func writeHeader(w *wiring, of any, at string) *source.Node {
	header, _ := as[Signature](of).Header.Pruned()
	return w.kept(header, at, "/header")
}

// kept returns a value of free content with the place of the whole, where it has
// none of its own.
func (w *wiring) kept(n *source.Node, at, below string) *source.Node {
	if n == nil {
		return nil
	}
	if n.Span == (diag.Span{}) {
		n.Span = w.place(at, below)
	}
	return n
}

// putExtra sets the members that no version knows, sorted by name, after those
// that one does. Whoever read them has reported what is empty in them.
func (w *wiring) putExtra(o, extra *source.Node, at string) {
	kept, _ := extra.Pruned()
	if kept == nil {
		return
	}
	known := o.Members
	for _, m := range kept.Members {
		if !slices.ContainsFunc(known, func(k source.Member) bool { return k.Key == m.Key }) {
			m.Value = w.kept(m.Value, at, source.Pointer("", m.Key))
			o.Members = append(o.Members, m)
		}
	}
}

// array returns the nodes of a list, but for those that are empty; nil where
// none is left.
func array[T any](list []T, at diag.Span, node func(i int, v *T) *source.Node) *source.Node {
	if len(list) == 0 {
		return nil
	}
	n := &source.Node{Kind: source.Array, Items: make([]*source.Node, 0, len(list)), Span: at}
	for i := range list {
		if item := node(i, &list[i]); !item.Empty() {
			n.Items = append(n.Items, item)
		}
	}
	return orNothing(n)
}

// orNothing returns nil for an empty value.
func orNothing(n *source.Node) *source.Node {
	if n.Empty() {
		return nil
	}
	return n
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
