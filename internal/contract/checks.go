package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/schema"
)

// row is one check of an interface: what is asked, and what the answers mean.
type row struct {
	rule    string
	pointer string // of the promise; without / below the interface
	turn    turn
	applies func(*exam) bool
	call    call
	pass    string
	cases   []meaning            // the first that fits
	judge   func(*exam, verdict) // in place of the rest, for checks of several calls
}

// turn is when a check is made: some follow from what others saw.
type turn int

const (
	first turn = iota - 1 // the cause of what fails is why the rest is not tried
	usual
	late
)

// meaning is what an answer means, in the words of [exam.text]: nothing without severity, all well without message.
type meaning struct {
	fits          condition
	severity      diag.Severity
	message, hint string
	cause         string // failures with the same are one; in the first turn, why the rest is not tried
}

type condition func(*exam, answer) bool

const (
	undeclared  = "the server requires an extension that the card does not"
	unchecked   = "nobody checks credentials"
	serverHint  = "the card is right: fix the server{sdk}"
	unvalidated = "credentials are not validated"
	validate    = "validate credentials, and do not only look whether there are some"
)

func of(rule, pointer string) row { return row{rule: rule, pointer: pointer} }

// asks judges the answer to GetTask. The pass is shown where no meaning fits.
func (q row) asks(c call, pass string, cases ...meaning) row {
	c.op = getTask
	q.call, q.pass, q.cases = c, pass, cases
	return q
}

func (q row) when(applies func(*exam) bool) row {
	q.applies = applies
	return q
}

func (q row) by(judge func(*exam, verdict)) row {
	q.judge = judge
	return q
}

func (q row) in(t turn) row {
	q.turn = t
	return q
}

func fails(fits condition, cause, message, hint string) meaning {
	return meaning{fits, diag.Error, message, hint, cause}
}

func warns(fits condition, cause, message, hint string) meaning {
	return meaning{fits, diag.Warning, message, hint, cause}
}

