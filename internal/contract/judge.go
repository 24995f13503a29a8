package contract

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/schema"
)

func few(list []string) string { return diag.Few(5, list) }

// check is the result of one check of an agent. Its group is the interface: binding,
// version and URL, "" for the card as a whole.
type check struct {
	report.Check
	cause string // failures with the same are one
	rank  int    // of the row in the table
}

func (c check) failed() bool { return c.Severity != 0 }

func (c check) passed() bool { return !c.failed() && !c.Untried }

// exam is the examination of one interface.
type exam struct {
	*run
	*peer
	ctx     context.Context // an exam is one call of Run
	rows    []row           // see table
	open    answer          // to GetTask without credentials
	known   answer          // to GetTask with those of the user
	asked   map[call]answer
	speaks  string              // version, "none" for neither, "" where it does not speak the binding
	instead string              // what to change then
	rest    string              // why other checks cannot be made
	locked  bool                // only those about credentials can
	flaws   map[string][]string // what is wrong with the form of answers, and the operations with it
	sdk     string              // what made the answers, in a hint; "" where they do not say
}

func (r *run) exam(ctx context.Context, i int, in schema.Interface) *exam {
	return &exam{
		run: r, peer: r.peer(i, in), ctx: ctx, rows: table(), asked: map[call]answer{}, flaws: map[string][]string{},
	}
}

func (x *exam) learn(op operation, a answer) {
	if i := slices.IndexFunc(sdks, func(s sdk) bool { return s.says().MatchString(a.words) }); i >= 0 && x.sdk == "" {
		x.sdk = ", whose answers are those of " + sdks[i].name
	}
	for _, what := range a.flaws {
		if name := x.name(op); !slices.Contains(x.flaws[what], name) {
			x.flaws[what] = append(x.flaws[what], name)
		}
	}
}

// verdict collects the result of one check.
type verdict struct {
	r *run
	c check
}

func (v verdict) pass(format string, args ...any) { v.add(0, "", format, args...) }

func (v verdict) skip(format string, args ...any) {
	v.c.Untried = true
	v.add(0, "", format, args...)
}

func (v verdict) fail(severity diag.Severity, hint, format string, args ...any) {
	v.add(severity, hint, format, args...)
}

func (v verdict) add(severity diag.Severity, hint, format string, args ...any) {
	if v.r.wanted(v.c.Rule) {
		v.c.Name, v.c.Severity = v.c.Rule, severity
		v.c.Detail, v.c.Hint = v.r.scrub(fmt.Sprintf(format, args...)), v.r.scrub(hint)
		v.r.checks = append(v.r.checks, v.c)
	}
}

func (v verdict) because(cause string) verdict {
	v.c.cause = cause
	return v
}

func (r *run) wanted(rule string) bool {
	return (len(r.Only) == 0 || slices.Contains(r.Only, rule)) && !slices.Contains(r.Skip, rule)
}

// check begins a check of the card.
func (r *run) check(rule, pointer string) verdict {
	return verdict{r, check{Check: report.Check{Rule: rule, Pointer: pointer}}}
}

// check begins a check of an interface.
func (x *exam) check(rule, pointer string) verdict {
	if !strings.HasPrefix(pointer, "/") {
		pointer = x.pointer + "/" + pointer
	}
	v := x.run.check(rule, pointer)
	v.c.Group = x.String()
	v.c.rank = slices.IndexFunc(x.rows, func(q row) bool { return q.rule == rule })
	return v
}

// undecided ends a check whose call got no answer of the binding, and reports whether it did.
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
	x := r.exam(ctx, i, in)
	before := len(r.checks)
	x.open = x.ask(x.rows[0].call)
	x.make(x.rows[0])
	if x.open.kind == unasked || x.unconnected(x.open) {
		return
	}
	if x.known = x.ask(call{op: getTask}); x.known.kind == unasked {
		x.rest = x.known.code
	} else {
		x.speaks = x.spoken()
	}
	for turn := first; turn <= late; turn++ {
		for _, q := range x.rows[1:] {
			secured := strings.HasPrefix(q.rule, "contract-security")
			locked := x.locked && (secured || q.rule == "contract-extended")
			done := func(c check) bool { return c.Rule == q.rule }
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
	a, op, m := x.ask(q.call), q.call.op, meaning{}
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
	if !strings.Contains(s, "{") {
		return s
	}
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
		"{challenges}", few(a.challenges), "{sdk}", x.sdk,
		"{header}", append(x.carriers, carrier{name: "Authorization"})[0].name,
	).Replace(s)
}

// settle puts the checks in the order of the table, and unites those of one cause.
func settle(checks []check) []check {
	slices.SortStableFunc(checks, func(a, b check) int { return a.rank - b.rank })
	var list []check
	explains := map[int][]string{} // rules of other failures with the same cause
	for _, c := range checks {
		same := func(d check) bool {
			return c.failed() && d.failed() && c.cause != "" && c.cause == d.cause ||
				c.Rule == d.Rule && (c.passed() || c.Untried && c.Detail == d.Detail)
		}
		i := slices.IndexFunc(list, same)
		failed := slices.IndexFunc(list, func(d check) bool { return d.Rule == c.Rule && d.passed() })
		switch {
		case i < 0 && c.failed() && failed >= 0:
			list[failed] = c
		case i < 0:
			list = append(list, c)
		case c.failed() && c.Rule != list[i].Rule:
			explains[i] = append(explains[i], c.Rule)
		case c.passed() && list[i].passed() && c.Detail != "":
			list[i].Detail += "; " + c.Detail
		}
	}
	for i, rules := range explains {
		list[i].Detail += "; this explains " + strings.Join(rules, ", ") + " too"
	}
	return list
}

