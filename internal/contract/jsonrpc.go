package contract

import (
	"context"
	"net/http"
	"strconv"

	"cardwright/internal/client"
	"cardwright/internal/source"
)

// askRPC asks over JSON-RPC 2.0 (specification, section 9).
func (r *run) askRPC(ctx context.Context, p *peer, c call, id string) answer {
	w := wordings[c.version][c.op]
	q := &source.Node{Kind: source.Object}
	q.SetText("jsonrpc", "2.0")
	q.SetText("id", id)
	q.SetText("method", w.rpc)
	q.Set("params", r.params(p, c, id))
	h := r.headers(p, c)
	h.Set("Content-Type", "application/json")
	if c.op.streams() {
		h.Set("Accept", "text/event-stream, application/json")
	}
	resp, err := r.http.Do(ctx, client.Request{
		Method: http.MethodPost, URL: p.target, Header: h, Body: encode(q),
		Enough: enough(c.op),
	})
	if err != nil {
		return noAnswer(err)
	}
	return readRPC(resp, id)
}

// params returns the parameters of an operation in one version.
func (r *run) params(p *peer, c call, id string) *source.Node {
	n := &source.Node{Kind: source.Object}
	if c.version != "0.3" {
		n.SetText("tenant", p.Tenant)
	}
	switch c.op {
	case getTask, subscribe:
		n.SetText("id", id)
	case listPush:
		if c.version == "0.3" {
			n.SetText("id", id)
		} else {
			n.SetText("taskId", id)
		}
	case sendMessage, sendStream:
		n.Set("message", r.message(c.version, p.Binding, id))
	}
	return n
}

// enough ends a stream after its first event.
func enough(op operation) func([]byte) bool {
	if !op.streams() {
		return nil
	}
	return func(body []byte) bool { _, ok := firstEvent(body); return ok }
}

// readRPC reads an envelope with the given id.
func readRPC(resp *client.Response, id string) answer {
	if a := ofHTTP(resp); a.kind != result {
		return a
	}
	node, other := document(resp)
	if node == nil {
		return answer{kind: foreign, said: other}
	}
	if node.Get("jsonrpc").Word() != "2.0" {
		return answer{kind: foreign, said: httpStatus(resp.Status) + " with JSON that is not a JSON-RPC 2.0 envelope"}
	}
	fault, got := node.Get("error"), node.Get("id")
	unread := fault != nil && (got == nil || got.Is(source.Null)) // the server could not read the id
	if node.Get("id").Word() != id && !unread {
		return answer{kind: foreign, said: "a JSON-RPC envelope whose id is not that of the request"}
	}
	switch {
	case fault.Is(source.Object):
		f := faultOfCode(code(fault))
		if f == "" {
			f = faultOfReason(reasonIn(fault.Get("data")))
		}
		return failed(f, named(strconv.Itoa(code(fault)), f))
	case node.Get("result") != nil:
		return answer{kind: result, result: node.Get("result"), said: "a result"}
	}
	return answer{kind: foreign, said: "a JSON-RPC envelope with neither result nor error"}
}
