package contract

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"cardwright/internal/client"
	"cardwright/internal/diag"
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
	kind      kind
	fault     fault        // of a failure, "" for one without a name
	result    *source.Node // of a result
	said      string       // in words, as messages quote it: -32004 UnsupportedOperationError
	challenge bool         // a refusal says how to authenticate
	private   bool         // no answer, because of a private address that nobody named
	html      bool         // a foreign answer is a page for people
	redirect  bool         // a foreign answer leads elsewhere
	connected bool         // the connection was made, TLS included
}

// is tells whether the answer is one of the failures.
func (a answer) is(faults ...fault) bool {
	for _, f := range faults {
		if a.kind == failure && a.fault == f {
			return true
		}
	}
	return false
}

// noAnswer is the answer for a request that failed.
func noAnswer(err error) answer {
	return answer{kind: broken, said: client.Explain(err), private: client.Private(err)}
}

// ofHTTP recognizes the answers that are the same in every binding over HTTP.
// All others have the kind result, and the binding reads them.
func ofHTTP(resp *client.Response) answer {
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case resp.Status == http.StatusUnauthorized, resp.Status == http.StatusForbidden:
		return answer{kind: denied, said: httpStatus(resp.Status), challenge: resp.Header.Get("WWW-Authenticate") != ""}
	case resp.Status >= 300 && resp.Status < 400:
		return answer{kind: foreign, redirect: true, said: redirect(resp)}
	case resp.TooLarge:
		return answer{kind: foreign, said: fmt.Sprintf("more than %d bytes", len(resp.Body))}
	case media == "text/html" || bytes.HasPrefix(bytes.ToLower(bytes.TrimSpace(resp.Body)), []byte("<!doctype html")):
		return answer{kind: foreign, html: true, said: "an HTML page with " + httpStatus(resp.Status)}
	}
	return answer{kind: result, said: httpStatus(resp.Status)}
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

// document returns the JSON of an answer: the body, or the first event of a
// stream. For anything else the second result describes it.
func document(resp *client.Response) (*source.Node, string) {
	body := resp.Body
	if isStream(resp.Header) {
		event, ok := firstEvent(body)
		if !ok {
			return nil, "a stream that ends without an event"
		}
		body = event
	}
	node, found := source.ParseJSON("", body, source.Limits{})
	if node.Is(source.Object) && found.Worst() < diag.Error {
		return node, ""
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, httpStatus(resp.Status) + " without a body"
	}
	return nil, fmt.Sprintf("%s with %s that is not a JSON object", httpStatus(resp.Status), kindOf(resp.Header))
}

func kindOf(h http.Header) string {
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || media == "" {
		return "a body"
	}
	return diag.Quote(media)
}

func isStream(h http.Header) bool {
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return media == "text/event-stream"
}

// firstEvent returns the data of the first event of a stream that has any, once
// all of it is there (WHATWG HTML, section 9.2.6).
func firstEvent(body []byte) ([]byte, bool) {
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(body))
	for {
		event, rest, complete := strings.Cut(text, "\n\n")
		if !complete {
			return nil, false
		}
		var data []string
		for line := range strings.SplitSeq(event, "\n") {
			if value, ok := strings.CutPrefix(line, "data:"); ok {
				data = append(data, strings.TrimPrefix(value, " "))
			}
		}
		if len(data) > 0 {
			return []byte(strings.Join(data, "\n")), true
		}
		text = rest
	}
}

// code is the code of an error, 0 when it has none.
func code(n *source.Node) int {
	if m := n.Get("code"); m.Is(source.Number) {
		i, _ := strconv.Atoi(m.Text)
		return i
	}
	return 0
}

// reasonIn finds the reason of an ErrorInfo in a list of details.
func reasonIn(details *source.Node) string {
	if !details.Is(source.Array) {
		return ""
	}
	for _, d := range details.Items {
		if reason := d.Get("reason").Word(); reason != "" {
			return reason
		}
	}
	return ""
}

// failed is a failure of a fault; the faults that stand for missing credentials
// make it a refusal.
func failed(f fault, said string) answer {
	if f == unauthenticated || f == forbidden {
		return answer{kind: denied, fault: f, said: said, challenge: true}
	}
	return answer{kind: failure, fault: f, said: said}
}
