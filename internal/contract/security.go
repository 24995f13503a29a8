package contract

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// security compares the requirements of the card with what the server answers
// to a call without credentials.
func (r *run) security(p *peer, open answer) {
	if asksForCredentials(r.Card) {
		r.enforced(p, open)
		return
	}
	v := r.check(p, ruleSecurityOpen, pointerRequirements)
	if open.kind == denied {
		v.fail(diag.Error, "declare securitySchemes and security in the card, or accept calls without credentials",
			"the card requires no credentials, but the server returns %s without them", open.said)
		return
	}
	if open.kind == foreign || open.kind == broken {
		v.skip("a call without credentials gets no usable answer: %s", open.said)
		return
	}
	v.pass("answers without credentials, as the card says")
}

// asksForCredentials tells whether every alternative of the requirements needs
// credentials.
func asksForCredentials(c *schema.Card) bool {
	return len(c.Security) > 0 && !slices.ContainsFunc(c.Security, func(q schema.Requirement) bool { return len(q) == 0 })
}

func (r *run) enforced(p *peer, open answer) {
	v := r.check(p, ruleSecurity, pointerRequirements)
	op := operationText(p, getTask)
	switch {
	case open.kind == denied && !open.challenge && p.Binding != "GRPC":
		v.fail(diag.Warning, "send WWW-Authenticate, so that clients know what to send",
			"refused without credentials with %s, but without WWW-Authenticate", open.said)
	case open.kind == denied:
		v.pass("refused without credentials: %s", open.said)
	case open.kind == broken, open.kind == foreign && !open.html && !open.redirect:
		v.skip("a call without credentials gets no usable answer: %s", open.said)
	case open.kind == foreign:
		v.fail(diag.Warning, "answer API clients with 401 and WWW-Authenticate", "refused without credentials with %s",
			open.said)
	case open.is("InternalError", "InvalidRequestError") || open.kind == failure && open.fault == "":
		v.fail(diag.Warning, "answer with 401 and WWW-Authenticate, so that clients know what to send",
			"refused without credentials with %s, which does not say why", open.said)
	case open.is(methodNotFound, versionRefused):
		v.skip("%s returns %s, which says nothing about credentials", op, open.said)
	default:
		v.fail(diag.Error, "check credentials before the A2A handler, or remove security from the card",
			"the card requires credentials, but %s without them returns %s", op, open.said)
	}
}
