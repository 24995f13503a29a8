package contract

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
)

// kind is what sort of answer a call got.
type kind int

const (
	result  kind = iota // what was asked for
	failure             // an error, in the form of the binding
	denied              // refused because credentials are missing
	foreign             // something other than an answer of the binding
	broken              // no answer
	unasked             // the call was not made
)

// answer is what a call got, whatever the binding.
type answer struct {
	kind       kind
	fault      fault          // of a failure, "" for one without a name
	result     *source.Node   // of a result, the first of a stream
	sent       []*source.Node // the results of a stream
	code       string         // what messages call it: -32004 UnsupportedOperationError
	words      string         // the server's own message
	flaws      []string       // what is wrong with its form
	challenges []string       // authentication schemes that a 401 asks for
	cut        string         // why a stream did not come to its end
	then       string         // what came in a stream in place of a result
	plain      bool           // the result is not a stream
	private    bool           // no answer, because of a private address that nobody named
	html       bool           // a foreign answer is a page for people
	redirect   bool           // a foreign answer leads elsewhere
	connected  bool           // the connection was made, TLS included
}

// said is the answer as messages quote it.
func (a answer) said() string {
	if a.words == "" {
		return a.code
	}
	return a.code + " " + diag.Quote(a.words)
}

// is reports whether the answer is one of the failures.
func (a answer) is(faults ...fault) bool {
	return a.kind == failure && slices.Contains(faults, a.fault)
}

// evidence is what an answer about an unknown task says about an operation.
type evidence int

const (
	unclear evidence = iota
	there            // the server has it
	missing          // it does not
)

// What servers say in words, where the code of an error says something else.
var (
	sayMissing = parallel.Regexp(`(?i)unsupported|unimplemented|disabled|method not found|unknown method|` +
		`\b(not|no|n't)\b.{0,24}\b(support|implement|enabled|available|configured|allowed)`)
	sayUnknown = parallel.Regexp(`(?i)not.?found|no such|does ?n[o']t exist|unknown task|no task`)
)

// shows says whether the server has the operation that it answers.
func (a answer) shows() evidence {
	switch {
	case a.is(taskNotFound, notCancelable), a.kind == result:
		return there
	case a.is(absent...), a.kind == foreign:
		return missing
	case a.kind == failure && sayMissing().MatchString(a.words):
		return missing
	case a.kind == failure && sayUnknown().MatchString(a.words):
		return there
	}
	return unclear
}

// read reads an answer in the form of the binding.
func (x *exam) read(c call, id string, resp *client.Response) answer {
	if x.Binding == "GRPC" {
		return x.readGRPC(c, resp)
	}
	a := ofHTTP(resp)
	if a.kind != result {
		return a
	}
	bodies := [][]byte{resp.Body}
	stream := resp.Media() == "text/event-stream"
	if stream {
		bodies = client.Events(resp.Body)
	}
	var first answer
	for i, body := range bodies {
		node, found := source.ParseJSON("", body, source.Limits{})
		switch {
		case !node.Is(source.Object) || found.Worst() == diag.Error:
			a = answer{kind: foreign, code: notJSON(resp, body)}
		case x.Binding == "JSONRPC":
			a = readRPC(resp, node, id, x.Version)
		default:
			a = readREST(resp, node, x.Version)
		}
		switch {
		case i == 0:
			first = a
		case a.kind != result:
			first.then = a.said()
		}
		if a.kind == result {
			first.sent = append(first.sent, a.result)
		}
	}
	if len(bodies) == 0 {
		return answer{kind: broken, code: "a stream that ends without an event" + because(resp.Cut)}
	}
	if stream && !c.op.streams() {
		return answer{kind: foreign, code: "a stream of events in place of one answer"}
	}
	if first.plain = !stream; stream {
		first.flaws = nil // a stream has the status of HTTP before its first event
	}
	if resp.Cut != nil {
		first.cut = client.Explain(resp.Cut)
	}
	if kind := resp.Media(); first.kind != foreign && !stream && !strings.HasSuffix(kind, "json") {
		first.flaws = append(first.flaws, "JSON as "+typed(kind, "a body without Content-Type"))
	}
	return first
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return ": " + client.Explain(err)
}

// ofHTTP recognizes the answers that are the same in every binding. Others are results, which it reads.
func ofHTTP(resp *client.Response) answer {
	page := bytes.HasPrefix(bytes.ToLower(bytes.TrimSpace(resp.Body)), []byte("<!doctype html"))
	switch {
	case resp.Status == http.StatusUnauthorized, resp.Status == http.StatusForbidden:
		return answer{kind: denied, code: httpStatus(resp.Status), challenges: resp.Challenges()}
	case resp.Status >= 300 && resp.Status < 400:
		return answer{kind: foreign, redirect: true, code: redirect(resp)}
	case resp.TooLarge:
		return answer{kind: foreign, code: fmt.Sprintf("more than %d bytes", len(resp.Body))}
	case resp.Media() == "text/html" || page:
		return answer{kind: foreign, html: true, code: "an HTML page with " + httpStatus(resp.Status)}
	}
	return answer{kind: result, code: httpStatus(resp.Status)}
}

