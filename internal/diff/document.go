package diff

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

// Side is one side of a comparison.
type Side struct {
	Card *schema.Card
	// Document is what the card was read from, nil where only the meaning counts.
	Document *source.Node
	// Half returns the card as clients of one version alone read it, nil where it
	// is for one version only.
	Half func(schema.Protocol) *schema.Card
}

// Documents tells what differs between two documents: by meaning, as [Cards]
// does, and then what that says nothing of. A card for two versions states much
// twice, and only the clients of one may notice; or another form says the same.
func Documents(older, newer Side) []Change {
	changes := Cards(older.Card, newer.Card)
	if older.Document == nil || newer.Document == nil || older.Card.Protocol() != newer.Card.Protocol() ||
		older.Document.Equal(newer.Document) {
		return changes
	}
	left := portionsOf(older).differing(portionsOf(newer))
	covered := map[string]bool{}
	for _, c := range changes {
		covered[portion(c.OldPointer, older.Card)], covered[portion(c.NewPointer, newer.Card)] = true, true
	}
	isCovered := func(p part) bool { return covered[p.name] }
	if left = slices.DeleteFunc(left, isCovered); len(left) == 0 {
		return changes
	}
	open := map[string]bool{}
	for _, p := range left {
		open[p.name] = true
	}
	for _, c := range halves(older, newer) {
		was, is := portion(c.OldPointer, older.Card), portion(c.NewPointer, newer.Card)
		if open[was] || open[is] {
			covered[was], covered[is] = true, true
			changes = append(changes, c)
		}
	}
	for _, p := range slices.DeleteFunc(left, isCovered) {
		changes = append(changes, Change{
			Rule: "form-changed", OldPointer: p.pointer(older.Card), NewPointer: p.pointer(newer.Card), Old: p.value(p.older),
			New:     p.value(p.newer),
			Message: p.words() + " is stated in another form, which means the same",
		})
	}
	return arranged(judged(changes))
}

// halves are the changes that the clients of one version alone see.
func halves(older, newer Side) []Change {
	var list []Change
	for _, p := range schema.All.Versions() {
		if older.Half == nil || newer.Half == nil {
			break
		}
		was, is := older.Half(p), newer.Half(p)
		if was == nil || is == nil {
			continue
		}
		for _, c := range Cards(was, is) {
			if who := " for clients of A2A " + p.String(); !strings.HasSuffix(c.Message, who) {
				c.Message += who
			}
			for _, pointer := range []*string{&c.OldPointer, &c.NewPointer} {
				if strings.HasPrefix(*pointer, "/supportedInterfaces/") {
					*pointer = "/supportedInterfaces" // the whole card counts them otherwise
				}
			}
			list = append(list, c)
		}
	}
	return list
}

// part is a portion of a card that can be stated in more than one form.
type part struct {
	name         string // of the portion
	older, newer *source.Node
}

// pointer is where the portion is on a card.
func (p part) pointer(card *schema.Card) string {
	kind, name, inner := strings.Cut(p.name, "/")
	switch {
	case !inner:
		return source.Pointer("", kind)
	case kind == "skills":
		i := slices.IndexFunc(card.Skills, func(s schema.Skill) bool { return cmp.Or(s.ID, s.Name) == name })
		if i < 0 {
			return "/skills"
		}
		return "/skills/" + strconv.Itoa(i)
	}
	return source.Pointer("/"+kind, name)
}

// words says what a portion is called in a message.
func (p part) words() string {
	kind, name, _ := strings.Cut(p.name, "/")
	switch {
	case name == "":
		return p.differing()
	case kind == "skills":
		return "the skill " + diag.Quote(name)
	case kind == "securitySchemes":
		return "the security scheme " + diag.Quote(name)
	}
	return fmt.Sprintf("%s of %q", diag.Quote(name), kind)
}