// table returns the checks of an interface in the order in which results are shown.
func table() []row {
	security := of("contract-security", "/securityRequirements")
	version, refused := of("contract-version", "protocolVersion"), of("contract-version-refused", "protocolVersion")
	binding, task := of("contract-binding", "protocolBinding"), of("contract-task-not-found", "url")
	extension := of("contract-extension-required", "/capabilities/extensions")
	stranger, member := call{as: nobody}, call{}
	notBound, notSpoken := "the interface does not speak {binding}", "the interface does not speak A2A {version}"
	return []row{
		of("contract-reachable", "url").asks(
			stranger, "connected{tls}",
			fails(func(_ *exam, a answer) bool { return a.private }, "",
				"cannot call {url}: {said}", "to call this host, add --connect-to {host}"),
			fails(func(x *exam, _ answer) bool { return x.fault != "" }, "", "{said}", "write the URL as https://HOST/…"),
			fails((*exam).unconnected, "", "cannot call {url}: {said}", "check the URL in the card, DNS and the server"),
		),
		security.when((*exam).secured).asks(
			stranger, "refused without credentials: {said}",
			fails((*exam).strangeChallenge, "", "the card declares {schemes}, but the server asks for {challenges}",
				"send a WWW-Authenticate header with a scheme of the card, or correct securitySchemes"),
			warns(func(_ *exam, a answer) bool { return a.code == httpStatus(401) && len(a.challenges) == 0 }, "",
				"refused without credentials with {said}, but without WWW-Authenticate",
				"send WWW-Authenticate, so that clients know what to send"),
			meaning{fits: ofKind(denied)},
			warns(vague, "", "refused without credentials with {said}, which does not say why",
				"answer with 401 and WWW-Authenticate, so that clients know what to send"),
			meaning{fits: uncertain, message: "{op} returns {said}, which says nothing about credentials"},
			fails(always, unchecked, "the card requires credentials, but {op} without them returns {said}",
				"check credentials before the A2A handler, or remove security from the card"),
		),
		refusal(mistake, "made-up"), refusal(blank, "empty"),
		security.when((*exam).guarded).by((*exam).everyOperation),
		of(security.rule, "/securitySchemes").when((*exam).guarded).by((*exam).everyCredential),
		of("contract-security-open", security.pointer).when(func(x *exam) bool { return !x.secured() }).asks(
			stranger, "answers without credentials, as the card says",
			fails(ofKind(denied), "", "the card requires no credentials, but the server returns {said} without them",
				"declare securitySchemes and security in the card, or accept calls without credentials"),
			meaning{fits: ofKind(foreign, broken), message: "a call without credentials gets no usable answer: {said}"},
		),
		of("contract-security-open", security.pointer).when(func(x *exam) bool {
			return !x.secured() && x.open.kind != denied
		}).by((*exam).everyOperation),
		version.asks(member, "speaks A2A {version}"),
		version.when((*exam).listed).asks(
			call{claim: "1.0.7"}, "{version}.7 too",
			warns(func(x *exam, a answer) bool { return a.kind != x.known.kind || a.fault != x.known.fault }, "",
				"with A2A-Version: 1.0.7 the server returns {said}, but patch versions do not matter",
				"compare only major and minor version (specification, section 3.6.1){sdk}"),
		),
		binding.asks(member, "speaks {binding}"),
		binding.in(late).by(form(true)),
		task.asks(
			member, "{said}",
			meaning{fits: is(taskNotFound)},
			fails(ofKind(result), "", "{op} for a task that does not exist returns a result",
				"return TaskNotFoundError for a task that does not exist"),
			warns(always, "{fault}", "{op} for a task that does not exist returns {said} instead of TaskNotFoundError",
				serverHint),
		),
		task.in(late).by(form(false)),
		refused.when((*exam).listed).asks(
			call{claim: "99.0"}, "{said}", meaning{fits: is(versionRefused)}, unversioned(always, "A2A-Version: 99.0"),
		),
		refused.when(func(x *exam) bool { return x.listed() && !x.alsoFlat() }).asks(
			call{nothing: true}, "an empty version too", unversioned(granted, "an empty A2A-Version, which means 0.3,"),
		),
		of("contract-streaming", "/capabilities/streaming").by(capability{
			[]operation{subscribe, subscribeToo}, unsupported, "", func(c schema.Capabilities) *bool { return c.Streaming },
		}.judge),
		of("contract-push", "/capabilities/pushNotifications").by(capability{
			[]operation{listPush, getPush},
			pushNotSupported, "configs",
			func(c schema.Capabilities) *bool { return c.PushNotifications },
		}.judge),
		of("contract-extended", "/capabilities/extendedAgentCard").by((*exam).extended),
		extension.when(func(x *exam) bool { return len(x.required()) > 0 }).by((*exam).extensions),
		of("contract-message", "url").when(func(x *exam) bool { return x.Send != "" }).by((*exam).sendAll),
		extension.in(first).asks(member, "", fails(is(extensionRequired), undeclared, undeclared+": {op} returns {said}",
			"declare the extension in capabilities.extensions, with required: true")),
		of(binding.rule, "tenant").in(first).asks(
			member, "",
			fails(func(x *exam, a answer) bool { return x.Tenant == "" && a.mentionsTenant() },
				"the server asks for a tenant", "the card has no tenant, but {op} returns {said}",
				"set the tenant of the interface"),
			fails((*exam).knowsNoTenant, "the server does not know the tenant",
				"nothing answers with the tenant {tenant}: {op} returns {said}",
				"correct the tenant of the interface, or set it up in the server"),
		),
		binding.in(first).asks(
			member, "",
			fails(ofKind(broken), notBound, "the card declares {binding} at {url}, but {op} gets no answer: {code}",
				"check the log of the server: it accepts the connection, but does not complete an answer"),
			fails(speaks(""), notBound, "the card declares {binding} at {url}, but {op} returns {said}", "{instead}"),
		),
		version.in(first).asks(
			member, "",
			fails(speaks("none"), notSpoken, "the card declares A2A {version}, but the server does not: {op} returns {said}",
				"correct protocolVersion of the interface, or make the server speak {version}"),
			fails(func(x *exam, _ answer) bool { return x.speaks != x.Version }, notSpoken,
				"the card declares A2A {version}, but the server speaks only {speaks}: {op} returns {said}",
				"set protocolVersion of the interface to {speaks}, or make the server speak {version}"),
		),
		of(task.rule, security.pointer).in(first).asks(
			member, "",
			meaning{
				fits: func(x *exam, a answer) bool { return a.kind == denied && x.withheld() },
				cause: "credentials are sent only to hosts that you name: add " +
					"--connect-to {host}, or --header '{host}=NAME: env:VARIABLE'",
			},
			fails(func(x *exam, a answer) bool { return a.kind == denied && len(x.credentials) > 0 },
				"the server refuses your credentials", "{op} with your credentials returns {said}",
				"check the value of the header, its scopes and its expiry"),
			meaning{fits: ofKind(denied), cause: "the server requires credentials; " +
				"pass them with --header '{header}: env:NAME'"},
		),
	}
}

