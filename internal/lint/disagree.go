package lint

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/schema"
)

var disagreementChecks = checks{
	diag.DualDisagree: {v10, dualDisagree},
}

// dualDisagree compares what clients of 1.0 and clients of 0.3 read from a dual card: the
// interfaces of 0.3 and all that is said in both forms.
func dualDisagree(c *card) {
	if !c.in.Has(v10) || !c.in.Has(v03) {
		return
	}
	listed, _ := schema.Read(c.root.Node, v10)
	flat, _ := schema.Read(c.root.Node, v03)
	flat.Capabilities.StateTransitionHistory = nil // 1.0 has no form for it
	listed.Interfaces = slices.DeleteFunc(listed.Interfaces, func(e schema.Interface) bool {
		return !strings.HasPrefix(e.Version, "0.")
	})
	for name, s := range listed.SecuritySchemes {
		_, both := flat.SecuritySchemes[name]
		device := slices.ContainsFunc(s.Flows, func(f schema.Flow) bool { return f.Type == schema.DeviceCode })
		if device || !both { // other rules say so
			delete(listed.SecuritySchemes, name)
			delete(flat.SecuritySchemes, name)
		}
	}
	states := func(p location) bool { return p.Node.Get("securityRequirements").Is(source.Array) }
	stated := states(c.root) || slices.ContainsFunc(c.skills, states) // unlike compat: [a2a-go-430] makes it
	for _, change := range diff.Cards(listed, flat) {
		pointer := change.Pointer()
		switch {
		case change.Class == schema.None, change.Rule == diag.SchemeAdded:
		case strings.HasPrefix(pointer, "/supportedInterfaces") && mismatched(c):
		case strings.HasSuffix(pointer, "/securityRequirements") && !stated:
		default:
			disagree(c, pointer, change.Old, change.New)
		}
	}
}

// disagree reports a member, by its pointer in a card of 1.0.
func disagree(c *card, pointer string, listed, flat *source.Node) {
	text := func(n *source.Node) string {
		if n == nil {
			return "missing"
		}
		return diag.Clip(diff.Compact(n))
	}
	name := strings.ReplaceAll(pointer[1:], "/", ".")
	n, exists := c.root.Node.Find(pointer)
	for !exists {
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
		n, exists = c.root.Node.Find(pointer)
	}
	c.find(source.At(n, pointer), "say the same in both forms: each client reads only its own",
		"%s is %s for clients of 1.0 and %s for clients of 0.3", name, text(listed), text(flat))
}
