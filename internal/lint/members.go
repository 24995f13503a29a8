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

// walker checks the names of the members of a card.
type walker struct {
	in         versions
	recognized bool // the card has the interfaces of some version
	found      map[diag.RuleID]*findings
	unknowns   map[[2]string]*unknownMember // by object and name
	paths      map[string]string            // paths of members by name, see elsewhere
	standIns   map[string]*source.Member    // members that stand for required ones, by the pointers of those
	broken     map[string]bool
	leftovers  []location
}

// unknownMember is a member that the version does not define: it is reported once for all
// objects of a kind.
type unknownMember struct {
	*diag.Diagnostic
	more int
}

func newWalker(in versions, broken map[string]bool) *walker {
	return &walker{
		in: in, found: map[diag.RuleID]*findings{}, unknowns: map[[2]string]*unknownMember{},
		standIns: map[string]*source.Member{}, broken: broken,
	}
}

// of returns the findings of a rule.
func (w *walker) of(rule diag.RuleID) *findings {
	if w.found[rule] == nil {
		w.found[rule] = &findings{rule: rule}
	}
	return w.found[rule]
}

func (w *walker) value(p location, s *shape) {
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

func (w *walker) object(p location, s *shape) {
	taken := w.findStandIns(p, s)
	for m, value := range p.Entries() {
		known := s.members[m.Key]
		switch {
		case known.known(w.in):
			w.empty(value, known, m.Key)
			w.value(value, known)
		case slices.Contains(taken, m), w.misspelled(p, s, m):
		case m.Key == "deviceCode": // scheme-oauth-devicecode says so
		case known != nil:
			w.stray(p, s, m)
		default:
			w.unknown(p, s, m)
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
func (w *walker) findStandIns(p location, s *shape) []*source.Member {
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

// lacks reports whether p has no member of that name, in any spelling.
func lacks(p location, name string) bool {
	return p.Node.Get(name) == nil && spelling(p.Node, name) == nil
}

// fold makes the usual spellings of a name equal.
func fold(name string) string { return schema.FoldName(separators.Replace(name)) }

var separators = strings.NewReplacer("_", "", "-", "")

// misspelled reports a member whose name differs from a known one only in
// letter case and separators.
func (w *walker) misspelled(p location, s *shape, m *source.Member) bool {
	name := s.folded[fold(m.Key)]
	if name == "" || name == m.Key {
		return false
	}
	why := "names are case-sensitive"
	if schema.FoldName(m.Key) == schema.FoldName(name) {
		value := m.Value.Text
		if m.Value.Kind != source.String {
			value = schema.WriteCompact(m.Value)
		}
		why = "clients in Go read its value, " + diag.Quote(value) + ", and others ignore it"
	}
	w.of(diag.CardMemberCase).find(p.Named(m), fmt.Sprintf("rename it to %q", name), "%s must be spelled %q: %s",
		diag.Quote(m.Key), name, why)
	return true
}

// stray reports a member of p that another version of the protocol knows.
func (w *walker) stray(p location, s *shape, m *source.Member) {
	value := p.Child(m.Key, m.Value)
	requirement := m.Key == "security" || m.Key == "securityRequirements"
	if requirement && convert.AsksNothing(value.Node) && value.Node.Kind != source.Array {
		w.unknown(p, s, m)
		return
	}
	counterpart := "security"
	if m.Key == counterpart {
		counterpart = "securityRequirements"
	}
	switch {
	case requirement && len(value.Node.Items)+len(value.Node.Members) > 0 && !offered(p.At(counterpart)):
		w.of(diag.SecurityRequirementShape).find(p.Named(m), fmt.Sprintf("A2A %s reads %q", w.in.Text(), counterpart),
			"%s has its requirement in %q, which A2A %s clients ignore", s.name(), m.Key, w.in.Text())
	case p.Pointer() == "" && !w.in.Has(v03):
		w.leftovers = append(w.leftovers, p.Named(m))
	default:
		w.unknown(p, s, m)
	}
}

// unknown reports a member that the version does not define.
func (w *walker) unknown(p location, s *shape, m *source.Member) {
	object := s.name()
	rule, empty := diag.CardMemberUnknown, false
	switch {
	case object == "the capabilities":
		rule = diag.CapabilityUnknown
	case object == "the card" && slices.Contains([]string{"authentication", "authSchemes", "security"}, m.Key):
		if empty = convert.AsksNothing(m.Value); !empty && m.Key != "security" {
			rule = diag.SecurityLegacy
		}
	}
	id := [2]string{object, m.Key}
	if seen := w.unknowns[id]; seen != nil {
		seen.more++
		return
	}
	hint := w.elsewhere(m.Key)
	if empty {
		hint = asksNothing
	}
	d := w.of(rule).find(p.Named(m), hint, "%s is not a member of %s in A2A %s", diag.Quote(m.Key), object, w.in.Text())
	if rule == diag.SecurityLegacy {
		d.Message = fmt.Sprintf("%q is how cards before 0.3 declared authentication; today's clients ignore it", m.Key)
		d.Hint = "declare securitySchemes, and require them with security"
	}
	w.unknowns[id] = &unknownMember{Diagnostic: d}
}

const asksNothing = "delete it: a card without security requirements needs no credentials"

// countUnknowns says with each unknown member how many more objects have it.
func (w *walker) countUnknowns() {
	for _, s := range w.unknowns {
		if s.more > 0 {
			s.Message += fmt.Sprintf(", and %d more have it", s.more)
		}
	}
}

// elsewhere says where a member of that name belongs, "" where A2A has it nowhere, or in
// several places.
func (w *walker) elsewhere(name string) string {
	if w.paths == nil {
		w.paths = map[string]string{}
		w.addPaths(cardShape(), "")
	}
	if w.paths[name] == "" {
		return ""
	}
	return "it belongs in " + w.paths[name]
}

// addPaths notes where the members of a shape are, "" for a name that is in several places.
func (w *walker) addPaths(s *shape, path string) {
	for key, m := range s.members {
		if !m.known(w.in) {
			continue
		}
		if before, seen := w.paths[key]; seen && before != path+key {
			w.paths[key] = ""
		} else {
			w.paths[key] = path + key
		}
		if s.message == schema.FlowsMessage {
			key = "TYPE"
		}
		w.addPaths(m, path+key+".")
	}
	for _, typed := range s.byType {
		w.addPaths(typed, path)
	}
	switch {
	case s.entry == nil:
	case s.kind == source.Array:
		w.addPaths(s.entry, strings.TrimSuffix(path, ".")+"[].")
	default:
		w.addPaths(s.entry, path+"NAME.")
	}
}

// mayBeEmpty are the optional members that say something when they are empty.
func mayBeEmpty(key string) bool {
	return key == "list" || key == "scopes" || key == "schemes" || key == "mtlsSecurityScheme"
}

// empty reports an optional member that holds nothing.
func (w *walker) empty(value location, s *shape, key string) {
	needs := func(m *shape) bool { return m.required && m.known(w.in) }
	switch {
	case value.Node.Is(source.Null), !value.Node.Empty(), mayBeEmpty(key):
	case needs(s), s.kind != value.Node.Kind, slices.ContainsFunc(slices.Collect(maps.Values(s.members)), needs):
		// the schema says so
	default:
		w.of(diag.CardEmptyOptional).find(value, "leave the member out", "%q is empty, which makes signatures ambiguous", key)
	}
}
