package contract

import (
	"context"
	"strings"

	"cardwright/internal/diag"
)

// reached tells whether the interface can be called.
func (r *run) reached(p *peer, v verdict, a answer) bool {
	switch {
	case a.kind == unasked:
		v.skip("%s", a.said)
		return false
	case a.private:
		v.fail(diag.Error, "to call this host, add --connect-to "+p.target.Hostname(), "cannot call %s: %s",
			diag.Quote(p.URL), a.said)
		return false
	case a.kind == broken && !a.connected:
		v.fail(diag.Error, "check the URL in the card, DNS and the server", "cannot call %s: %s", diag.Quote(p.URL),
			a.said)
		return false
	}
	detail := "connected"
	if p.target.Scheme == "https" {
		detail = "connected with TLS, the certificate is valid for the host"
	}
	v.pass("%s", detail)
	return true
}

// spoken returns the version that the interface speaks, "" when it does not
// speak its binding.
func (r *run) spoken(ctx context.Context, p *peer, a answer) string {
	if a.kind == denied || a.kind == result || a.kind == failure && !a.is(methodNotFound, versionRefused) {
		return p.Version
	}
	if a.kind == broken {
		return ""
	}
	other := map[string]string{"1.0": "0.3", "0.3": "1.0"}[p.Version]
	if b := r.ask(ctx, p, call{op: getTask, version: other}); b.kind == result || b.kind == failure &&
		!b.is(methodNotFound, versionRefused) {
		return other
	}
	if a.kind == failure {
		return "none"
	}
	return ""
}

// notSpoken reports an interface that answers with something else.
func (r *run) notSpoken(ctx context.Context, p *peer, a answer) {
	v := r.check(p, ruleBinding, p.pointer+"/protocolBinding")
	switch a.kind {
	case unasked:
		v.skip("%s", a.said)
		return
	case broken:
		v.fail(diag.Error, "check the log of the server: it accepts the connection, but does not complete an answer",
			"the card declares %s at %s, but %s gets no answer: %s", p.Binding, diag.Quote(p.URL), operationText(p, getTask),
			a.said)
		r.skipRest(p, "the interface does not speak "+p.Binding)
		return
	}
	hint := "check that the A2A server listens at this URL"
	switch {
	case a.redirect:
		hint = "redirects are not followed: answer at this URL, or put the target of the redirect into the card"
	case a.html:
		hint = "route A2A requests to the agent: an HTML page answers at this URL"
	}
	for _, other := range []string{"JSONRPC", "HTTP+JSON"} {
		q := *p
		q.Binding = other
		if other == p.Binding || p.Binding == "GRPC" {
			continue
		}
		if b := r.ask(ctx, &q, call{op: getTask}); b.kind == failure && !b.is(methodNotFound) {
			hint = "the URL speaks " + other + ": set protocolBinding to " + other + ", or set the URL of " + p.Binding
			break
		}
	}
	v.fail(diag.Error, hint, "the card declares %s at %s, but %s returns %s", p.Binding, diag.Quote(p.URL),
		operationText(p, getTask), a.said)
	r.skipRest(p, "the interface does not speak "+p.Binding)
}

// operationText is an operation in the words of the interface.
func operationText(p *peer, op operation) string {
	w := wordings[p.Version][op]
	if p.Binding == "HTTP+JSON" {
		return w.verb + " " + strings.Replace(w.path, "ID", "{id}", 1)
	}
	if p.Binding == "GRPC" {
		return w.grpc
	}
	return w.rpc
}

// wrongVersion reports an interface that speaks another version of A2A.
func (r *run) wrongVersion(p *peer, version string, a answer) {
	r.check(p, ruleBinding, p.pointer+"/protocolBinding").pass("speaks %s", p.Binding)
	v := r.check(p, ruleVersion, p.pointer+"/protocolVersion")
	if version == "none" {
		v.fail(diag.Error, "make the server speak A2A "+p.Version+", or correct protocolVersion of the interface",
			"the card declares A2A %s, but %s returns %s", p.Version, operationText(p, getTask), a.said)
	} else {
		v.fail(diag.Error, "set protocolVersion of the interface to "+version+", or make the server speak "+p.Version,
			"the card declares A2A %s, but the server speaks only %s (%s: %s)", p.Version, version,
			operationText(p, getTask), a.said)
	}
	r.skipRest(p, "the interface does not speak A2A "+p.Version)
}

