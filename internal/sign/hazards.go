package sign

import (
	"cmp"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Hazards reports what verifiers are known to read differently on a signed card: a
// warning for each member that some of them add or drop before they verify, an info for
// what is the fault of one SDK alone.
func Hazards(card *source.Node) diag.List {
	if !card.Is(source.Object) {
		return nil
	}
	legacy := card.Get("url") != nil || card.Get("protocolVersion") != nil
	switch {
	case legacy && card.Get("supportedInterfaces") != nil:
		return diag.List{hazard(card, "",
			"a card for both A2A 1.0 and 0.3 cannot be signed: verifiers of 1.0 do not check the members of 0.3").
			WithHint("make one agent per version, and sign the 1.0 card")}
	case legacy:
		return diag.List{hazard(card, "",
			"a 0.3 card is signed as it is, but SDKs do not agree on how to verify it").
			WithSeverity(diag.Info)}
	}
	w := walker{}
	w.message(card.Without("signatures"), schema.CardMessage, "")
	return append(w.found, sdkFaults(card)...)
}

func hazard(n *source.Node, pointer, reason string) diag.Diagnostic {
	return diag.New(diag.SignatureCanonicalHazard, n.Span, "%s", reason).WithPointer(pointer)
}

// walker collects the members that a verifier adds or drops: the released SDKs parse
// the card into the messages of A2A 1.0, drop what these do not define and all that is
// empty at any depth; section 8.4.1 adds required members and drops default values.
type walker struct{ found diag.List }

func (w *walker) add(n *source.Node, pointer, reason, hint string) {
	reason = "verifiers disagree on whether " + diag.Quote(pointer) + " is signed: " + reason
	w.found = append(w.found, hazard(n, pointer, reason).WithHint(hint))
}

func (w *walker) message(n *source.Node, message, pointer string) {
	only := message == schema.SchemeMessage || message == schema.FlowsMessage // one member
	rows, first := map[string]*schema.Member{}, ""
	for _, row := range schema.Members(message) {
		set := n.Get(row.Name) != nil
		switch {
		case !row.In.Has(schema.Listed):
			continue
		case set && only:
			first = cmp.Or(first, row.Name)
		case !set && row.Required && !row.Lax:
			w.add(n, source.Pointer(pointer, row.Name), "it is required and missing", "write it")
		}
		rows[row.Name] = &row
	}
	for _, m := range n.Members {
		at, row := source.Pointer(pointer, m.Key), rows[m.Key]
		switch {
		case row == nil:
			w.add(m.Value, at, "A2A 1.0 does not define it", "leave it out")
		case first != "" && first != m.Key:
			w.add(m.Value, at, "A2A 1.0 allows only one of its siblings", "leave it out")
		case m.Value.Is(source.Bool) && m.Value.Text == "false" && !row.Optional:
			w.add(m.Value, at, "it is false, which is the default", "leave it out")
		case !m.Value.Empty() && m.Value.Kind != row.Kind:
			w.add(m.Value, at, "its type is not the one A2A 1.0 defines", "write the type that A2A 1.0 defines")
		default:
			w.value(m.Value, row, at)
		}
	}
}

// value looks at the value of a member, or an entry of it.
func (w *walker) value(v *source.Node, row *schema.Member, pointer string) {
	switch {
	case v.Empty() && schema.ScopesOf(pointer):
		w.found = append(w.found, hazard(v, pointer,
			"a2a-js and a2a-python refuse the signature: they do not check "+diag.Quote(pointer)+
				", a requirement without scopes").
			WithHint("give the scheme a scope, as in security: [{key: [call]}]"))
	case v.Empty():
		w.add(v, pointer, "it is empty", "leave it out, or fill it where it is required")
	case row != nil && row.Elem == source.Invalid && row.Of != "":
		w.message(v, row.Of, pointer)
	default:
		var entry *schema.Member
		if row != nil && row.Elem != source.Invalid {
			entry = &schema.Member{Kind: row.Elem, Of: row.Of}
		}
		w.entries(v, entry, pointer)
	}
}

// entries looks at what a list, a map or free content holds.
func (w *walker) entries(v *source.Node, entry *schema.Member, pointer string) {
	for i, item := range v.Items {
		w.value(item, entry, source.Pointer(pointer, strconv.Itoa(i)))
	}
	for _, m := range v.Members {
		at := source.Pointer(pointer, m.Key)
		if m.Key == "__proto__" {
			w.add(m.Value, at, "JavaScript verifiers lose a member of this name", "rename it")
		}
		w.value(m.Value, entry, at)
	}
}

// sdkFaults reports what one SDK gets wrong about a card, however well it is signed.
func sdkFaults(card *source.Node) (found diag.List) {
	add := func(n *source.Node, pointer, reason, hint string) {
		found = append(found, hazard(n, pointer, reason).WithSeverity(diag.Info).WithHint(hint))
	}
	if n := card.Get("securitySchemes"); n != nil {
		add(n, "/securitySchemes",
			"the client of a2a-js refuses the signature, because it drops securitySchemes before it checks (issue 663)",
			"clients that check the original JSON accept it")
	}
	for _, m := range card.Get("capabilities").Fields() {
		if m.Value.Is(source.Bool) && m.Value.Text == "false" {
			add(m.Value, "/capabilities/"+m.Key,
				"a2a-go omits false capabilities when it writes the card again, so its copy no longer verifies", "")
		}
	}
	for n := range card.Without("signatures").All() {
		if n.Is(source.String) && strings.ContainsFunc(n.Text, func(r rune) bool { return r >= 0x7f }) {
			add(n, "",
				"a2a-python up to 1.1.2 refuses the signature, because it writes non-ASCII text differently (issue 1174)",
				"clients with a later release accept it")
			break
		}
	}
	return found
}
