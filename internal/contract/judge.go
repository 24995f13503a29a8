package contract

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Outcome is the result of a check.
type Outcome int

// The outcomes.
const (
	Passed Outcome = iota
	Failed
	NotTried
)

// Check is the result of one check of an agent.
type Check struct {
	Rule      string // id in the rule catalog, such as contract-streaming
	Interface string // which one: binding, version and URL; "" for the card as a whole
	Outcome   Outcome
	Severity  diag.Severity // of a failed check
	// Message is one sentence: what was seen, what the card declares and what the
	// server did instead, or why nothing was tried.
	Message string
	Pointer string // what promises it, in the card as A2A 1.0 spells it
	Hint    string // what to change, for a failed check

	cause string // failures with the same are one
	rank  int    // of the row in the table
	// explains are the rules of other failures with the same cause.
	explains []string
}

// exam is the examination of one interface.
type exam struct {
	*run
	*peer
	ctx      context.Context //nolint:containedctx // an exam is one call of Run
	carriers []carrier       // of the credentials that the card declares
	open     answer          // to GetTask without credentials
	known    answer          // to GetTask with those of the user
	streamed evidence        // of --send: whether messages are streamed
	heard    bool            // the server has answered
	speaks   string          // version, "none" for neither, "" where it does not speak the binding
	instead  string          // what to change then
	rest     string          // why other checks cannot be made
	locked   bool            // only those about credentials can
	flaws    []flaw
	sdk      string // what made the answers, "" where they do not say
}

// flaw is something wrong with the form of answers, and the operations with it.
type flaw struct {
	what string
	ops  []string
}

// learn keeps what an answer says about the server.
func (x *exam) learn(op operation, a answer) {
	for _, sdk := range sdks {
		if x.sdk == "" && sdk.says.MatchString(a.words) {
			x.sdk = sdk.name
		}
	}
	for _, what := range a.flaws {
		i := slices.IndexFunc(x.flaws, func(f flaw) bool { return f.what == what })
		if i < 0 {
			i, x.flaws = len(x.flaws), append(x.flaws, flaw{what: what})
		}
		if name := x.name(op); !slices.Contains(x.flaws[i].ops, name) {
			x.flaws[i].ops = append(x.flaws[i].ops, name)
		}
	}
}

// verdict collects the result of one check.
type verdict struct {
	r *run
	c Check
}

func (v verdict) pass(format string, args ...any) { v.add(Passed, 0, "", format, args...) }

func (v verdict) skip(format string, args ...any) { v.add(NotTried, 0, "", format, args...) }

func (v verdict) fail(severity diag.Severity, hint, format string, args ...any) {
	v.add(Failed, severity, hint, format, args...)
}

func (v verdict) add(o Outcome, severity diag.Severity, hint, format string, args ...any) {
	if v.r.wanted(v.c.Rule) {
		v.c.Outcome, v.c.Severity = o, severity
		v.c.Message, v.c.Hint = v.r.scrub(fmt.Sprintf(format, args...)), v.r.scrub(hint)
		v.r.checks = append(v.r.checks, v.c)
	}
}

// because names the cause of a failure.
func (v verdict) because(cause string) verdict {
	v.c.cause = cause
	return v
}

// wanted tells whether a check is to be made.
func (r *run) wanted(rule string) bool {
	return (len(r.Only) == 0 || slices.Contains(r.Only, rule)) && !slices.Contains(r.Skip, rule)
}

// check begins a check of an interface.
func (x *exam) check(rule, pointer string) verdict {
	if !strings.HasPrefix(pointer, "/") {
		pointer = x.pointer + "/" + pointer
	}
	rank := slices.IndexFunc(table(), func(q row) bool { return q.rule == rule })
	return verdict{x.run, Check{Rule: rule, Interface: x.String(), Pointer: pointer, rank: rank}}
}

// undecided ends a check whose call got no answer of the binding, and tells
// whether it did. A call that was not made is skipped; one that hangs or ends
// too early fails.
func (v verdict) undecided(a answer, what string) bool {
	switch a.kind {
	case unasked:
		v.skip("%s", a.code)
	case broken:
		v.fail(diag.Error, "the server answered earlier calls: check its log", "%s gets no answer: %s", what, a.code)
	case foreign:
		v.fail(diag.Error, "route this operation to the A2A server too", "%s returns %s", what, a.code)
	default:
		return false
	}
	return true
}

