package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// walker looks at the names of the members of a card.
type walker struct {
	in         versions
	recognized bool // the card has the interfaces of some version
	faults     map[diag.RuleID]*faults
	again      map[[2]string]int         // index of the finding about an unknown member, by object and name
	standIns   map[string]*source.Member // members that stand for required ones, by the pointers of those
	broken     map[string]bool
}

func (w *walker) fault(rule diag.RuleID, f finding) {
	if all := w.room(rule); all != nil {
		all.list = append(all.list, f)
	}
}

// room returns the findings of a rule when there is room for one more, else it
// counts one.
func (w *walker) room(rule diag.RuleID) *faults {
	all := w.faults[rule]
	switch {
	case all == nil:
		all = &faults{}
		w.faults[rule] = all
	case len(all.list) >= most:
		all.more++
		return nil
	}
	return all
}

func (w *walker) value(p place, s *shape) {
	s = s.of(p.Node)
	switch {
	case !s.known(w.in), len(w.broken) > 0 && w.broken[p.Pointer()]:
	case p.Node.Kind == source.Object && s.members != nil:
		w.object(p.Anchored(), s)
	case s.entry == nil:
	case p.Node.Kind == source.Object:
		for _, value := range p.Entries() {
			w.value(value, s.entry)
		}
	case p.Node.Kind == source.Array:
		for item := range p.List() {
			w.value(item, s.entry)
		}
	}
}

func (w *walker) object(p place, s *shape) {
	taken := w.findStandIns(p, s)
	for m, value := range p.Entries() {
		known := s.members[m.Key]
		switch {
		case known.known(w.in):
			w.empty(value, known, m.Key)
			w.value(value, known)
		case slices.Contains(taken, m), w.misspelled(value, s, m):
		case m.Key == "deviceCode": // scheme-oauth-devicecode says so
		case known != nil:
			w.stray(p, value, s, m)
		default:
			w.unknown(value, s, m)
		}
	}
}

// aliases are names by which real cards call required members.
var aliases = map[string][]string{
	"protocolBinding": {"transport", "protocol", "type"},
	"transport":       {"protocolBinding", "protocol", "type"},
	"protocolVersion": {"version"},
	"url":             {"uri", "endpoint"},
	"organization":    {"name"},
	"in":              {"location"},
	"location":        {"in"},
}

// findStandIns notes the members of p that were meant to be required ones, and
// returns those that go by an alias.
func (w *walker) findStandIns(p place, s *shape) []*source.Member {
	var taken []*source.Member
	for name, m := range s.members {
		if !m.required || !m.known(w.in) || p.Node.Get(name) != nil {
			continue
		}
		at := source.Pointer(p.Pointer(), name)
		if m := spelling(p.Node, name); m != nil {
			w.standIns[at] = m
			continue
		}
		for _, key := range aliases[name] {
			if m := p.Node.Member(key); m != nil && !s.members[key].known(w.in) {
				w.standIns[at] = m
				taken = append(taken, m)
				break
			}
		}
	}
	return taken
}

// spelling returns the member of n whose name differs from name in letter case
// and separators only.
func spelling(n *source.Node, name string) *source.Member {
	for i := range n.Members {
		if key := n.Members[i].Key; key != name && len(key) < 2*len(name) && fold(key) == fold(name) {
			return &n.Members[i]
		}
	}
	return nil
}

// fold makes the usual spellings of a name equal.
func fold(name string) string { return schema.FoldName(separators.Replace(name)) }

var separators = strings.NewReplacer("_", "", "-", "")

// misspelled reports a member whose name differs from a known one only in
// letter case and separators.
func (w *walker) misspelled(value place, s *shape, m *source.Member) bool {
	name := s.folded[fold(m.Key)]
	if name == "" || name == m.Key {
		return false
	}
	f := fault(value, fmt.Sprintf("rename it to %q", name), "%s must be spelled %q: names are case-sensitive",
		quote(m.Key), name).named(m)
	if schema.FoldName(m.Key) == schema.FoldName(name) {
		f.message = fmt.Sprintf("%s must be spelled %q: clients in Go read its value, %s, and others ignore it",
			quote(m.Key), name, quoteValue(m.Value))
	}
	w.fault(diag.CardMemberCase, f)
	return true
}