// redirect says where a redirect leads, without what may be secret in it.
func redirect(resp *client.Response) string {
	to := httpStatus(resp.Status) + ", a redirect"
	u, err := resp.URL.Parse(resp.Header.Get("Location"))
	if err != nil || resp.Header.Get("Location") == "" {
		return to
	}
	return to + " to " + diag.Quote((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String())
}

// notJSON describes a body that is not a JSON object.
func notJSON(resp *client.Response, body []byte) string {
	if len(bytes.TrimSpace(body)) == 0 {
		return httpStatus(resp.Status) + " without a body"
	}
	return httpStatus(resp.Status) + " with " + typed(resp.Media(), "a body") + " that is not a JSON object"
}

func typed(kind, otherwise string) string {
	if kind == "" {
		return otherwise
	}
	return diag.Quote(kind)
}

// reported is an error as a binding says it.
type reported struct {
	faults         []fault // that its parts stand for, the most telling first
	code, words    string
	reason, domain string // of google.rpc.ErrorInfo
}

// failed is the answer that is an error, or a refusal where credentials are missing.
func (e reported) failed(version, got string, want func(spelling) string) answer {
	f := cmp.Or(e.faults...)
	a := answer{kind: failure, fault: f, code: strings.TrimSpace(e.code + " " + string(f)), words: e.words}
	if f == unauthenticated || f == forbidden {
		a.kind = denied
	}
	ours := spelled(func(s spelling) bool { return s.fault == f })
	switch a2a := ours.code <= -32001 && ours.code >= -32009; {
	case version == "0.3": // has no ErrorInfo
	case e.reason == "" && a2a:
		a.flaws = append(a.flaws, "errors without google.rpc.ErrorInfo")
	case e.reason != "" && e.domain != "a2a-protocol.org":
		a.flaws = append(a.flaws, "ErrorInfo with the domain "+diag.Quote(e.domain)+" instead of a2a-protocol.org")
	case a2a && ofReason(e.reason) != f:
		a.flaws = append(a.flaws, fmt.Sprintf("%s with the reason %s", f, diag.Quote(e.reason)))
	}
	if want := want(ours); f != "" && got != want && (version != "0.3" || got < "HTTP 4") {
		a.flaws = append(a.flaws, fmt.Sprintf("%s with %s instead of %s", f, got, want))
	}
	return a
}

// readRPC reads an envelope with the given id (section 9).
func readRPC(resp *client.Response, node *source.Node, id, version string) answer {
	problem, got := node.Get("error"), node.Get("id")
	unread := problem != nil && (got == nil || got.Is(source.Null)) // the server could not read the id
	switch {
	case node.Get("jsonrpc").Word() != "2.0":
		return answer{kind: foreign, code: httpStatus(resp.Status) + " with JSON that is not a JSON-RPC 2.0 envelope"}
	case got.Word() != id && !unread:
		return answer{kind: foreign, code: "a JSON-RPC envelope whose id is not that of the request"}
	case problem.Is(source.Object) && node.HasAny("result") && !node.Get("result").Is(source.Null):
		return answer{kind: foreign, code: "a JSON-RPC envelope with both result and error"}
	case problem.Is(source.Object):
		e := reported{code: strconv.Itoa(code(problem)), words: wordsOf(problem)}
		e.reason, e.domain = errorInfo(problem.Get("data"))
		e.faults = []fault{ofCode(code(problem)), ofReason(e.reason)}
		return e.failed(version, "", func(spelling) string { return "" })
	case node.Get("result") != nil:
		return answer{kind: result, result: node.Get("result"), code: "a result"}
	}
	return answer{kind: foreign, code: "a JSON-RPC envelope with neither result nor error"}
}

// readREST reads a result, a google.rpc.Status, a problem of RFC 9457, or the bare error of JSON-RPC (0.3).
func readREST(resp *client.Response, node *source.Node, version string) answer {
	problem, status := node, httpStatus(resp.Status)
	if e := node.Get("error"); e.Is(source.Object) {
		problem = e
	}
	e := reported{code: status, words: wordsOf(problem)}
	e.reason, e.domain = errorInfo(problem.Get("details"))
	e.faults = []fault{ofReason(e.reason), ofReason(problem.Get("type").Word()), ofCode(code(problem))}
	if problem.Get("status").Word() == "NOT_FOUND" {
		e.faults = append(e.faults, taskNotFound)
	}
	switch plain := problem == node && cmp.Or(e.faults...) == ""; {
	case node.Get("jsonrpc") != nil:
		return answer{kind: foreign, code: "a JSON-RPC envelope"}
	case plain && resp.Status < 300:
		return answer{kind: result, result: node, code: status}
	case plain && node.Get("type").Word() == "" && code(node) == 0:
		return answer{kind: foreign, code: status + " with JSON that is not an A2A error", words: e.words}
	}
	return e.failed(version, status, func(s spelling) string { return httpStatus(s.http) })
}

// errorInfo reads the google.rpc.ErrorInfo among the details of an error.
func errorInfo(details *source.Node) (reason, domain string) {
	for _, d := range details.Elements() {
		kind, reason := d.Get("@type").Word(), d.Get("reason").Word()
		if reason != "" && (kind == "" || strings.HasSuffix(kind, "/google.rpc.ErrorInfo")) {
			return reason, d.Get("domain").Word()
		}
	}
	return "", ""
}

// code is the code of an error, 0 when it has none.
func code(n *source.Node) int {
	i, _ := strconv.Atoi(n.Get("code").ScalarText())
	return i
}

// wordsOf is what an error says for people.
func wordsOf(n *source.Node) string {
	return cmp.Or(n.Get("message").Word(), n.Get("detail").Word(), n.Get("title").Word())
}

func httpStatus(status int) string { return "HTTP " + strconv.Itoa(status) }