// examine makes the checks of one interface, and lists those that cannot be made.
func (r *run) examine(ctx context.Context, i int, in schema.Interface) {
	x := &exam{run: r, peer: r.peer(i, in), ctx: ctx, carriers: carriersOf(r.Card)}
	before := len(r.checks)
	rows := table()
	if !x.reached(rows[0]) {
		return
	}
	x.introduce()
	for turn := first; turn <= late; turn++ {
		for _, q := range rows[1:] {
			secured := strings.HasPrefix(q.rule, "contract-security")
			locked := x.locked && (secured || q.rule == "contract-extended")
			done := func(c Check) bool { return c.Rule == q.rule }
			switch {
			case q.turn != turn || q.applies != nil && !q.applies(x):
			case x.rest == "" || locked:
				x.make(q)
			case turn != first && !secured && !slices.ContainsFunc(r.checks[before:], done):
				x.check(q.rule, "url").skip("%s", x.rest)
			}
		}
	}
	r.checks = append(r.checks[:before], settle(r.checks[before:])...)
}

// make makes one check of the table.
func (x *exam) make(q row) {
	if !x.wanted(q.rule) && q.turn != first {
		return
	}
	v := x.check(q.rule, q.pointer)
	if q.judge != nil {
		q.judge(x, v)
		return
	}
	a, op := answer{}, getTask
	if q.got != nil {
		a = *q.got(x)
	} else {
		a, op = x.ask(q.call), q.call.op
	}
	m := meaning{}
	if i := slices.IndexFunc(q.cases, func(m meaning) bool { return m.fits(x, a) }); a.kind == unasked {
		m.message = a.code
	} else if i >= 0 {
		m = q.cases[i]
	}
	v = v.because(x.text(m.cause, op, a))
	switch {
	case m.severity != 0:
		v.fail(m.severity, x.text(m.hint, op, a), "%s", x.text(m.message, op, a))
	case m.message != "":
		v.skip("%s", x.text(m.message, op, a))
	case q.pass != "":
		v.pass("%s", x.text(q.pass, op, a))
	}
	if q.turn == first {
		x.rest = v.c.cause
		x.locked = x.rest != "" && a.kind == denied
	}
}

// text fills in what a row says.
func (x *exam) text(s string, op operation, a answer) string {
	tls := ""
	if x.target.Scheme == "https" {
		tls = " with TLS, the certificate is valid for the host"
	}
	if x.withheld() {
		tls += "; no credentials are sent to " + x.target.Hostname() + ", which you did not name"
	}
	return strings.NewReplacer(
		"{tls}", tls, "{url}", diag.Quote(x.URL), "{host}", x.target.Hostname(), "{op}", x.name(op), "{said}", a.said(),
		"{code}", a.code, "{tenant}", diag.Quote(x.Tenant), "{speaks}", x.speaks, "{instead}", x.instead,
		"{fault}", "answers with "+a.code, "{version}", x.Version, "{binding}", x.Binding, "{schemes}", few(x.schemes()),
		"{challenges}", few(a.challenges), "{sdk}", x.made(),
	).Replace(s)
}

// made names the SDK of the server in a hint.
func (x *exam) made() string {
	if x.sdk == "" {
		return ""
	}
	return ", whose answers are those of " + x.sdk
}

// settle puts the checks of an interface in the order of the table. Checks that
// passed for one rule are one line, and failures with one cause are one.
func settle(checks []Check) []Check {
	slices.SortStableFunc(checks, func(a, b Check) int { return a.rank - b.rank })
	var list []Check
	for _, c := range checks {
		same := func(d Check) bool {
			return c.Outcome == Failed && d.Outcome == Failed && c.cause != "" && c.cause == d.cause ||
				c.Rule == d.Rule && (c.Outcome == Passed || c.Outcome == NotTried && c.Message == d.Message)
		}
		i := slices.IndexFunc(list, same)
		failed := slices.IndexFunc(list, func(d Check) bool { return d.Rule == c.Rule && d.Outcome == Passed })
		switch {
		case i < 0 && c.Outcome == Failed && failed >= 0:
			list[failed] = c
		case i < 0:
			list = append(list, c)
		case c.Outcome == Failed && c.Rule != list[i].Rule:
			list[i].explains = append(list[i].explains, c.Rule)
		case c.Outcome == Passed && list[i].Outcome == Passed && c.Message != "":
			list[i].Message += "; " + c.Message
		}
	}
	for i, c := range list {
		if len(c.explains) > 0 {
			list[i].Message += "; this explains " + strings.Join(c.explains, ", ") + " too"
		}
	}
	return list
}

