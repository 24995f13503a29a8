package sign

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Attach returns a copy of card with signatures by one key, in the place of those
// that the key made before, else behind those of others. A signatures member that
// is not an array is a finding.
func Attach(card *source.Node, signatures ...schema.Signature) (*source.Node, diag.List) {
	list := &source.Node{Kind: source.Array}
	if old := card.Get("signatures"); old != nil {
		if problem := checkSignatures(old); problem != nil {
			return nil, problem
		}
		list.Items = old.Items
	}
	key, _ := parseHeader(signatures[0].Protected)
	same := func(n *source.Node) bool {
		other, _, err := parseSignature(n)
		return err == nil && other.kid == key.kid
	}
	place := slices.IndexFunc(list.Items, same)
	if place < 0 {
		place = len(list.Items)
	}
	entries := make([]*source.Node, len(signatures))
	for i, s := range signatures {
		entries[i] = entry(s)
	}
	others := slices.DeleteFunc(slices.Clone(list.Items), same)
	list.Items = slices.Insert(others, place, entries...)
	signed := card.Without("signatures")
	signed.Set("signatures", list)
	return signed, nil
}

// entry is an AgentCardSignature (section 4.4.7) on the wire.
func entry(s schema.Signature) *source.Node {
	n := &source.Node{Kind: source.Object}
	n.SetText("protected", s.Protected)
	n.SetText("signature", s.Signature)
	if s.Header != nil {
		n.Set("header", s.Header)
	}
	return n
}
