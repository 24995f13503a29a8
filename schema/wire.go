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

// WireOptions says how a card is written.
type WireOptions struct {
	// Signed tells that the card gets signed: a scheme without scopes in a
	// requirement is {}, not {"list": []}, because a verifier that goes through
	// the protocol's types drops the empty list.
	Signed bool
	// OmitRequirements leaves securityRequirements out, for readers that refuse
	// a card that has them (a2a-go issue 430).
	OmitRequirements bool
}

// Loss is something that the target form of a card cannot hold.
type Loss struct {
	Rule    string // stable id
	Pointer string // RFC 6901, into the card as A2A 1.0 spells it, skills and interfaces in the order of the Card
	Message string // one sentence, lower case, no full stop
	Hint    string // how to mend it, "" when the message says it all
	Fatal   bool   // leaving it out would change what the card promises
}

// version03 is the version that an interface for 0.3 clients states.
const version03 = "0.3"

// Wire gives a card the form that p names, and tells what that form cannot
// hold. Members stand in the order of the specification (1.0: section 4.4.1,
// 0.3: section 5.5), maps are sorted by key and skills by ID. Nothing empty is
// written, whether the specification requires the member or not: [Validate]
// finds those. The exceptions are a scheme without scopes in a requirement, a
// flow without scopes, and capabilities, which claim no streaming where they
// claim nothing else.
func Wire(c *Card, p Protocol, o WireOptions) (*source.Node, []Loss) {
	w := wiring{v10: p != V03, v03: p != V10, options: o}
	w.splitSchemes(c.SecuritySchemes)
	return w.card(c), w.losses
}

// wiring is one run of [Wire].
type wiring struct {
	v10, v03 bool // the versions whose members are written
	options  WireOptions
	schemes  map[string]SecurityScheme // as they are written
	chosen   map[string]bool           // schemes that are split, nil for those that 1.0 cannot hold
	parts    map[string][]part         // of the schemes that were split, by their old name
	dropped  map[string]bool           // schemes that cannot be written
	added    int                       // requirements that splitting added
	losses   []Loss
}

func (w *wiring) lose(l Loss) { w.losses = append(w.losses, l) }

func (w *wiring) card(c *Card) *source.Node {
	interfaces10, interfaces03 := w.interfaces(c.Interfaces)
	requirements := w.requirements(c.Security, "")
	card := object(20)
	if w.v03 {
		card.SetText("protocolVersion", "0.3.0")
	}
	card.SetText("name", c.Name)
	card.SetText("description", c.Description)
	if len(interfaces03) > 0 {
		card.SetText("url", interfaces03[0].URL)
		card.SetText("preferredTransport", interfaces03[0].Binding)
		put(card, "additionalInterfaces", array(interfaces03, additionalInterface))
	}
	if w.v10 {
		put(card, "supportedInterfaces", array(interfaces10, supportedInterface))
	}
	put(card, "provider", w.provider(c.Provider))
	card.SetText("version", c.Version)
	card.SetText("iconUrl", c.IconURL)
	card.SetText("documentationUrl", c.DocumentationURL)
	put(card, "capabilities", w.capabilities(c.Capabilities))
	put(card, "securitySchemes", w.securitySchemes())
	w.putRequirements(card, requirements)
	put(card, "defaultInputModes", texts(c.InputModes))
	put(card, "defaultOutputModes", texts(c.OutputModes))
	put(card, "skills", w.skills(c.Skills))
	if w.v03 {
		setFlag(card, "supportsAuthenticatedExtendedCard", c.Capabilities.ExtendedAgentCard)
	}
	put(card, "signatures", array(c.Signatures, signature))
	putExtra(card, c.Extra)
	return card
}