// unite makes failures of several interfaces one that are about the same promise of
// the card and have the same cause.
func unite(checks []Check) []Check {
	var list []Check
	for _, c := range checks {
		i := slices.IndexFunc(list, func(d Check) bool {
			return c.Outcome == Failed && d.Outcome == Failed && c.Interface != d.Interface && c.Rule == d.Rule &&
				c.Hint == d.Hint && c.Pointer == d.Pointer && !strings.HasPrefix(c.Pointer, "/supportedInterfaces")
		})
		if i < 0 {
			list = append(list, c)
			continue
		}
		list[i].Message += "; the same at " + c.Interface
	}
	return list
}

// reached tells whether the interface can be called, and asks it first.
func (x *exam) reached(q row) bool {
	switch {
	case wordings[x.Version] == nil:
		x.open = answer{kind: unasked, code: "cardwright does not speak A2A " + x.Version}
	case !slices.Contains(bindings, x.Binding):
		x.open = answer{kind: unasked, code: "cardwright does not speak the binding " + diag.Quote(x.Binding)}
	case x.fault != "":
		x.open = answer{kind: broken, code: x.fault}
	default:
		x.open = x.ask(call{op: getTask, as: nobody})
	}
	x.make(q)
	return x.open.kind != unasked && !x.unconnected(x.open)
}

// withheld tells whether there are credentials, and none for this interface.
func (x *exam) withheld() bool { return len(x.Credentials) > 0 && len(x.credentials) == 0 }

// introduce asks what the first checks are about: what the interface speaks, and
// whether it lets the client in.
func (x *exam) introduce() {
	x.known = x.open
	if len(x.credentials) > 0 || x.trusted && x.Certificate != nil {
		x.known = x.ask(call{op: getTask})
	}
	if x.known.kind == unasked {
		x.rest = x.known.code
		return
	}
	if x.speaks = x.spoken(); x.speaks == "" {
		x.instead = x.listening()
	}
}

// asksForTenant tells whether the server asks for a tenant where the card has none.
func (x *exam) asksForTenant(a answer) bool { return x.Tenant == "" && a.mentionsTenant() }

// knowsNoTenant tells whether the server does not know the tenant of the card.
func (x *exam) knowsNoTenant(a answer) bool {
	return x.Tenant != "" && !a.is(taskNotFound) && a.kind != result && a.kind != broken &&
		(a.mentionsTenant() || x.ask(call{op: getTask, anyone: true}).is(taskNotFound))
}

func (a answer) mentionsTenant() bool {
	return a.kind != result && strings.Contains(strings.ToLower(a.words), "tenant")
}

// answers tells whether an answer is one of a server that knows the version.
func answers(a answer) bool {
	return a.kind == denied || a.kind == result || a.kind == failure && !a.is(methodNotFound, versionRefused)
}

// spoken returns the version that the interface speaks, "none" when it is neither,
// and "" when it does not speak its binding.
func (x *exam) spoken() string {
	if answers(x.known) {
		return x.Version
	}
	if x.known.kind == broken {
		return ""
	}
	other := map[string]string{"1.0": "0.3", "0.3": "1.0"}[x.Version]
	if b := x.ask(call{op: getTask, version: other}); answers(b) && b.kind != denied {
		return other
	}
	if x.known.kind == failure {
		return "none"
	}
	return ""
}

// listening is what to change when an interface does not speak its binding.
func (x *exam) listening() string {
	for _, other := range []string{"JSONRPC", "HTTP+JSON"} {
		if other == x.Binding || x.Binding == "GRPC" || x.known.kind == broken {
			continue
		}
		q, in := *x, *x.peer
		in.Binding, q.peer = other, &in
		if b := q.ask(call{op: getTask}); b.kind == failure && !b.is(methodNotFound) {
			return "the URL speaks " + other + ": set protocolBinding to " + other + ", or set the URL of " + x.Binding
		}
	}
	switch {
	case x.known.redirect:
		return "redirects are not followed: answer at this URL, or put the target of the redirect into the card"
	case x.known.html:
		return "route A2A requests to the agent: an HTML page answers at this URL"
	}
	return "check that the A2A server listens at this URL"
}

