package golden_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"cardwright/internal/config"
	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/lint"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

// found is a member of the table on a card, and where it stands there.
type found struct {
	schema.Member
	pointer string
	holder  string // pointer of the message
}

// goesWith reports whether a finding names what holds the member as lost.
func (f found) goesWith(d diag.Diagnostic) bool {
	return strings.HasPrefix(f.holder, d.Pointer) && d.Pointer != "" && d.Severity > diag.Info
}

// tour finds everything that a card of one version has of the table, the first
// of each.
type tour struct {
	v    schema.Protocol
	seen map[string]bool
	list []found
}

func membersOn(card *source.Node, v schema.Protocol) []found {
	w := tour{v: v, seen: map[string]bool{}}
	w.message(schema.CardMessage, card, "")
	return w.list
}

func (w *tour) message(name string, n *source.Node, at string) {
	for _, m := range schema.Members(name) {
		value := n.Get(m.Name)
		if !m.In.Has(w.v) || value == nil {
			continue
		}
		pointer := source.Pointer(at, m.Name)
		if !w.seen[name+"/"+m.Name] {
			w.seen[name+"/"+m.Name] = true
			w.list = append(w.list, found{m, pointer, at})
		}
		switch {
		case m.Of == "":
		case m.Kind == source.Array:
			for i, item := range value.Items {
				w.message(m.Of, item, pointer+"/"+strconv.Itoa(i))
			}
		case m.Elem == source.Object:
			for _, e := range value.Members {
				w.message(m.Of, e.Value, source.Pointer(pointer, e.Key))
			}
		default:
			w.message(m.Of, value, pointer)
		}
	}
	if kind := n.Get("type"); name == schema.SchemeMessage && kind != nil {
		w.message(kind.Text, n, at)
	}
}

// full is the card that has everything, in the form of one version.
func full(t *testing.T, v schema.Protocol) *source.Node {
	t.Helper()
	card := schematest.FullCard()
	for i := range card.Interfaces {
		if card.Interfaces[i].Speaks() == schema.V10 && v.Has(schema.Listed) {
			card.Interfaces[i].Version = v.String()
		}
	}
	return wired(card, v)
}

func wired(card *schema.Card, v schema.Protocol) *source.Node {
	node, _ := schema.Wire(card, v, schema.WireOptions{Signed: true})
	return node
}

// with returns the card with another value at a pointer.
func with(t *testing.T, card *source.Node, pointer, name string, value *source.Node) *source.Node {
	t.Helper()
	out, _ := source.ParseJSON("card.json", schema.Write(card))
	holder, ok := out.Find(pointer)
	if !ok {
		t.Fatalf("nothing at %s", pointer)
	}
	if m := holder.Member(name); m != nil {
		m.Value = value
	} else {
		holder.Set(name, value)
	}
	return out
}

// otherwise returns another value of the same type, nil for one that is only a
// frame for others.
func otherwise(m schema.Member, n *source.Node) *source.Node {
	switch {
	case m.Kind == source.Bool:
		return source.NewBool(n.Text != "true")
	case n.Text == "header": // where a key is sent, which is not just any text
		return source.NewText("query")
	case m.Kind == source.String:
		return source.NewText(n.Text + "x")
	case m.Elem == source.String && m.Kind == source.Array:
		return source.NewTexts([]string{"text/other"})
	case m.Of == "": // a map of texts, or anything
		out := source.NewObject(1)
		out.SetText("other", "other")
		return out
	}
	return nil
}

func read(t *testing.T, n *source.Node) *convert.Reading {
	t.Helper()
	root, faults := source.ParseJSON("card.json", schema.Write(n))
	if faults != nil {
		t.Fatal(faults)
	}
	return convert.Read(root, convert.ReadOptions{})
}

// Everything that a card consists of is known to everything that deals with
// cards. Whoever adds a member to the table learns here what it lacks.
func TestMembers(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range schema.All.Versions() {
		t.Run(v.String(), func(t *testing.T) {
			card := full(t, v)
			r := read(t, card)
			if again := wired(r.Card, v); len(r.Found)+len(r.Missing) > 0 || !again.Equal(card) {
				t.Errorf("reading it back: %v %v\n%s", r.Found, r.Missing, schema.Write(again))
			}
			before := was{
				card: card, v: v, Reading: r,
				forms: map[schema.Protocol]*source.Node{}, lost: map[schema.Protocol]diag.List{},
			}
			for _, form := range schema.All.Versions() {
				before.forms[form], before.lost[form] = convert.Convert(r, form)
			}
			for _, m := range membersOn(card, v) {
				name := m.Message + "/" + m.Name
				seen[v.String()+" "+name] = true
				t.Run(name, func(t *testing.T) {
					checkType(t, card, v, m)
					before.checkChange(t, m)
				})
			}
		})
	}
	for _, v := range schema.All.Versions() {
		for name := range schematest.Reachable(v) {
			if !seen[v.String()+" "+name] {
				t.Errorf("schematest.FullCard has no %s for %s, or it is not written", name, v)
			}
		}
	}
}

