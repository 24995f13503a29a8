package mapping

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/schema"
)

func cardFormat() Format {
	return Format{
		Type: TypeCard, Title: "An agent card that is there already.", Path: "The file",
		usage:  "a card source is a file with an agent card",
		Files:  `agent([-_]card)?\.json`,
		Detect: undetected, // init describes the agent by it
		read:   readCard,
	}
}

// readCard reads the skills of a card that is there already.
func readCard(_ context.Context, r *Reader, tree Tree, src Source) (Gathered, error) {
	limits := r.Limits.WithDefaults()
	data, found, err := bounded(tree, tree.Root, limits.Card, "card")
	if err != nil {
		found = diag.List{unusableSource(src, safefile.Reason(err))}
	}
	if data == nil {
		return Gathered{Found: found}, nil
	}
	root, found := source.ParseJSONLenient(tree.Show(tree.Root), data, limits)
	if root == nil {
		return Gathered{Found: found}, nil
	}
	skills, more := Card(root)
	return Gathered{Skills: skills, Found: append(found, more...)}, nil
}

// Card makes skills of those of an existing Agent Card of any version. The rest
// of the card is not looked at. Members of skills that A2A does not know are
// left out.
func Card(root *source.Node) ([]Skill, diag.List) {
	card := dialect.Read(root, dialect.ReadOptions{})
	found := slices.DeleteFunc(append(card.Found, card.Missing...), func(d diag.Diagnostic) bool {
		return card.Card != nil && !strings.Contains(d.Pointer, "/skills")
	})
	if card.Card == nil {
		return nil, found
	}
	var skills []Skill
	for i, s := range card.Card.Skills {
		at := fmt.Sprintf("/skills/%d", i)
		s.Extra = nil
		skill := Skill{Skill: s, Origin: card.Place(at + "/id"), Visibility: Public}
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
