package mapping

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readCard reads the skills of a card that is there already, and the rest of it
// where the source is to say more.
func readCard(_ context.Context, _ *Reader, tree Tree, src Source) (Gathered, error) {
	data, found, err := bounded(tree, tree.Root, source.MaxCard, "card")
	if err != nil {
		found = diag.List{src.unreadable(tree, err)}
	}
	if data == nil {
		return Gathered{Found: found}, nil
	}
	root, found := source.ParseJSONLenient(tree.Show(tree.Root), data)
	if root == nil {
		return Gathered{Found: found}, nil
	}
	skills, more := card(root)
	g := Gathered{Skills: skills, Found: append(found, more...)}
	if src.Whole {
		g.Found = slices.DeleteFunc(g.Found, func(d diag.Diagnostic) bool { // other sources may have some
			return d.Rule == diag.CardMemberMissing && d.Pointer == "/skills"
		})
		part, more := wholeCard(root, src)
		g.CardPart, g.Found = part, append(g.Found, more...)
	}
	return g, nil
}

// wholeCard is what a card says beside its skills, as it states it. Members that
// A2A does not know are left out, and so are signatures.
func wholeCard(root *source.Node, src Source) (CardPart, diag.List) {
	r := convert.Read(root, convert.ReadOptions{Stated: true, DropUnknown: true})
	if r.Card == nil {
		return CardPart{}, nil // which Card has reported
	}
	b := CardPart{Card: *r.Card, Origin: src.Span}
	b.Card.Skills, b.Card.Signatures, b.Card.Extra = nil, nil, nil
	var places []string
	for _, m := range schema.Members(schema.CardMessage) {
		places = append(places, "/"+m.Name)
	}
	for i := range r.Card.Interfaces {
		places = append(places, fmt.Sprintf("/supportedInterfaces/%d", i))
	}
	for i := range r.Card.Capabilities.Extensions {
		places = append(places, fmt.Sprintf("/capabilities/extensions/%d", i))
	}
	for name := range r.Card.SecuritySchemes {
		places = append(places, source.Pointer("/securitySchemes", name))
	}
	for _, at := range places {
		b.Places = append(b.Places, Place{Pointer: at, Span: r.Place(at)})
	}
	b.Places = append(b.Places, Place{Pointer: "/security", Span: r.Place("/securityRequirements")})
	found := slices.DeleteFunc(r.Found, func(d diag.Diagnostic) bool { return strings.Contains(d.Pointer, "/skills") })
	return b, found
}

// card makes skills of the skills on an existing Agent Card of any version. The rest
// of the card is not looked at. Members of skills that A2A does not know are
// left out.
func card(root *source.Node) ([]Skill, diag.List) {
	card, clean := convert.Read(root, convert.ReadOptions{}), convert.Read(root, convert.ReadOptions{DropUnknown: true})
	found := slices.DeleteFunc(append(clean.Found, clean.Missing...), func(d diag.Diagnostic) bool {
		return card.Card != nil && !strings.Contains(d.Pointer, "/skills")
	})
	if card.Card == nil {
		return nil, found
	}
	var skills []Skill
	for i, s := range card.Card.Skills {
		at := fmt.Sprintf("/skills/%d", i)
		own := maker{whole: card.Place(at)}
		visibility := own.visibility(s.Extra)
		found = append(found, own.found...)
		s.Extra = nil
		skill := Skill{Skill: s, Origin: card.Place(at + "/id"), Visibility: visibility}
		skill.Fallback = slices.Equal(s.Tags, []string{"skill"})
		for _, m := range schema.Members(schema.SkillMessage) {
			if m.Plain() {
				skill.Places = append(skill.Places, Place{Pointer: "/" + m.Name, Span: card.Place(at + "/" + m.Name)})
			}
		}
		skills = append(skills, skill)
	}
	return skills, found
}
