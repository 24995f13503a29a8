package convert_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Whatever a document says is in the card that comes out, or a finding is about it.
func TestNothingIsLostInSilence(t *testing.T) {
	for _, data := range slices.Concat(dialects(t), fixture.Files(t, "testdata/cards/*.json"),
		fixture.Files(t, "testdata/convert/*.json")) {
		root, _ := source.ParseJSON("card.json", data)
		if root == nil {
			continue
		}
		for _, p := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
			for _, drop := range []bool{false, true} {
				r := convert.Read(root, convert.ReadOptions{DropUnknown: drop})
				node, lost := convert.Convert(r, p)
				if node == nil || len(r.Missing) > 0 {
					continue
				}
				c := silence{said: map[string]bool{}, about: map[diag.Span]bool{}}
				for _, d := range slices.Concat(r.Found, lost) {
					c.about[start(d.Span)] = true
					for _, also := range d.Related {
						c.about[start(also.Span)] = true
					}
				}
				c.hear(node)
				for pointer := range c.lost(source.At(root, "")) {
					t.Errorf("to %s (drop %t): %s is lost in silence of\n%s", p, drop, pointer, data)
				}
			}
		}
	}
}

// silence compares a document with the card that comes out.
type silence struct {
	said  map[string]bool    // the texts of the card
	about map[diag.Span]bool // where the findings begin
}

func start(s diag.Span) diag.Span { return diag.Span{File: s.File, Line: s.Line, Column: s.Column} }

func (c silence) hear(n *source.Node) {
	c.said[n.Text] = true
	for _, item := range n.Items {
		c.hear(item)
	}
	for _, m := range n.Members {
		c.hear(m.Value)
	}
}

// lost iterates over the pointers of texts that are not in the card, and that neither a
// finding about them nor one about what they are in explains. The forms of A2A say in
// their own way which version and transport an endpoint speaks, and the type of a scheme.
func (c silence) lost(p source.Location) iter.Seq[string] {
	return func(yield func(string) bool) {
		form := p.Token() == "protocolVersion" || p.Token() == "preferredTransport" ||
			strings.HasPrefix(p.Pointer(), "/securitySchemes/") && p.Token() == "type"
		switch {
		case form, p.Pointer() != "" && c.about[start(p.Where())]:
			return
		case p.Node.Is(source.String) && p.Node.Text != "" && !c.said[p.Node.Text]:
			yield(p.Pointer())
		}
		for item := range p.List() {
			c.lost(item)(yield)
		}
		for m, v := range p.Entries() {
			if !c.about[start(m.KeySpan)] {
				c.lost(v)(yield)
			}
		}
	}
}