// refusal is the check that made-up credentials are refused like none.
func refusal(as identity, what string) row {
	q := of("contract-security", "/securityRequirements")
	return q.when(func(x *exam) bool { return x.guarded() && len(x.carriers) > 0 }).asks(
		call{as: as}, what+" ones too",
		fails(granted, unvalidated, "{op} with "+what+" credentials ({schemes}) returns {said}, as if they were valid",
			validate),
	)
}

// unversioned is what it means when a server takes a version that it does not speak.
func unversioned(fits condition, with string) meaning {
	return warns(fits, "versions are not compared",
		"with "+with+" the server returns {said} instead of VersionNotSupportedError",
		"compare A2A-Version with the versions of the interfaces{sdk}")
}

func always(*exam, answer) bool { return true }

func speaks(version string) condition {
	return func(x *exam, _ answer) bool { return x.speaks == version }
}

func is(f fault) condition { return func(_ *exam, a answer) bool { return a.is(f) } }

// vague are refusals that do not say that credentials are missing.
func vague(x *exam, a answer) bool {
	return a.html || a.redirect || a.is("InternalError", "InvalidRequestError", "") && !granted(x, a)
}

func ofKind(kinds ...kind) condition {
	return func(_ *exam, a answer) bool { return slices.Contains(kinds, a.kind) }
}

func uncertain(_ *exam, a answer) bool {
	return a.kind == broken || a.kind == foreign || a.is(methodNotFound, versionRefused)
}

// granted are answers that only clients with credentials should get.
func granted(_ *exam, a answer) bool {
	return a.kind == result || a.is(taskNotFound, notCancelable) || a.kind == failure && a.shows() == there
}

func (x *exam) unconnected(a answer) bool { return a.kind == broken && !a.connected }

// secured reports whether every alternative of the requirements needs credentials.
func (x *exam) secured() bool {
	none := func(q schema.Requirement) bool { return len(q) == 0 }
	return len(x.Card.Security) > 0 && !slices.ContainsFunc(x.Card.Security, none)
}

// guarded reports whether the server refuses who has no credentials, as the card says.
func (x *exam) guarded() bool { return x.secured() && x.open.kind == denied }

// listed reports whether the version of the interface knows the header A2A-Version.
func (x *exam) listed() bool { return x.Version != "0.3" }

// alsoFlat reports whether the card declares 0.3 at the same URL.
func (x *exam) alsoFlat() bool {
	return slices.ContainsFunc(x.Card.Interfaces, func(in schema.Interface) bool {
		return in.Version == "0.3" && in.URL == x.URL
	})
}

// schemes are the authentication schemes that the card declares.
func (x *exam) schemes() []string {
	var list []string
	for _, at := range x.carriers {
		list = append(list, cmp.Or(at.scheme, at.name))
	}
	return slices.Compact(list)
}

// registered are authentication schemes; those of API keys are not among them.
var registered = parallel.Regexp("(?i)^(basic|bearer|digest|dpop|hoba|mutual|negotiate|ntlm|oauth)$")

