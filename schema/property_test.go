package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

// empties returns the pointers of what is empty and should not be there.
func empties(n *source.Node, pointer, parent string, signed bool) []string {
	if n.Empty() {
		switch {
		case n.Is(source.Array) && !signed && (parent == "schemes" || parent == "security"):
			return nil
		case n.Is(source.Array) && signed && parent == "security":
			return nil
		case n.Is(source.Object) && signed && parent == "schemes":
			return nil
		case n.Is(source.Object) && strings.HasSuffix(pointer, "/scopes"):
			return nil
		}
		return []string{pointer}
	}
	var found []string
	for i, item := range n.Items {
		found = append(found, empties(item, pointer+"/"+strconv.Itoa(i), parent, signed)...)
	}
	for _, m := range n.Members {
		within := parent
		if m.Key == "schemes" || m.Key == "security" || m.Key == "params" {
			within = m.Key
		}
		found = append(found, empties(m.Value, source.Pointer(pointer, m.Key), within, signed)...)
	}
	return found
}

// Whatever the card, what is written is JSON, holds nothing empty, and comes
// out the same again. A card that has every member it needs is valid.
func TestWireOfManyCards(t *testing.T) {
	for seed := range uint64(fixture.Rounds(80, 1000)) {
		for _, holes := range []bool{true, false} {
			card := schematest.Maker{Rand: rand.New(rand.NewPCG(seed, 0)), Holes: holes}.Card()
			for _, form := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
				options := schema.WireOptions{Signed: seed%2 == 1, OmitRequirements: seed%5 == 0}
				node, losses := schema.Wire(card, form, options)
				for _, pointer := range empties(node, "", "", options.Signed) {
					t.Errorf("card %d, %s: empty value at %s", seed, form, pointer)
				}
				text := schema.Write(node)
				if !json.Valid(text) {
					t.Errorf("card %d, %s: no JSON", seed, form)
				}
				again, _ := schema.Wire(card, form, options)
				if string(schema.Write(again)) != string(text) {
					t.Errorf("card %d, %s: other bytes the second time", seed, form)
				}
				if holes || fatal(losses) {
					continue
				}
				for _, f := range schema.ValidateCard(form, node) {
					t.Errorf("card %d, %s: %+v", seed, form, f)
				}
			}
		}
	}
}

func fatal(losses []diag.Diagnostic) bool {
	for _, l := range losses {
		if l.Severity == diag.Error {
			return true
		}
	}
	return false
}