// interfaces returns the interfaces as the members of 1.0 and of 0.3 list them.
// 0.3 knows neither tenants nor other versions than its own.
func (w *wiring) interfaces(list []Interface) (v10, v03 []Interface) {
	if !w.v03 {
		return list, nil
	}
	seen := map[Interface]bool{}
	for n, i := range list {
		pointer := "/supportedInterfaces/" + strconv.Itoa(n)
		if i.Version != version03 {
			v10 = append(v10, i)
			if !w.v10 {
				w.lose(Loss{Rule: "protocol-loss", Pointer: pointer, Message: fmt.Sprintf("interface %s speaks A2A %s, a 0.3 card lists interfaces for 0.3 only", diag.Quote(i.URL), diag.Quote(i.Version))})
			}
			continue
		}
		if i.Tenant != "" {
			w.lose(Loss{Rule: "protocol-loss", Pointer: pointer + "/tenant", Message: fmt.Sprintf("tenant %s of interface %s is left out, A2A 0.3 knows no tenants", diag.Quote(i.Tenant), diag.Quote(i.URL))})
			i.Tenant = ""
		}
		key := i
		key.Extra = nil
		if !seen[key] {
			seen[key] = true
			v03 = append(v03, i)
		}
	}
	if len(list) > 0 && len(v03) == 0 {
		w.lose(Loss{Rule: "interface-none", Pointer: "/supportedInterfaces", Message: "no interface speaks A2A 0.3, a card for 0.3 clients needs one", Fatal: true})
	}
	return append(v10, v03...), v03
}

func supportedInterface(i Interface) *source.Node {
	o := object(4)
	o.SetText("url", i.URL)
	o.SetText("protocolBinding", i.Binding)
	o.SetText("protocolVersion", i.Version)
	o.SetText("tenant", i.Tenant)
	putExtra(o, i.Extra)
	return o
}

func additionalInterface(i Interface) *source.Node {
	o := object(2)
	o.SetText("url", i.URL)
	o.SetText("transport", i.Binding)
	putExtra(o, i.Extra)
	return o
}

// provider returns nothing unless both members are there: half a provider is
// no valid one.
func (w *wiring) provider(p *Provider) *source.Node {
	if p == nil || *p == (Provider{}) {
		return nil
	}
	if p.Organization == "" || p.URL == "" {
		has, lacks := "organization", "url"
		if p.Organization == "" {
			has, lacks = lacks, has
		}
		w.lose(Loss{Rule: "provider-incomplete", Pointer: "/provider", Message: fmt.Sprintf("the provider has no %q and is left out, with its %q", lacks, has), Hint: fmt.Sprintf("give it %q as well", lacks)})
		return nil
	}
	o := object(2)
	o.SetText("organization", p.Organization)
	o.SetText("url", p.URL)
	putExtra(o, p.Extra)
	return o
}

func (w *wiring) capabilities(c Capabilities) *source.Node {
	o := object(5)
	setFlag(o, "streaming", c.Streaming)
	setFlag(o, "pushNotifications", c.PushNotifications)
	if w.v10 {
		setFlag(o, "extendedAgentCard", c.ExtendedAgentCard)
	}
	if w.v03 {
		setFlag(o, "stateTransitionHistory", c.StateTransitionHistory)
	} else if c.StateTransitionHistory != nil && *c.StateTransitionHistory {
		w.lose(Loss{Rule: "protocol-loss", Pointer: "/capabilities/stateTransitionHistory", Message: `"stateTransitionHistory" is left out, A2A 1.0 does not know it`})
	}
	put(o, "extensions", w.extensions(c.Extensions))
	if len(o.Members) == 0 {
		o.Set("streaming", source.NewBool(false))
	}
	return o
}

func (w *wiring) extensions(list []Extension) *source.Node {
	n := &source.Node{Kind: source.Array}
	for i, e := range list {
		params, empties := prune(e.Params)
		if empties > 0 {
			w.lose(Loss{Rule: "protocol-loss", Pointer: fmt.Sprintf("/capabilities/extensions/%d/params", i), Message: fmt.Sprintf("params of extension %s hold empty values (%d), which are left out: readers disagree on null, \"\", [] and {}", diag.Quote(e.URI), empties)})
		}
		if o := extension(e, params); !o.Empty() {
			n.Items = append(n.Items, o)
		}
	}
	return n
}

