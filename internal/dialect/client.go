package dialect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Client is a kind of client, and how it takes a card from its document. Nothing
// is repaired: what it does not take is not there for it.
type Client struct {
	Name string          // of the SDK
	Form schema.Protocol // the family of versions whose members it takes

	names  func(member, key string) bool // which other spellings of a name it takes
	merges bool                          // a second value into the first, as encoding/json does; else the last counts
	once   bool                          // it refuses a member that is defined twice
	dict   bool                          // it is ParseDict, after a rewriting that knows one spelling: see row and put
	exact  bool                          // of two spellings the protocol's counts, as in pydantic; else the last
	typed  bool                          // it refuses a value of another type than the protocol's
	single bool                          // it refuses a scheme of several types or flows
	filled bool                          // it refuses a scheme of no type or flow
	scopes bool                          // it refuses scopes that are no plain list (a2a-go issue 430)
	mixes  bool                          // it takes what 0.3 says of schemes and requirements in a card of 1.0
	needs  []string                      // members without which it refuses a card, as message/name
	falls  []string                      // the same for one of 0.3, as which it takes a card without a list of interfaces
}

// snake reports whether a key is a member's name in the protocol buffers.
func snake(member, key string) bool {
	return strings.Contains(key, "_") && schema.SnakeName(member) == key
}

// Clients returns the table, from the sources of the SDKs. Pages and registries have
// no row: they take what they can make sense of, which is what [Read] reads.
func Clients() []Client {
	goNeeds := []string{"card/preferredTransport", "scheme/type"}
	return []Client{
		// JsonFormat of protocol buffers, which a2a-java 1.x reads cards with.
		{Name: "a2a-java", Form: schema.Listed, names: snake, once: true, typed: true, single: true},
		// parse_agent_card of a2a-python 1.x, which rewrites members of 0.3 before ParseDict.
		{
			Name: "a2a-python", Form: schema.Listed, names: snake, typed: true, single: true, mixes: true,
			dict: true, falls: []string{"card/url"},
		},
		// encoding/json: agentcard.DefaultCardParser of a2a-go 2.x, and as it will be without its issue 430.
		{
			Name: "a2a-go", Form: schema.Listed, names: strings.EqualFold, merges: true, typed: true, single: true, filled: true,
			scopes: true,
		},
		{
			Name: "a2a-go", Form: schema.Listed, names: strings.EqualFold, merges: true, typed: true, single: true, filled: true,
		},
		// a2av0.NewAgentCardParser of a2a-go 2.x, which takes both forms.
		{
			Name: "a2a-go", Form: schema.Listed, names: strings.EqualFold, merges: true, typed: true, single: true, filled: true,
			mixes: true, falls: goNeeds,
		},
		// DefaultAgentCardResolver of @a2a-js/sdk 1.x, with legacyCompat.
		{Name: "a2a-js", Form: schema.Listed, needs: []string{"interface/protocolBinding"}, falls: []string{
			"card/capabilities", "card/defaultInputModes", "card/defaultOutputModes", "card/skills", "skill/tags",
			"interface/transport", "scheme/type",
		}},
		// System.Text.Json with the JsonRequired members of A2A 0.3.3 for .NET.
		{
			Name: "a2a-dotnet", Form: schema.Flat, names: strings.EqualFold, typed: true,
			needs: append(required(schema.Flat), "card/preferredTransport"),
		},
		// The pydantic models of a2a-python 0.3, which default protocolVersion.
		{
			Name: "a2a-python 0.3", Form: schema.Flat, names: snake, exact: true, typed: true,
			needs: required(schema.Flat, "card/protocolVersion"),
		},
		// The records of a2a-java 0.3, whose constructors check for null.
		{Name: "a2a-java 0.3", Form: schema.Flat, typed: true, needs: required(schema.Flat, "card/protocolVersion")},
		// encoding/json in a2a-go 0.3, which ignores a url without its transport.
		{Name: "a2a-go 0.3", Form: schema.Flat, names: strings.EqualFold, merges: true, typed: true, needs: goNeeds},
		// A2AClient and ClientFactory of @a2a-js/sdk 0.3, which take the object as it is.
		{Name: "a2a-js 0.3", Form: schema.Flat, needs: []string{"card/url"}},
	}
}

