package mapping

import (
	"iter"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Skill is one skill, as a source or the configuration describes it.
type Skill struct {
	schema.Skill
	// Cards with this skill: `public` is every card, `extended` the extended card alone, `hidden` none.
	Visibility Visibility `key:"visibility" enum:"public extended hidden"`

	Origin diag.Span // the skill as a whole
	Source *Source   // of the agent, nil when the configuration itself has the skill
	Names  []string  // in its source: the name, and the directory of a SKILL.md
	Places []Place   // where its members came from, in no particular order
	// Fallback means that the source gave no tags. Tags then holds what the kind
	// of source has for that case, nothing for most of them.
	Fallback bool
	// Untitled means that the name is the id, because there is no title.
	Untitled bool
	// Placeholder is the description to publish where there is none.
	Placeholder string
	// Input and Output are the JSON Schemas of what the skill takes and gives.
	Input, Output Schema
}

// Known yields what the configuration may call the skill: its id, its names in the
// source, and the ids that these would give.
func (s *Skill) Known() iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(s.ID) {
			return
		}
		for _, name := range s.Names {
			if !yield(name) || !yield(schema.Slug(name)) {
				return
			}
		}
	}
}

// Place is where one member of a skill, or of a card, came from.
type Place struct {
	Pointer string // RFC 6901, relative to the skill or card: "/description", "/tags/0"
	Span    diag.Span
}

// Schema is a JSON Schema as its source spells it. The zero Schema is none.
type Schema struct {
	Node    *source.Node
	Pointer string // RFC 6901, of the schema within its file
}

// CardPart is what a source says about the card itself, beside its skills. The
// configuration counts more, member by member.
type CardPart struct {
	Card   schema.Card // without skills
	Origin diag.Span   // the source as a whole
	Places []Place     // pointers relative to the card; security is spelled as in 0.3, the rest as in 1.0
}

// PlacesOf returns the places of a member of the card and of what lies below
// it. A member without a place of its own has the place of the source.
func (b CardPart) PlacesOf(pointer string) []Place {
	var places []Place
	for _, p := range b.Places {
		if p.Pointer == pointer || strings.HasPrefix(p.Pointer, pointer+"/") {
			places = append(places, p)
		}
	}
	// The first that fits counts.
	return append(places, Place{Pointer: pointer, Span: b.Origin})
}

// Visibility says which cards a skill appears on.
type Visibility string

// The visibilities a skill can have.
const (
	Public   Visibility = "public"   // on every card
	Extended Visibility = "extended" // on the extended card only
	Hidden   Visibility = "hidden"   // on none
)
