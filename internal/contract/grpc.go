package contract

import (
	"context"
	"net/http"

	"cardwright/internal/client"
	"cardwright/internal/grpcwire"
	"cardwright/internal/source"
)

// askGRPC asks over gRPC (specification, section 10).
func (r *run) askGRPC(ctx context.Context, p *peer, c call, id string) answer {
	w := wordings[c.version][c.op]
	got, err := grpcwire.Call(ctx, r.http2, p.target, services[c.version]+"/"+w.grpc, r.headers(p, c), r.request(p, c, id))
	if err != nil {
		return r.withoutHTTP2(ctx, p, noAnswer(err))
	}
	if got.Foreign {
		if a := ofHTTP(got.HTTP); a.kind != result {
			return a
		}
		return answer{kind: foreign, said: httpStatus(got.HTTP.Status) + " that is not a gRPC answer"}
	}
	if got.Code != grpcwire.OK {
		f := faultOfReason(got.Reason)
		if f == "" {
			f = faultOfStatus(got.Code)
		}
		return failed(f, named(got.Code.String(), f))
	}
	if got.Body == nil {
		return answer{kind: result, result: &source.Node{Kind: source.Object}, said: "OK without a message"}
	}
	node, err := grpcwire.Decode(c.version, w.answer, got.Body)
	if err != nil {
		return answer{kind: foreign, said: "a message that is not a " + w.answer}
	}
	return answer{kind: result, result: node, said: "a " + w.answer}
}

// request is the message of an operation. In 0.3 a task is named by its path.
func (r *run) request(p *peer, c call, id string) grpcwire.Message {
	var m grpcwire.Message
	if c.version == "0.3" {
		switch c.op {
		case getTask, subscribe, listPush:
			return m.Text(1, "tasks/"+id)
		case sendMessage, sendStream:
			return m.Sub(1, r.grpcMessage(id))
		}
		return m
	}
	switch c.op {
	case getTask, subscribe:
		return m.Text(1, p.Tenant).Text(2, id)
	case listPush:
		return m.Text(1, id).Text(4, p.Tenant)
	case sendMessage, sendStream:
		return m.Text(1, p.Tenant).Sub(2, r.grpcMessage(id))
	}
	return m.Text(1, p.Tenant)
}

// grpcMessage is the message of --send, which has the same fields in both
// versions.
func (r *run) grpcMessage(id string) grpcwire.Message {
	const roleUser = 1
	var part, m grpcwire.Message
	return m.Text(1, id).Enum(4, roleUser).Sub(5, part.Text(1, r.Send))
}

// withoutHTTP2 tells a server that speaks only HTTP/1.1, and so cannot speak
// gRPC, from one that cannot be reached.
func (r *run) withoutHTTP2(ctx context.Context, p *peer, a answer) answer {
	if a.private || ctx.Err() != nil {
		return a
	}
	resp, err := r.http.Do(ctx, client.Request{Method: http.MethodGet, URL: p.target})
	if err != nil {
		return a
	}
	b := ofHTTP(resp)
	b.kind = foreign
	b.said += " over HTTP/1.1, but gRPC needs HTTP/2"
	return b
}