// capability is something that a card says an agent can or cannot do.
type capability struct {
	ways    []operation // that show it; the first is the one that the specification names
	missing fault       // what it wants where the capability is not supported
	empty   string      // a result with this empty list means the same as TaskNotFoundError
	flag    func(schema.Capabilities) *bool
}

// judge compares what the card says with what the server can do. The card lies only
// when the capability cannot be had in any way; otherwise the server is broken.
func (c capability) judge(x *exam, v verdict) {
	a, op, name := x.ask(call{op: c.ways[0]}), x.name(c.ways[0]), v.promise()
	exact := a.is(taskNotFound) || c.empty != "" && a.kind == result && isEmptyList(a.result, c.empty)
	broke := v.because(x.text("{fault}", "", a))
	switch {
	case !isTrue(c.flag(x.Card.Capabilities)):
		x.unpromised(v, op, a, exact || a.kind == result, c.missing)
	case a.kind == unasked:
		v.skip("%s", a.code)
	case exact:
		v.pass("supported: %s", a.said())
	case c.shown(x, a) == missing:
		v.because(name+" is missing").fail(diag.Error, "make the server support it, or set "+name+" to false",
			"%s is true, but %s returns %s", name, op, a.said())
	case a.kind == broken:
		broke.fail(diag.Warning, x.text(serverHint, "", a), "%s gets no answer: %s", op, a.said())
	default:
		broke.fail(diag.Warning, x.text(serverHint, "", a), "%s returns %s instead of TaskNotFoundError", op, a.said())
	}
}

// unpromised judges the answer about a capability that the card does not promise.
func (x *exam) unpromised(v verdict, op string, a answer, works bool, wants fault) {
	name := v.promise()
	switch {
	case a.kind == unasked:
		v.skip("%s", a.code)
	case a.is(wants), x.lacks(a), x.Version == "0.3" && a.is(extendedMissing):
		v.pass("not supported, as the card says: %s", a.said())
	case works:
		v.because(name+" works").fail(diag.Error, "set "+name+" to true, or switch it off in the server",
			"%s is not true, but %s behaves as if it were: %s", name, op, a.said())
	case a.kind == denied:
		v.pass("refused: %s", a.said())
	default:
		v.because(x.text("{fault}", "", a)).fail(diag.Warning, x.text(serverHint, "", a),
			"%s is not true, but %s returns %s instead of %s", name, op, a.said(), wants)
	}
}

// promise is the member of the card that a check is about.
func (v verdict) promise() string {
	return strings.ReplaceAll(strings.TrimPrefix(v.c.Pointer, "/"), "/", ".")
}

// shown is what the server shows of a capability in all ways, a being the answer to
// the first.
func (c capability) shown(x *exam, a answer) evidence {
	if c.missing == unsupported && x.streamed != unclear {
		return x.streamed
	}
	for _, way := range c.ways[1:] {
		if a.shows() != there && (way != subscribeToo || x.Binding == "HTTP+JSON") && x.ask(call{op: way}).shows() == there {
			return there
		}
	}
	return a.shows()
}

// lacks tells whether an answer says in gRPC of 0.3 that the server does not support
// something, which is the status of methods that do not exist.
func (x *exam) lacks(a answer) bool {
	return x.Binding == "GRPC" && x.Version == "0.3" && a.is(methodNotFound)
}

func isTrue(flag *bool) bool { return flag != nil && *flag }

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

// form reports what is wrong with the media types of the answers, or else with their
// errors, each flaw once.
func form(media bool) func(*exam, verdict) {
	return func(x *exam, v verdict) {
		for _, f := range x.flaws {
			if strings.HasPrefix(f.what, "JSON as ") == media {
				v.because(f.what).fail(diag.Warning, x.text(serverHint, "", answer{}), "%s: %s", few(f.ops), f.what)
			}
		}
	}
}

// few lists the first of many.
func few(list []string) string {
	const most = 5
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}

// peer is one interface of the card, and where it is asked.
type peer struct {
	schema.Interface
	pointer     string // of the interface in the card
	target      *url.URL
	fault       string // why it cannot be asked
	trusted     bool   // the user named its host
	credentials []Credential
}

func (p *peer) String() string { return p.Binding + " " + p.Version + " " + p.URL }