// differing names the members of the portion that differ.
func (p part) differing() string {
	var names []string
	for _, m := range slices.Concat(p.older.Fields(), p.newer.Fields()) {
		if name := diag.Quote(m.Key); p.differs(m.Key) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func (p part) differs(key string) bool { return !p.older.Get(key).Equal(p.newer.Get(key)) }

// value is what one of the cards says in the portion: its members that differ, or
// the value of the one that it is about.
func (p part) value(side *source.Node) *source.Node {
	if strings.Contains(p.name, "/") && len(side.Fields()) == 1 {
		return side.Members[0].Value
	}
	var list []source.Member
	for _, m := range side.Fields() {
		if p.differs(m.Key) {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return side.WithMembers(list)
}

// portions are the members of a document by what they are about, each as one
// object of all that is said about that.
type portions struct {
	order   []string
	members map[string]*source.Node
}

func (p *portions) add(name, key string, value *source.Node) {
	if p.members[name] == nil {
		p.order = append(p.order, name)
	}
	p.members[name] = p.members[name].With(key, value)
}

// aliases are the members that speak of what another one is about.
var aliases = map[string]string{
	"url":                               "supportedInterfaces",
	"preferredTransport":                "supportedInterfaces",
	"additionalInterfaces":              "supportedInterfaces",
	"protocolVersion":                   "supportedInterfaces",
	"security":                          "securityRequirements",
	"authentication":                    "securityRequirements",
	"supportsAuthenticatedExtendedCard": "capabilities/extendedAgentCard",
}

func portionsOf(s Side) portions {
	p := portions{members: map[string]*source.Node{}}
	for _, m := range s.Document.Members {
		switch {
		case m.Key == "skills" && m.Value.Is(source.Array):
			for _, skill := range m.Value.Items {
				name := "skills/" + cmp.Or(skill.Get("id").Word(), skill.Get("name").Word())
				p.add(name, strconv.Itoa(len(p.members[name].Fields())), plainly(skill))
			}
		case (m.Key == "securitySchemes" || m.Key == "capabilities") && m.Value.Is(source.Object):
			for _, inner := range m.Value.Members {
				p.add(m.Key+"/"+inner.Key, m.Key+"/"+inner.Key, inner.Value)
			}
			if len(m.Value.Members) == 0 {
				p.add(m.Key, m.Key, m.Value)
			}
		default:
			p.add(cmp.Or(aliases[m.Key], m.Key), m.Key, plainMember(m))
		}
	}
	return p
}

// plainly returns a skill with its requirements in one spelling.
func plainly(skill *source.Node) *source.Node {
	if skill.Get("securityRequirements") == nil {
		return skill
	}
	members := slices.Clone(skill.Members)
	for i, m := range members {
		members[i].Value = plainMember(m)
	}
	return skill.WithMembers(members)
}

// plainMember returns requirements in one spelling: a scheme without scopes has an
// empty list, which a card that is signed leaves out.
func plainMember(m source.Member) *source.Node {
	if m.Key != "securityRequirements" || !m.Value.Is(source.Array) {
		return m.Value
	}
	list := *m.Value
	list.Items = slices.Clone(m.Value.Items)
	for i, item := range list.Items {
		schemes := item.Get("schemes")
		if !schemes.Is(source.Object) {
			continue
		}
		named := slices.Clone(schemes.Members)
		for k, s := range named {
			if s.Value.Is(source.Object) && s.Value.Get("list") == nil {
				empty := source.Member{Key: "list", Value: &source.Node{Kind: source.Array}}
				named[k].Value = s.Value.WithMembers(append(slices.Clone(s.Value.Members), empty))
			}
		}
		members := slices.Clone(item.Members)
		for k, m := range members {
			if m.Key == "schemes" {
				members[k].Value = schemes.WithMembers(named)
			}
		}
		list.Items[i] = item.WithMembers(members)
	}
	return &list
}

// differing are the portions that the two documents state differently, in the
// order of the old one, and then of the new one.
func (p portions) differing(newer portions) []part {
	var list []part
	seen := map[string]bool{}
	for _, name := range slices.Concat(p.order, newer.order) {
		was, is := p.members[name], newer.members[name]
		if !seen[name] && !was.Equal(is) {
			list = append(list, part{name, was, is})
		}
		seen[name] = true
	}
	return list
}

// portion returns what a pointer into a card is about.
func portion(pointer string, card *schema.Card) string {
	var tokens []string
	for token := range source.Tokens(pointer) {
		tokens = append(tokens, token)
	}
	switch {
	case len(tokens) == 0:
		return ""
	case len(tokens) == 1:
		return tokens[0]
	case tokens[0] == "skills":
		i, err := strconv.Atoi(tokens[1])
		if err != nil || i >= len(card.Skills) {
			return tokens[0]
		}
		return "skills/" + cmp.Or(card.Skills[i].ID, card.Skills[i].Name)
	case tokens[0] == "securitySchemes", tokens[0] == "capabilities":
		return tokens[0] + "/" + tokens[1]
	}
	return tokens[0]
}
