package jsonschema

import (
	"errors"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cardwright/internal/source"
)

// How many skills of a card, or agents of a configuration, are validated in one go.
// That takes several times their memory, and there may be very many.
const (
	PortionSize      = 1000
	agentPortionSize = 100
)

// portion is a document with some of its skills, or agents, and all else.
type portion struct {
	doc   *source.Node
	key   string // of the member that is divided, "" for none
	first int    // index of its first item in the whole document
	found []finding
}

// portions divides a document. One without many skills or agents is one portion.
func portions(doc *source.Node) []*portion {
	key, size := "skills", PortionSize
	if doc.Get(key) == nil {
		key, size = "agents", agentPortionSize
	}
	long := doc.Get(key)
	if !long.Is(source.Array) || len(long.Items) <= size {
		return []*portion{{doc: doc}}
	}
	at := slices.IndexFunc(doc.Members, func(m source.Member) bool { return m.Key == key })
	var list []*portion
	for items := range slices.Chunk(long.Items, size) {
		part := *doc
		part.Members = slices.Clone(doc.Members)
		part.Members[at].Value = &source.Node{Kind: source.Array, Items: items}
		list = append(list, &portion{doc: &part, key: key, first: len(list) * size})
	}
	return list
}

// validate checks the portion against JSON Schemas.
func (p *portion) validate(by []Validator) {
	v := value(p.doc)
	for _, s := range by {
		if err, ok := errors.AsType[*jsonschema.ValidationError](s.schema.Validate(v)); ok {
			p.place(err)
			p.found = append(p.found, s.findings(err)...)
		}
	}
}

// place makes the places of an error about the portion those in the whole
// document.
func (p *portion) place(err *jsonschema.ValidationError) {
	if path := err.InstanceLocation; len(path) > 1 && path[0] == p.key {
		if i, fault := strconv.Atoi(path[1]); fault == nil {
			err.InstanceLocation = slices.Concat(path[:1], []string{strconv.Itoa(p.first + i)}, path[2:])
		}
	}
	for _, cause := range err.Causes {
		p.place(cause)
	}
}