// rest are the checks that need an interface of the right binding and version.
var rest = []string{
	ruleTaskNotFound, ruleVersionRefused, ruleStreaming, rulePush, ruleExtended, ruleExtension,
	ruleMessage,
}

func (r *run) skipRest(p *peer, reason string) {
	for _, rule := range rest {
		if r.concerns(p, rule) {
			r.check(p, rule, "").skip("%s", reason)
		}
	}
}

// concerns tells whether a check is made of an interface at all.
func (r *run) concerns(p *peer, rule string) bool {
	switch rule {
	case ruleVersionRefused:
		return p.Version != "0.3" // it has no header for the version
	case ruleExtension:
		return len(r.required()) > 0
	case ruleMessage:
		return r.Send != ""
	}
	return true
}

// lockedOut reports an interface that requires credentials.
func (r *run) lockedOut(p *peer, a answer) {
	switch {
	case len(r.Credentials) == 0:
		r.skipLocked(p, "the server requires credentials; pass them with --header 'Authorization: env:NAME'")
	case !p.trusted:
		r.skipLocked(p, "credentials are sent only to hosts that you name: add --connect-to "+p.target.Hostname())
	default:
		r.check(p, ruleTaskNotFound, pointerRequirements).fail(diag.Error,
			"check the value of the header, its scopes and its expiry",
			"%s with your credentials returns %s", operationText(p, getTask), a.said)
		r.skipLocked(p, "the server refuses your credentials")
	}
}

func (r *run) skipLocked(p *peer, reason string) {
	for _, rule := range append([]string{ruleBinding, ruleVersion}, rest...) {
		refused := rule == ruleTaskNotFound && len(r.Credentials) > 0 && p.trusted
		if r.concerns(p, rule) && rule != ruleExtended && !refused {
			r.check(p, rule, "").skip("%s", reason)
		}
	}
}

// spokenToo reports an interface that speaks the binding and version promised.
func (r *run) spokenToo(p *peer, a answer) {
	r.check(p, ruleVersion, p.pointer+"/protocolVersion").pass("speaks A2A %s", p.Version)
	r.check(p, ruleBinding, p.pointer+"/protocolBinding").pass("speaks %s", p.Binding)
	v := r.check(p, ruleTaskNotFound, p.pointer+"/url")
	op := operationText(p, getTask)
	switch {
	case a.is(taskNotFound):
		v.pass("%s", a.said)
	case a.is(extensionRequired):
		v.fail(diag.Error, "declare the extension that the server requires in capabilities.extensions, with required: true",
			"%s returns %s", op, a.said)
	case a.kind == result:
		v.fail(diag.Error, "return TaskNotFoundError for a task that does not exist",
			"%s for a task that does not exist returns a result", op)
	default:
		v.fail(diag.Error, "return TaskNotFoundError for a task that does not exist",
			"%s for a task that does not exist returns %s", op, a.said)
	}
}

// versionRefused sends a request in a version that does not exist.
func (r *run) versionRefused(ctx context.Context, p *peer) {
	if !r.concerns(p, ruleVersionRefused) || !r.wanted(ruleVersionRefused) {
		return
	}
	v := r.check(p, ruleVersionRefused, p.pointer+"/protocolVersion")
	a := r.ask(ctx, p, call{op: getTask, claim: "99.0"})
	switch {
	case a.is(versionRefused):
		v.pass("%s", a.said)
	case v.undecided(a, operationText(p, getTask)+" with A2A-Version: 99.0"):
	case a.is(taskNotFound):
		v.fail(diag.Warning, "compare A2A-Version with the versions of the interfaces, which a2a-go up to 2.4.0 does not do",
			"with A2A-Version: 99.0 the server returns %s instead of VersionNotSupportedError", a.said)
	default:
		v.fail(diag.Warning, "return VersionNotSupportedError for versions that the card does not list",
			"with A2A-Version: 99.0 the server returns %s instead of VersionNotSupportedError", a.said)
	}
}
