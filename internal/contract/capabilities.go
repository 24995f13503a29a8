package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/schema"
)

// capability is something that a card says an agent can or cannot do, and the
// operation that checks it.
type capability struct {
	rule    string
	pointer string
	op      operation
	missing fault  // what the specification wants where it is not supported
	empty   string // a result with this empty list means the same as TaskNotFoundError
}

var (
	streamingCapability = capability{ruleStreaming, pointerStreaming, subscribe, unsupported, ""}
	pushCapability      = capability{rulePush, pointerPush, listPush, pushNotSupported, "configs"}
)

func (r *run) streaming(ctx context.Context, p *peer) {
	r.capability(ctx, p, streamingCapability, isTrue(r.Card.Capabilities.Streaming))
}

func (r *run) push(ctx context.Context, p *peer) {
	r.capability(ctx, p, pushCapability, isTrue(r.Card.Capabilities.PushNotifications))
}

func isTrue(flag *bool) bool { return flag != nil && *flag }

func (r *run) capability(ctx context.Context, p *peer, c capability, declared bool) {
	if !r.wanted(c.rule) {
		return
	}
	v := r.check(p, c.rule, c.pointer)
	a := r.ask(ctx, p, call{op: c.op})
	name, op := strings.TrimPrefix(c.pointer, "/"), operationText(p, c.op)
	name = strings.ReplaceAll(name, "/", ".")
	serves := a.is(taskNotFound) || c.empty != "" && a.kind == result && isEmptyList(a.result, c.empty)
	switch {
	case declared && serves:
		v.pass("supported: %s", a.said)
	case !declared && a.is(c.missing):
		v.pass("not supported, as the card says: %s", a.said)
	case a.kind == unasked || declared && (a.kind == broken || a.kind == foreign):
		v.undecided(a, fmt.Sprintf("%s is true, but %s", name, op))
	case declared:
		v.fail(diag.Error, "make the server support it, or set "+name+" to false", "%s is true, but %s returns %s", name,
			op, a.said)
	case serves || a.kind == result:
		v.fail(diag.Error, "set "+name+" to true, or switch it off in the server",
			"%s is not true, but %s behaves as if it were: %s", name, op, a.said)
	default:
		v.fail(diag.Warning, "leave the card as it is: the server or its SDK should return "+string(c.missing),
			"%s is not true, but %s returns %s instead of %s", name, op, a.said, c.missing)
	}
}

// isEmptyList tells whether a result is an empty list: the list itself in 0.3,
// or an object with nothing but the list, which may be missing.
func isEmptyList(n *source.Node, name string) bool {
	if n.Is(source.Object) {
		if slices.ContainsFunc(n.Members, func(m source.Member) bool { return m.Key != name && m.Key != "nextPageToken" }) {
			return false
		}
		n = n.Get(name)
	}
	return n == nil || n.Is(source.Null) || n.Is(source.Array) && len(n.Items) == 0
}

// extended asks for the extended card, first without credentials.
func (r *run) extended(ctx context.Context, p *peer, lockedOut bool) {
	if !r.wanted(ruleExtended) {
		return
	}
	v := r.check(p, ruleExtended, pointerExtended)
	open := r.ask(ctx, p, call{op: extendedCard, anonymous: true})
	if !isTrue(r.Card.Capabilities.ExtendedAgentCard) {
		if open.kind == denied && len(r.Credentials) > 0 && p.trusted && !lockedOut {
			open = r.ask(ctx, p, call{op: extendedCard})
		}
		r.noExtended(p, v, open)
		return
	}
	op := operationText(p, extendedCard)
	switch {
	case open.kind == result && r.isPublic(open.result):
		v.fail(diag.Warning, "refuse the call without credentials; @a2a-js/sdk returns the public card instead",
			"%s without credentials returns the public card", op)
	case open.kind == result:
		v.fail(diag.Error, "return the extended card to authenticated clients only",
			"%s without credentials returns the extended card", op)
		return
	case open.kind != denied && v.undecided(open, "capabilities.extendedAgentCard is true, but "+op):
		return
	case open.is(extendedMissing, unsupported, methodNotFound, extensionRequired):
		r.extendedIsMissing(v, op, open)
		return
	}
	if len(r.Credentials) == 0 || !p.trusted || lockedOut {
		v.pass("refused without credentials: %s; the card itself was not requested", open.said)
		return
	}
	known := r.ask(ctx, p, call{op: extendedCard})
	switch {
	case known.kind == result:
		r.judgeExtended(p, v, known.result)
	case known.kind == denied:
		v.fail(diag.Error, "check the credentials and their scopes", "%s with your credentials returns %s", op,
			known.said)
	case !v.undecided(known, "capabilities.extendedAgentCard is true, but "+op):
		r.extendedIsMissing(v, op, known)
	}
}

const extensionUnseen = "make the server read A2A-Extensions of this call, which a2a-go 2.4.0 does not do over gRPC"

func (r *run) extendedIsMissing(v verdict, op string, a answer) {
	if a.is(extensionRequired) {
		v.fail(diag.Warning, extensionUnseen, "%s returns %s, although the extensions were sent", op, a.said)
		return
	}
	v.fail(diag.Error, "configure an extended card in the server, or set capabilities.extendedAgentCard to false",
		"capabilities.extendedAgentCard is true, but %s returns %s", op, a.said)
}