// stray reports a member of p that another version of the protocol knows.
func (w *walker) stray(p, value place, s *shape, m *source.Member) {
	requirement := m.Key == "security" || m.Key == "securityRequirements"
	if requirement && convert.AsksNothing(value.Node) && value.Node.Kind != source.Array {
		w.unknown(value, s, m)
		return
	}
	if kind := s.members[m.Key].kind; kind != value.Node.Kind && !value.Node.Is(source.Null) {
		w.fault(diag.CardMemberType, fault(value,
			fmt.Sprintf("A2A %s does not define this member, other versions do", w.in.Text()), "%q is %s, must be %s", m.Key,
			value.Node.Kind.Article(), kind.Article()))
	}
	switch {
	case requirement && (offered(value) || value.Node.Is(source.Object) && len(value.Node.Members) > 0) &&
		!offered(p.At(counterpart(m.Key))):
		w.fault(diag.SecurityRequirementShape, fault(value, fmt.Sprintf("A2A %s reads %q", w.in.Text(), counterpart(m.Key)),
			"%s has its requirement in %q, which A2A %s clients ignore", s.name(), m.Key, w.in.Text()).named(m))
	case p.Pointer() == "" && !w.in.Has(v03):
		w.fault(diag.DualLeftover, finding{at: value, name: m, message: m.Key})
	default:
		w.unknown(value, s, m)
	}
}

func counterpart(key string) string {
	if key == "security" {
		return "securityRequirements"
	}
	return "security"
}

// unknown reports a member that the version does not define: each name once
// for all objects of its kind.
func (w *walker) unknown(value place, s *shape, m *source.Member) {
	object := s.name()
	rule := diag.CardMemberUnknown
	f := finding{at: value, name: m}
	switch {
	case object == "the capabilities":
		rule = diag.CapabilityUnknown
	case object == "the card" && slices.Contains([]string{"authentication", "authSchemes", "security"}, m.Key):
		if convert.AsksNothing(m.Value) {
			f.hint = asksNothing
		} else if m.Key != "security" {
			rule = diag.SecurityLegacy
		}
	}
	id := [2]string{object, m.Key}
	if i, seen := w.again[id]; seen {
		w.faults[rule].list[i].again++
		return
	}
	all := w.room(rule)
	if all == nil {
		return
	}
	f.message = fmt.Sprintf("%s is not a member of %s in A2A %s", quote(m.Key), object, w.in.Text())
	if f.hint == "" {
		f.hint = w.elsewhere(m.Key)
	}
	if slices.ContainsFunc([]string{"contactEmail", "contact", "email", "supportEmail"}, func(name string) bool {
		return fold(name) == fold(m.Key)
	}) {
		f.hint = "no version of A2A has a contact; use a page in documentationUrl or provider.url"
	}
	if rule == diag.SecurityLegacy {
		f.message = fmt.Sprintf("%q is how cards before 0.3 declared authentication; today's clients ignore it", m.Key)
		f.hint = "declare securitySchemes, and require them with security"
	}
	w.again[id] = len(all.list)
	all.list = append(all.list, f)
}

const asksNothing = "delete it: a card without security requirements needs no credentials"

// elsewhere says where a member of that name belongs, "" where A2A has it nowhere, or in
// several places.
func (w *walker) elsewhere(name string) string {
	interfaces := "supportedInterfaces[]."
	if !w.in.Has(v10) {
		interfaces = "additionalInterfaces[]."
	}
	paths := map[string]string{
		schema.CardMessage: "", schema.CapabilitiesMessage: "capabilities.", schema.ProviderMessage: "provider.",
		schema.ExtensionMessage: "capabilities.extensions[].", schema.SkillMessage: "skills[].",
		schema.InterfaceMessage: interfaces, schema.SignatureMessage: "signatures[].",
		schema.FlowsMessage: "securitySchemes.NAME.flows.",
	}
	for _, t := range schema.SchemeTypes() {
		paths[t.Message()] = "securitySchemes.NAME."
	}
	for _, t := range schema.FlowTypes() {
		paths[t.Message()] = "securitySchemes.NAME.flows.TYPE."
	}
	found := map[string]bool{}
	for message, path := range paths {
		if slices.ContainsFunc(schema.Members(message),
			func(m schema.Member) bool { return m.Name == name && w.in.Has(m.In) }) {
			found[path] = true
		}
	}
	if len(found) != 1 {
		return ""
	}
	return "it belongs in " + slices.Collect(maps.Keys(found))[0] + name
}

// mayBeEmpty are the optional members that say something when they are empty.
func mayBeEmpty(key string) bool {
	return key == "list" || key == "scopes" || key == "schemes" || key == "mtlsSecurityScheme"
}

// empty reports an optional member that holds nothing.
func (w *walker) empty(value place, s *shape, key string) {
	needs := func(m *shape) bool { return m.required && m.known(w.in) }
	switch {
	case value.Node.Is(source.Null), !value.Node.Empty(), mayBeEmpty(key):
	case needs(s), s.kind != value.Node.Kind, slices.ContainsFunc(slices.Collect(maps.Values(s.members)), needs):
		// the schema says so
	default:
		w.fault(diag.CardEmptyOptional, fault(value, "leave the member out", "%q is empty, which makes signatures ambiguous",
			key))
	}
}