// unite makes failures of several interfaces one that are about the same promise of the card.
func unite(checks []check) []report.Check {
	var list []report.Check
	for _, c := range checks {
		i := slices.IndexFunc(list, func(d report.Check) bool {
			return c.failed() && d.Severity != 0 && c.Group != d.Group && c.Rule == d.Rule &&
				c.Hint == d.Hint && c.Pointer == d.Pointer && !strings.HasPrefix(c.Pointer, "/supportedInterfaces")
		})
		if i < 0 {
			list = append(list, c.Check)
			continue
		}
		list[i].Detail += "; the same at " + c.Group
	}
	return list
}

// withheld reports whether there are credentials, and none for this interface.
func (x *exam) withheld() bool { return len(x.Credentials) > 0 && len(x.credentials) == 0 }

// knowsNoTenant reports whether the server does not know the tenant of the card.
func (x *exam) knowsNoTenant(a answer) bool {
	return x.Tenant != "" && !a.is(taskNotFound) && a.kind != result && a.kind != broken &&
		(a.mentionsTenant() || x.elsewise(schema.Interface{Binding: x.Binding, Version: x.Version}).is(taskNotFound))
}

func (a answer) mentionsTenant() bool {
	return a.kind != result && strings.Contains(strings.ToLower(a.words), "tenant")
}

// spoken is the version that the interface speaks, "none" for another one, "" where it does not speak its binding.
func (x *exam) spoken() string {
	other := map[string]string{"1.0": "0.3", "0.3": "1.0"}[x.Version]
	switch x.instead = "check that the A2A server listens at this URL"; {
	case x.known.knows():
		return x.Version
	case x.known.kind == broken:
		return ""
	case x.elsewise(schema.Interface{Binding: x.Binding, Version: other, Tenant: x.Tenant}).knows():
		return other
	case x.known.kind == failure:
		return "none"
	case x.known.redirect:
		x.instead = "redirects are not followed: answer at this URL, or put the target of the redirect into the card"
	case x.known.html:
		x.instead = "route A2A requests to the agent: an HTML page answers at this URL"
	}
	for _, binding := range []string{"JSONRPC", "HTTP+JSON"} {
		a := x.elsewise(schema.Interface{Binding: binding, Version: x.Version, Tenant: x.Tenant})
		if binding != x.Binding && a.kind == failure && a.knows() {
			x.instead = "the URL speaks " + binding + ": set protocolBinding to " + binding + ", or set the URL of " + x.Binding
		}
	}
	return ""
}

// elsewise is the answer in the form of another interface, nothing where credentials are missing.
func (x *exam) elsewise(in schema.Interface) answer {
	in.URL = x.URL
	a := x.run.exam(x.ctx, 0, in).ask(call{op: getTask})
	if a.kind == denied {
		return answer{kind: unasked}
	}
	return a
}

// knows reports whether an answer is one of a server that knows binding and version.
func (a answer) knows() bool {
	return a.kind == denied || a.kind == result || a.kind == failure && !a.is(methodNotFound, versionRefused)
}

// capability is something that an agent can or cannot do.
type capability struct {
	ways    []operation // that show it; the first is the one that the specification names
	missing fault       // what it wants where the capability is not supported
	empty   string      // a result with this empty list means the same as TaskNotFoundError
	flag    func(schema.Capabilities) *bool
}

// judge finds a lie only where the capability cannot be had in any way; else the server is broken.
func (c capability) judge(x *exam, v verdict) {
	a, op, name := x.ask(call{op: c.ways[0]}), x.name(c.ways[0]), v.promise()
	exact := a.is(taskNotFound) || c.empty != "" && a.kind == result && isEmptyList(a.result, c.empty)
	broke := v.because(x.text("{fault}", "", a))
	switch {
	case !isTrue(c.flag(x.Card.Capabilities)):
		x.unpromised(v, op, a, exact || a.shows() == there, c.missing)
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
	case a.is(wants), x.Version == "0.3" && (a.is(extendedMissing) || x.Binding == "GRPC" && a.is(methodNotFound)):
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

// shown is what the server shows of a capability in all ways, a being the answer to the first.
func (c capability) shown(x *exam, a answer) evidence {
	if c.missing == unsupported && x.Send != "" {
		if s := x.ask(call{op: sendStream}); s.shows() != unclear && (s.kind != result || !s.plain) {
			return s.shows()
		}
	}
	for _, way := range c.ways[1:] {
		if a.shows() != there && (way != subscribeToo || x.Binding == "HTTP+JSON") && x.ask(call{op: way}).shows() == there {
			return there
		}
	}
	return a.shows()
}

func isTrue(flag *bool) bool { return flag != nil && *flag }

// isEmptyList reports whether a result is an empty list, by itself in 0.3 and in an object in 1.0.
func isEmptyList(n *source.Node, name string) bool {
	if n.Is(source.Object) {
		if len(n.Without(name).Without("nextPageToken").Fields()) > 0 {
			return false
		}
		n = n.Get(name)
	}
	return n == nil || n.Is(source.Null) || n.Is(source.Array) && len(n.Items) == 0
}

// form reports what is wrong with the media types of the answers, or else with their errors.
func form(media bool) func(*exam, verdict) {
	return func(x *exam, v verdict) {
		for _, what := range slices.Sorted(maps.Keys(x.flaws)) {
			if strings.HasPrefix(what, "JSON as ") == media {
				v.because(what).fail(diag.Warning, x.text(serverHint, "", answer{}), "%s: %s", few(x.flaws[what]), what)
			}
		}
	}
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