// noExtended judges the answer of an agent that promises no extended card.
func (r *run) noExtended(p *peer, v verdict, a answer) {
	op := operationText(p, extendedCard)
	switch {
	case a.is(unsupported), p.Version == "0.3" && a.is(extendedMissing):
		v.pass("not supported, as the card says: %s", a.said)
	case a.kind == unasked:
		v.skip("%s", a.said)
	case a.is(extensionRequired):
		v.fail(diag.Warning, extensionUnseen, "%s returns %s, although the extensions were sent", op, a.said)
	case a.kind == denied:
		v.pass("refused: %s", a.said)
	case a.kind == result:
		v.fail(diag.Error, "set capabilities.extendedAgentCard to true, or switch the extended card off",
			"the card declares no extended card, but %s returns one", op)
	default:
		v.fail(diag.Warning, "leave the card as it is: the server or its SDK should return UnsupportedOperationError",
			"the card declares no extended card, but %s returns %s instead of UnsupportedOperationError", op, a.said)
	}
}

// isPublic tells whether a card means the same as the public one.
func (r *run) isPublic(n *source.Node) bool {
	c := readCard(n)
	return c != nil && diff.Worst(diff.Cards(r.Card, c)) == diff.None
}

// judgeExtended checks that an extended card has no errors, and has every skill
// of the public one.
func (r *run) judgeExtended(p *peer, v verdict, n *source.Node) {
	const hint = "generate both cards from the same sources: cardwright generate --private-out DIR writes the extended one"
	found := r.Lint(n)
	if p.Binding == "GRPC" && p.Version == "0.3" {
		found = nil // its schemes have another form over gRPC than in JSON
	}
	if fault, severity := p.extendedFault(found); severity > 0 {
		v.fail(severity, hint, "the extended card has an error: %s", fault)
		return
	}
	c := readCard(n)
	var lost []string
	for _, s := range r.Card.Skills {
		if !slices.ContainsFunc(c.Skills, func(t schema.Skill) bool { return t.ID == s.ID }) {
			lost = append(lost, diag.Quote(s.ID))
		}
	}
	if len(lost) > 0 {
		v.fail(diag.Error, hint, "the extended card lacks skills of the public one: %s", few(lost))
		return
	}
	v.pass("refused without credentials; with credentials, the card has every public skill")
}

// ofSDKs are faults that SDKs make in extended cards, by the rule that reports
// them.
var ofSDKs = []struct{ rule, version, binding, says string }{
	{"security-requirement-shape", "", "", "a2a-go up to 2.4.0 writes requirements like this (its issue 430)"},
	{"scheme-shape", "0.3", "HTTP+JSON", "@a2a-js/sdk 1.3.0 writes schemes like this for clients of 0.3"},
}

// ofSDK names the SDK that makes a fault of that rule, "" for none.
func (p *peer) ofSDK(rule string) string {
	for _, known := range ofSDKs {
		if known.rule == rule && (known.version == "" || known.version == p.Version && known.binding == p.Binding) {
			return known.says
		}
	}
	return ""
}

// extendedFault returns the worst finding about an extended card.
func (p *peer) extendedFault(found diag.List) (fault string, severity diag.Severity) {
	for _, d := range found {
		if d.Severity < diag.Error || severity == diag.Error {
			continue
		}
		fault, severity = fmt.Sprintf("%s (%s)", d.Message, d.Rule), diag.Error
		if sdk := p.ofSDK(d.Rule); sdk != "" {
			fault, severity = fault+", "+sdk, diag.Warning
		}
	}
	return fault, severity
}

// few lists the first of many.
func few(list []string) string {
	const most = 5
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}

// extensions asks without the extensions that the card requires.
func (r *run) extensions(ctx context.Context, p *peer) {
	if !r.concerns(p, ruleExtension) || !r.wanted(ruleExtension) {
		return
	}
	i := slices.IndexFunc(r.Card.Capabilities.Extensions, func(e schema.Extension) bool { return e.Required })
	v := r.check(p, ruleExtension, fmt.Sprintf("/capabilities/extensions/%d/required", i))
	op := getTask
	if r.Send != "" {
		op = sendMessage
	}
	a := r.ask(ctx, p, call{op: op, plain: true})
	refused := a.is(extensionRequired) || p.Version == "0.3" && a.kind == failure && !a.is(taskNotFound, methodNotFound)
	switch {
	case refused:
		v.pass("refused without A2A-Extensions: %s", a.said)
	case v.undecided(a, operationText(p, op)+" without A2A-Extensions"):
	case op == sendMessage:
		v.fail(diag.Error, "return ExtensionSupportRequiredError for requests without it, or set required to false",
			"the card requires %s, but %s without it returns %s", few(r.required()), operationText(p, op), a.said)
	default:
		v.fail(diag.Info, "servers may allow operations that the extension does not affect; --send TEXT checks messages",
			"the card requires %s, but %s without it returns %s", few(r.required()), operationText(p, op), a.said)
	}
}