func extension(e Extension, params *source.Node) *source.Node {
	o := object(4)
	o.SetText("uri", e.URI)
	o.SetText("description", e.Description)
	if e.Required {
		o.Set("required", source.NewBool(true))
	}
	put(o, "params", params)
	return o
}

func (w *wiring) skills(list []Skill) *source.Node {
	// Losses point at the skill where the caller has it.
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[a].ID, list[b].ID) })
	return array(order, func(n int) *source.Node { return w.skill(&list[n], n) })
}

func (w *wiring) skill(s *Skill, n int) *source.Node {
	o := object(4) // as many as most skills need
	o.SetText("id", s.ID)
	o.SetText("name", s.Name)
	o.SetText("description", s.Description)
	put(o, "tags", texts(s.Tags))
	put(o, "examples", texts(s.Examples))
	put(o, "inputModes", texts(s.InputModes))
	put(o, "outputModes", texts(s.OutputModes))
	if len(s.Security) > 0 {
		w.putRequirements(o, w.requirements(s.Security, "/skills/"+strconv.Itoa(n)))
	}
	putExtra(o, s.Extra)
	return o
}

func signature(s Signature) *source.Node {
	o := object(3)
	o.SetText("protected", s.Protected)
	o.SetText("signature", s.Signature)
	header, _ := prune(s.Header)
	put(o, "header", header)
	return o
}

// putExtra sets the members that no version knows, sorted by name, after those
// that one does. [Read] has told what is empty in them.
func putExtra(o, extra *source.Node) {
	kept, _ := prune(extra)
	if kept == nil {
		return
	}
	known := o.Members
	for _, m := range kept.Members {
		if !slices.ContainsFunc(known, func(k source.Member) bool { return k.Key == m.Key }) {
			o.Set(m.Key, m.Value)
		}
	}
}

// prune returns a value with the members of every object sorted, and without
// whatever is empty at any depth. It tells how much it left out.
func prune(n *source.Node) (kept *source.Node, empties int) {
	if n == nil {
		return nil, 0
	}
	out := *n
	out.Items, out.Members = nil, nil
	for _, item := range n.Items {
		value, dropped := prune(item)
		empties += dropped
		if value != nil {
			out.Items = append(out.Items, value)
		}
	}
	for _, m := range n.Members {
		value, dropped := prune(m.Value)
		empties += dropped
		if value != nil {
			out.Set(m.Key, value)
		}
	}
	if out.Empty() {
		return nil, empties + 1
	}
	slices.SortFunc(out.Members, func(a, b source.Member) int { return cmp.Compare(a.Key, b.Key) })
	return &out, empties
}

// object returns an object with room for so many members.
func object(members int) *source.Node {
	return &source.Node{Kind: source.Object, Members: make([]source.Member, 0, members)}
}

// array returns the nodes of a list, but for those that are empty.
func array[T any](list []T, node func(T) *source.Node) *source.Node {
	n := &source.Node{Kind: source.Array, Items: make([]*source.Node, 0, len(list))}
	for _, v := range list {
		if item := node(v); !item.Empty() {
			n.Items = append(n.Items, item)
		}
	}
	return n
}

// put sets a member unless its value is empty.
func put(o *source.Node, key string, value *source.Node) {
	if !value.Empty() {
		o.Set(key, value)
	}
}

// texts returns the texts of a list that are not empty.
func texts(list []string) *source.Node {
	if slices.Contains(list, "") {
		list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
	}
	return source.NewTexts(list)
}

func setFlag(o *source.Node, key string, flag *bool) {
	if flag != nil {
		o.Set(key, source.NewBool(*flag))
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