// required returns the members that a version's own definition requires.
func required(p schema.Protocol, but ...string) []string {
	var list []string
	for _, message := range schema.Messages() {
		for _, m := range schema.Members(message) {
			if name := message + "/" + m.Name; m.Required && !m.Lax && m.In.Has(p) && !slices.Contains(but, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// View is a card as a client takes it.
type View struct {
	Card *schema.Card // nil where it cannot use the card
	Why  string       // then: what keeps it from doing so
	// Where is the pointer in the document of what does, and Odd the value there: nil for
	// one that is missing, a list of those of a member that is there twice.
	Where string
	Odd   *source.Node
	Took  *source.Node // the members that it takes
	Form  schema.Protocol
	Words schema.Protocol // the version whose members it had to do with: 0.3 where it mixes both
	Says  string          // the version that a card of 0.3 states, by which it calls all endpoints; "" if it does not look

	document *source.Node      // as the client rewrites it
	origin   *source.Node      // as it is
	places   map[string]string // of interfaces and skills, by their pointers into the card
}

// Take takes a card.
func (c *Client) Take(document *source.Node) View {
	if !document.Is(source.Object) {
		return View{Why: "it is no object"}
	}
	origin := document
	if c.mixes {
		if rewritten := upgraded(origin); !rewritten.Equal(origin) {
			document = rewritten
		}
	}
	t := taking{Client: c, document: document, form: c.Form, needs: c.needs}
	took := t.object(document, schema.CardMessage)
	if c.falls != nil && len(took.Get("supportedInterfaces").Elements()) == 0 {
		document = origin
		t = taking{Client: c, document: document, form: schema.Flat, needs: c.falls}
		took = t.object(document, schema.CardMessage)
	}
	card, interfaces, skills := schema.Read(took, t.form)
	v := View{
		Took: took, Form: t.form, Words: t.form, document: document, origin: origin, places: map[string]string{},
	}
	if document != origin {
		v.Words = schema.Flat
	}
	for i, at := range skills {
		v.places["/skills/"+strconv.Itoa(i)] = at
	}
	if claim := took.Get("protocolVersion").Word(); t.form != c.Form && claim != "" {
		v.Says = cmp.Or(majorMinor(claim), claim)
	}
	usable := card.Interfaces[:0:0]
	for i, e := range card.Interfaces {
		if e.Version = cmp.Or(v.Says, e.Version); e.URL != "" && e.Binding != "" {
			v.places["/supportedInterfaces/"+strconv.Itoa(len(usable))] = interfaces[i]
			usable = append(usable, e)
		}
	}
	if card.Interfaces = usable; len(usable) == 0 {
		list := "supportedInterfaces"
		if t.form.Has(schema.Flat) {
			list = "url"
		}
		t.refuse(document, list, "the card has no interface with a URL and a binding")
	}
	if v.Why = t.why; v.Why == "" {
		v.Card = card
		return v
	}
	v.Where, _ = pointerOf(document, t.at)
	if v.Odd = t.at; t.lacks != "" {
		v.Where, v.Odd = source.Pointer(v.Where, t.lacks), cmp.Or(t.all, t.at.Get(t.lacks))
	}
	v.Where = v.original(v.Where)
	return v
}

// taking is one run of [Client.Take].
type taking struct {
	*Client
	document *source.Node
	form     schema.Protocol
	needs    []string
	why      string       // the first reason to refuse the card
	at       *source.Node // that
	lacks    string       // its member that is missing or there twice, "" where the value is the reason
	all      *source.Node // what a member says that is there twice
}

// refuse notes why a card is refused: a value of the document, or a member of it.
func (t *taking) refuse(at *source.Node, lacks, format string, args ...any) {
	if t.why == "" {
		t.why, t.at, t.lacks = fmt.Sprintf(format, args...), at, lacks
	}
}

// twice refuses an object that defines a member under several keys, or one of them
// several times.
func (t *taking) twice(n *source.Node, member, of string, same func(key string) bool) {
	if t.why != "" {
		return
	}
	t.refuse(n, member, "%s defines %q twice", of, member)
	t.all = &source.Node{Kind: source.Array}
	for _, m := range n.Definitions() {
		if same(m.Key) {
			t.all.Items = append(t.all.Items, m.Value)
		}
	}
}

// pointerOf returns where a value stands in another one.
func pointerOf(in, value *source.Node) (pointer string, ok bool) {
	if in == value {
		return "", true
	}
	for i, item := range in.Items {
		if inner, ok := pointerOf(item, value); ok {
			return fmt.Sprintf("/%d", i) + inner, true
		}
	}
	for _, m := range in.Definitions() {
		if inner, ok := pointerOf(m.Value, value); ok {
			return source.Pointer("", m.Key) + inner, true
		}
	}
	return "", false
}

// object returns the members that the reader takes of an object, as the protocol
// spells them.
func (t *taking) object(n *source.Node, messages ...string) *source.Node {
	out := source.NewObject(len(n.Members))
	out.Span = n.Span
	if flat := n.Get("security"); t.mixes && t.form.Has(schema.Listed) && flat.Is(source.Array) {
		t.requirements(flat, n, messages[0])
	}
	members := n.Definitions()
	rows, given := make([]*schema.Member, len(members)), make([]string, 0, len(members))
	for i, m := range members {
		rows[i] = t.row(m.Key, messages)
		if t.exact && rows[i] != nil && m.Key != rows[i].Name && n.Member(rows[i].Name) != nil {
			rows[i] = nil
		}
		if rows[i] != nil && !m.Value.Is(source.Null) {
			given = append(given, rows[i].Name)
		}
	}
	for _, need := range t.needs {
		message, name, _ := strings.Cut(need, "/")
		if slices.Contains(messages, message) && !slices.Contains(given, name) {
			t.refuse(n, name, "%s lacks %q", t.label(n, message), name)
		}
	}
	for i, m := range members {
		if row := rows[i]; row != nil {
			t.put(out, n, messages[0], row, m.Value)
		}
	}
	return out
}

// row returns the member of one of the messages that a name stands for, nil for
// none.
func (t *taking) row(key string, messages []string) *schema.Member {
	for _, message := range messages {
		rows := schema.Members(message)
		for i := range rows {
			m := &rows[i]
			respelled := t.names != nil && (!t.dict || m.In.Has(schema.Listed)) && t.names(m.Name, key)
			if m.In.Has(t.form) && (m.Name == key || respelled) {
				return m
			}
		}
	}
	return nil
}

// put adds a member, or does with a second one what the reader does.
func (t *taking) put(out, n *source.Node, message string, row *schema.Member, given *source.Node) {
	before, value := out.Member(row.Name), t.value(given, row, n, message)
	same := func(key string) bool { return t.row(key, []string{message}) == row }
	switch {
	case before == nil && value != nil:
		out.Set(row.Name, value)
	case before == nil:
	case t.once, t.dict && value != nil && inOneof(row) && spellings(n, same) > 1:
		t.twice(n, row.Name, t.label(n, message), same)
	case t.merges && row.Of != schema.SchemeMessage && row.Of != schema.RequirementMessage:
		before.Value = merged(before.Value, value)
	default:
		before.Value = value
	}
}

// inOneof reports whether a member is in a oneof of the protocol buffers, as an optional
// scalar is as well.
func inOneof(row *schema.Member) bool {
	return row.Message == schema.SchemeMessage || row.Message == schema.FlowsMessage ||
		row.Optional && row.Kind != source.Object
}

// spellings counts the names of one member that an object gives a value.
func spellings(n *source.Node, same func(key string) bool) (count int) {
	for _, m := range n.Fields() {
		if same(m.Key) && !m.Value.Is(source.Null) {
			count++
		}
	}
	return count
}

// merged returns what encoding/json makes of a value that is read into the one
// before it: of objects, what both say; of lists, that item by item.
func merged(before, value *source.Node) *source.Node {
	if value == nil || !before.Is(value.Kind) {
		return value
	}
	out := *value
	switch value.Kind {
	case source.Object:
		out = *before.WithMembers(slices.Clone(before.Members))
		for _, m := range value.Members {
			if known := out.Member(m.Key); known != nil {
				known.Value = merged(known.Value, m.Value)
			} else {
				out.Set(m.Key, m.Value)
			}
		}
	case source.Array:
		out.Items = slices.Clone(value.Items)
		for i := range min(len(before.Items), len(out.Items)) {
			out.Items[i] = merged(before.Items[i], out.Items[i])
		}
	default:
	}
	return &out
}

// value returns what the reader takes of a member of n, nil for nothing.
func (t *taking) value(v *source.Node, row *schema.Member, n *source.Node, message string) *source.Node {
	switch {
	case v.Is(source.Null):
		return nil
	case v.Kind != row.Kind && t.typed:
		t.refuse(v, "", "%q of %s is %s", row.Name, t.label(n, message), odd(v))
		return nil
	case v.Kind != row.Kind && (!v.Scalar() || row.Kind < source.Bool || row.Kind > source.String):
		return nil
	case row.Of == schema.RequirementMessage && t.form.Has(schema.Flat):
		t.requirements(v, n, message)
		return v.Settled()
	case row.Elem == source.Invalid && row.Of == "":
		return v.Settled()
	case row.Elem == source.Invalid:
		return t.message(v, row.Of)
	}
	return t.entries(v, row, n, message)
}

// requirements refuses requirements of 0.3 with values of another type.
func (t *taking) requirements(list, n *source.Node, message string) {
	if e := oddRequirement(list); e != nil && t.typed {
		t.refuse(e, "", "an entry of \"security\" of %s is %s", t.label(n, message), odd(e))
	}
}

// oddRequirement returns the first value in a list of requirements that is not what
// 0.3 asks for: objects of lists of texts.
func oddRequirement(list *source.Node) *source.Node {
	for _, requirement := range list.Items {
		if !requirement.Is(source.Object) {
			return requirement
		}
		for _, m := range requirement.Definitions() {
			if !m.Value.Is(source.Array) {
				return m.Value
			}
			for _, scope := range m.Value.Items {
				if !scope.Is(source.String) {
					return scope
				}
			}
		}
	}
	return nil
}

// odd says what a value of another type is, with the value where it is short.
func odd(v *source.Node) string {
	if v.Is(source.String) || v.Is(source.Number) || v.Is(source.Bool) {
		return v.Kind.Article() + " (" + shown(v) + ")"
	}
	return v.Kind.Article()
}

// entries returns what the reader takes of a list or a map.
func (t *taking) entries(v *source.Node, row *schema.Member, n *source.Node, message string) *source.Node {
	out := &source.Node{Kind: v.Kind, Span: v.Span}
	entry := func(e *source.Node, what string) *source.Node {
		switch {
		case e.Is(row.Elem) && row.Of != "":
			return t.message(e, row.Of)
		case row.Of == "scopes" && t.scopes:
		case !e.Is(row.Elem) && t.typed:
			t.refuse(e, "", "%s of %q of %s is %s", what, row.Name, t.label(n, message), odd(e))
		case e.Is(source.Object) != (row.Elem == source.Object):
			return nil
		}
		return e
	}
	for _, item := range v.Items {
		if e := entry(item, "an entry"); e != nil {
			out.Items = append(out.Items, e)
		}
	}
	for _, m := range v.Definitions() {
		e := entry(m.Value, "the entry "+diag.Quote(m.Key))
		switch before := out.Member(m.Key); {
		case before != nil && t.once:
			t.twice(v, m.Key, strconv.Quote(row.Name), func(key string) bool { return key == m.Key })
		case before != nil:
			before.Value = e
		case e != nil:
			out.Members = append(out.Members, source.Member{Key: m.Key, KeySpan: m.KeySpan, Value: e})
		}
	}
	return out
}

// message returns what the reader takes of a message in another one.
func (t *taking) message(n *source.Node, message string) *source.Node {
	switch message {
	case schema.SchemeMessage:
		return t.scheme(n)
	case "scopes":
		if t.scopes {
			t.refuse(n, "", "securityRequirements has the form of the specification, which a2a-go cannot read (its issue 430)")
		}
	case schema.FlowsMessage:
		out := t.object(n, message)
		t.count(n, out, "the flows of ")
		return out
	}
	return t.object(n, message)
}

// scheme returns what the reader takes of a security scheme: 0.3 has its members
// beside its type.
func (t *taking) scheme(n *source.Node) *source.Node {
	out := t.object(n, schema.SchemeMessage)
	if t.form.Has(schema.Listed) {
		t.count(n, out, "")
		return out
	}
	kind := schema.SchemeType(out.Get("type").Word())
	if kind.Message() == "" {
		if slices.Contains(t.needs, "scheme/type") {
			t.refuse(n, "", "%s has the type %s", t.label(n, schema.SchemeMessage), diag.Quote(string(kind)))
		}
		return out
	}
	return t.object(n, kind.Message(), schema.SchemeMessage)
}

// count refuses a scheme of several types or flows, or of none.
func (t *taking) count(n, took *source.Node, in string) {
	if t.single && len(took.Members) > 1 || t.filled && len(took.Members) == 0 {
		t.refuse(n, "", "%d types in %s%s, not 1", len(took.Members), in, t.label(n, schema.SchemeMessage))
	}
}

// label names an object of a card in the reason why it is refused.
func (t *taking) label(n *source.Node, message string) string {
	if t.why != "" {
		return "" // of no use
	}
	name, noun := cmp.Or(n.Get("id").Word(), n.Get("url").Word(), n.Get("uri").Word()), schema.Noun(message)
	switch message {
	case schema.CardMessage:
		return "the card"
	case schema.ProviderMessage:
		return noun
	case schema.CapabilitiesMessage:
		return `"capabilities"`
	}
	at, _ := pointerOf(t.document, n)
	tokens := slices.Collect(source.Tokens(at))
	switch _, noun, _ = strings.Cut(noun, " "); {
	case len(tokens) > 1 && tokens[0] == "securitySchemes":
		name = tokens[1]
		if i := slices.Index(tokens, "flows"); i > 1 && i+1 < len(tokens) {
			noun = "flow " + diag.Quote(tokens[i+1]) + " of the " + noun
		}
	case message == schema.RequirementMessage || message == "scopes":
		noun = "security requirement"
	}
	if name != "" {
		return "the " + noun + " " + diag.Quote(name)
	}
	for _, token := range slices.Backward(tokens) {
		if i, err := strconv.Atoi(token); err == nil {
			return fmt.Sprintf("%s %d", noun, i+1)
		}
	}
	return noun
}