// strangeChallenge reports whether a server asks for other credentials than the card.
func (x *exam) strangeChallenge(a answer) bool {
	declared := func(asked string) bool {
		return slices.ContainsFunc(x.schemes(), func(s string) bool { return strings.EqualFold(s, asked) })
	}
	return len(x.carriers) > 0 && slices.ContainsFunc(a.challenges, registered().MatchString) &&
		!slices.ContainsFunc(a.challenges, declared)
}

// everyOperation asks without credentials for what needs no message but that of the user.
func (x *exam) everyOperation(v verdict) {
	ops, secured := []operation{cancelTask, subscribe, listPush, getPush, listTasks, sendMessage, sendStream}, x.secured()
	switch {
	case !secured:
		ops = ops[:4] // a2a-go lists no tasks, because it does not know whose
	case x.Send == "":
		ops = ops[:5]
	}
	var odd []string
	var last answer
	for _, op := range ops {
		if _, ok := wordings[x.Version][op]; !ok {
			continue
		}
		a := x.ask(call{op: op, as: nobody})
		if a.kind == unasked {
			v.skip("%s", a.code)
			return
		}
		if secured && granted(x, a) || !secured && a.kind == denied {
			odd, last = append(odd, x.name(op)), a
		}
	}
	if !secured {
		v = v.because(x.text("{fault}", "", last))
	}
	if len(odd) == 0 {
		v.pass("every operation too")
	} else {
		v.fail(diag.Error, "check credentials for every operation, before the A2A handler, or for none: as the card says",
			"without credentials, %s returns %s, but %s returns %s", x.name(getTask), x.open.said(), few(odd), last.said())
	}
}

// declares reports whether the card says that a credential is sent like this.
func (x *exam) declares(given Credential) bool {
	scheme, _, worded := strings.Cut(given.Value, " ")
	return slices.ContainsFunc(x.carriers, func(c carrier) bool {
		return strings.EqualFold(c.name, given.Name) && (c.scheme == "" || !worded || strings.EqualFold(c.scheme, scheme))
	})
}

// everyCredential checks that the server accepts what the card declares, and wants all that it wants together.
func (x *exam) everyCredential(v verdict) {
	if len(x.credentials) == 0 || x.known.kind == denied || len(x.carriers) == 0 {
		return
	}
	var names []string
	for _, given := range x.credentials {
		names = append(names, given.Name)
		if len(x.credentials) == 1 || len(x.Card.Security) > 1 || !x.declares(given) {
			continue
		}
		if a := x.ask(call{op: getTask, less: given.Name}); granted(x, a) {
			v.fail(diag.Error, "check all of them, or make them alternatives in the card",
				"the card requires %s together, but %s without %s returns %s",
				few(x.schemes()), x.name(getTask), given.Name, a.said())
		}
	}
	if !slices.ContainsFunc(x.credentials, x.declares) {
		v.fail(diag.Error, "declare in securitySchemes what the server reads, or make it read what the card declares",
			"the card declares %s, but the server accepts %s", few(x.schemes()), few(names))
	}
}

// extensions asks without the extensions that the card requires.
func (x *exam) extensions(v verdict) {
	i := slices.IndexFunc(x.Card.Capabilities.Extensions, func(e schema.Extension) bool { return e.Required })
	v.c.Pointer = fmt.Sprintf("/capabilities/extensions/%d/required", i)
	op, severity := getTask, diag.Info
	hint := "servers may allow operations that the extension does not affect; --send TEXT checks messages"
	if x.Send != "" {
		op, severity = sendMessage, diag.Error
		hint = "return ExtensionSupportRequiredError for requests without it, or set required to false"
	}
	a := x.ask(call{op: op, plain: true})
	flat := x.Version == "0.3" && a.kind == failure && !a.is(taskNotFound, methodNotFound)
	switch {
	case a.is(extensionRequired), flat:
		v.pass("refused without A2A-Extensions: %s", a.said())
	case v.undecided(a, x.name(op)+" without A2A-Extensions"):
	default:
		v.fail(severity, hint, "the card requires %s, but %s without it returns %s", few(x.required()), x.name(op), a.said())
	}
}