// checkType demands that lint and the JSON Schema know the type of a member.
func checkType(t *testing.T, card *source.Node, v schema.Protocol, m found) {
	t.Helper()
	broken := with(t, card, m.holder, m.Name, source.NewInt(7))
	judged := lint.Card(broken, lint.Options{Protocol: v})
	for _, d := range judged {
		if d.Pointer == m.pointer || strings.HasPrefix(d.Pointer, m.pointer+"/") || d.Pointer == m.holder && m.holder != "" {
			return
		}
	}
	t.Errorf("lint says nothing of a number at %s: %v", m.pointer, judged)
}

// was is a card before a change, in each version.
type was struct {
	card *source.Node
	v    schema.Protocol
	*convert.Reading
	forms map[schema.Protocol]*source.Node
	lost  map[schema.Protocol]diag.List
}

// checkChange demands that a change of a member is reported by diff, with its class,
// shows in the card of every other version or is named as lost.
func (w was) checkChange(t *testing.T, m found) {
	t.Helper()
	value, _ := w.card.Find(m.pointer)
	other := otherwise(m.Member, value)
	if other == nil || m.Message+"/"+m.Name == "card/protocolVersion" { // which says what the form says
		return
	}
	newer := read(t, with(t, w.card, m.holder, m.Name, other))
	if changes := diff.Cards(w.Card, newer.Card); len(changes) == 0 || changes[0].Rule.String() == "" {
		t.Errorf("diff says nothing of a change of %s", m.pointer)
	}
	for _, form := range schema.All.Versions() {
		if form == w.v {
			continue
		}
		after, is := convert.Convert(newer, form)
		named := slices.ContainsFunc(slices.Concat(w.lost[form], is), func(d diag.Diagnostic) bool {
			return strings.Contains(d.Pointer, m.Name) || strings.Contains(d.Message, m.Name) ||
				strings.HasPrefix(m.pointer, "/signatures") && d.Rule == diag.ConvertDropped ||
				m.goesWith(d)
		})
		if w.forms[form].Equal(after) && !named {
			t.Errorf("a change of %s does not show in a card for %s, and nothing names it as lost: %v", m.pointer, form, is)
		}
	}
}

// no one is a member that no version of A2A knows.
const nobody = "xNobody"

// Members that no one knows are known as such to everything that deals with
// cards, wherever they stand.
func TestUnknownMembers(t *testing.T) {
	for _, v := range schema.All.Versions() {
		card := full(t, v)
		done := map[string]bool{
			"scopes":                true, // whose entries are names
			schema.SignatureMessage: true, // no signature covers signatures
		}
		for _, m := range membersOn(card, v) {
			if done[m.Message] {
				continue
			}
			done[m.Message] = true
			t.Run(v.String()+"/"+m.Message, func(t *testing.T) {
				checkUnknown(t, card, v, m)
			})
		}
		for i, skill := range card.Get("skills").Items {
			if skill.Get("securityRequirements") == nil {
				continue
			}
			t.Run(v.String()+"/requirement of a skill", func(t *testing.T) {
				checkUnknown(t, card, v, found{holder: "/skills/" + strconv.Itoa(i) + "/securityRequirements/0"})
			})
		}
	}
}

