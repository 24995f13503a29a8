package contract

import (
	"context"
	"net/http"
	"strings"

	"cardwright/internal/client"
	"cardwright/internal/source"
)

// askREST asks over HTTP+JSON (specification, section 11).
func (r *run) askREST(ctx context.Context, p *peer, c call, id string) answer {
	w := wordings[c.version][c.op]
	target := p.target
	if p.Tenant != "" && c.version != "0.3" {
		target = target.JoinPath(p.Tenant)
	}
	h := r.headers(p, c)
	var body []byte
	if w.verb == http.MethodPost {
		h.Set("Content-Type", "application/json")
		q := &source.Node{Kind: source.Object}
		q.Set("message", r.message(c.version, p.Binding, id))
		body = encode(q)
	}
	if c.op.streams() {
		h.Set("Accept", "text/event-stream, application/json")
	}
	u := target.JoinPath(strings.Replace(w.path, "ID", id, 1))
	resp, err := r.http.Do(ctx, client.Request{Method: w.verb, URL: u, Header: h, Body: body, Enough: enough(c.op)})
	if err != nil {
		return noAnswer(err)
	}
	return readREST(resp)
}

// readREST reads a result, or an error in one of the forms that servers send:
// google.rpc.Status (1.0), a problem of RFC 9457, or the error of JSON-RPC by
// itself (0.3).
func readREST(resp *client.Response) answer {
	if a := ofHTTP(resp); a.kind != result {
		return a
	}
	node, other := document(resp)
	switch {
	case node == nil:
		return answer{kind: foreign, said: other}
	case node.Get("jsonrpc") != nil:
		return answer{kind: foreign, said: "a JSON-RPC envelope"}
	}
	fault := node
	if e := node.Get("error"); e.Is(source.Object) {
		fault = e
	} else if resp.Status < 300 {
		return answer{kind: result, result: node, said: httpStatus(resp.Status)}
	}
	f := faultOfReason(reasonIn(fault.Get("details")))
	if f == "" {
		f = faultOfReason(fault.Get("type").Word())
	}
	if f == "" {
		f = faultOfCode(code(fault))
	}
	if f == "" && fault.Get("status").Word() == "NOT_FOUND" {
		f = taskNotFound
	}
	if f == "" && fault == node && node.Get("type").Word() == "" && code(node) == 0 {
		return answer{kind: foreign, said: httpStatus(resp.Status) + " with JSON that is not an A2A error"}
	}
	return failed(f, named(httpStatus(resp.Status), f))
}