// checkUnknown puts such a member into the message that holds another one.
func checkUnknown(t *testing.T, card *source.Node, v schema.Protocol, m found) {
	t.Helper()
	at := source.Pointer(m.holder, nobody)
	with := func(text string) *source.Node { return with(t, card, m.holder, nobody, source.NewText(text)) }
	named := func(found diag.List) bool {
		return slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
			return strings.Contains(d.Message, nobody) || d.Pointer == at
		})
	}
	if found := lint.Card(with("a"), lint.Options{Protocol: v}); !named(found) {
		t.Errorf("lint says nothing of %s: %v", at, found)
	}
	older, newer := read(t, with("a")), read(t, with("b"))
	if !named(older.Found) {
		t.Errorf("reading says nothing of %s: %v", at, older.Found)
	}
	side := func(r *convert.Reading) diff.Side {
		return diff.Side{Card: r.Card, Document: r.Document(), Pointer: r.Pointer}
	}
	changes := diff.Documents(side(older), side(newer))
	reported := func(c diff.Change) bool { // what flows and requirements hold differs in form
		return strings.Contains(c.Message, nobody) && c.Rule == diag.UnknownMemberChanged ||
			strings.HasPrefix(at, c.Pointer()+"/") && c.Rule == diag.FormChanged
	}
	if !slices.ContainsFunc(changes, reported) {
		t.Errorf("diff says nothing of a change of %s: %v", at, changes)
	}
	for _, form := range schema.All.Versions() {
		before, lost := convert.Convert(older, form)
		after, _ := convert.Convert(newer, form)
		kept := func(d diag.Diagnostic) bool { return d.Rule != diag.ConvertDropped }
		gone := slices.DeleteFunc(slices.Clone(older.Found), kept)
		if before.Equal(after) && !named(slices.Concat(gone, lost)) && !slices.ContainsFunc(lost, m.goesWith) {
			t.Errorf("%s is not in a card for %s, and nothing names it as lost: %v", at, form, lost)
		}
	}
	if !v.Has(schema.Listed) {
		return
	}
	hazards := sign.Hazards(with("a"))
	if !slices.ContainsFunc(hazards, func(d diag.Diagnostic) bool { return d.Pointer == at }) {
		t.Errorf("sign says nothing of %s: %v", at, hazards)
	}
}

// The configuration has a key for every member that the table gives one, and a
// card gets from it what it says.
func TestMembersAreConfigured(t *testing.T) {
	want := schematest.FullCard()
	loaded, faults := config.Load(schematest.Config, config.Options{File: "cardwright.yaml"})
	if loaded == nil || len(faults) > 0 {
		t.Fatal(faults)
	}
	got := &loaded.Agents[0].Card
	same := func(message string, a, b any) {
		for _, m := range schema.Members(message) {
			if m.Plain() && m.Key() != "" && (m.In.Has(schema.Listed) || !m.Moved) && !m.Same(a, b) {
				t.Errorf("%s of %s is not as the configuration says it", m.Name, message)
			}
		}
	}
	same(schema.CardMessage, got, want)
	same(schema.ProviderMessage, got.Provider, want.Provider)
	same(schema.CapabilitiesMessage, &got.Capabilities, &want.Capabilities)
	same(schema.ExtensionMessage, &got.Capabilities.Extensions[0], &want.Capabilities.Extensions[0])
	same(schema.SkillMessage, &loaded.Agents[0].Skills.Add[0].Skill, &want.Skills[0])
	for i := range want.Interfaces {
		same(schema.InterfaceMessage, &got.Interfaces[i], &want.Interfaces[i])
	}
	for name, s := range want.SecuritySchemes {
		have := got.SecuritySchemes[name]
		same(s.Type.Message(), &have, &s)
		for i := range have.Flows {
			j := slices.IndexFunc(s.Flows, func(f schema.Flow) bool { return f.Type == have.Flows[i].Type })
			same(have.Flows[i].Type.Message(), &have.Flows[i], &s.Flows[j])
		}
	}
}

// Every text of the card can be given on the command line: to generate by its
// key, to convert by its name.
func TestMembersAreSet(t *testing.T) {
	const given = "https://given.example/x"
	for _, m := range schema.Members(schema.CardMessage) {
		if m.Kind != source.String || !m.Plain() {
			continue
		}
		options := config.Options{File: "cardwright.yaml", Set: []string{m.Key() + "=" + given}}
		loaded, faults := config.Load(schematest.Config, options)
		if loaded == nil || len(faults) > 0 || m.Text(&loaded.Agents[0].Card) != given {
			t.Errorf("generate --set %s: %v", m.Key(), faults)
		}
		if !m.Settable {
			t.Errorf("convert unknown key  for --set%s", m.Name)
		}
	}
	newest := schema.Listed.Versions()[0]
	for _, name := range schema.Settable() {
		r := convert.Read(full(t, newest), convert.ReadOptions{Set: map[string]string{name: given}})
		if text := schema.Write(wired(r.Card, newest)); !strings.Contains(string(text), given) {
			t.Errorf("convert --set %s shows nowhere on the card", name)
		}
	}
}
