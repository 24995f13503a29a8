package contract

import (
	"net/http"
	"net/url"
	"testing"

	"cardwright/internal/client"
	"cardwright/internal/source"
	"cardwright/schema"
)

// A server that answers everything with some JSON lists no push configuration.
func TestIsEmptyList(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true, `{"configs": []}`: true, `{"configs": null, "nextPageToken": ""}`: true, `[]`: true, `null`: true,
		`{"configs": [{}]}`: false, `[{}]`: false, `{"name": "Desk"}`: false, `{"configs": [], "status": "ok"}`: false,
		`"ok"`: false,
	} {
		n, found := source.ParseJSON("result", []byte(text), source.Limits{})
		if n == nil || isEmptyList(n, "configs") != want {
			t.Errorf("%s: not %t, %v", text, want, found)
		}
	}
}

// The forms in which servers of several SDKs and versions say the same.
func TestFaults(t *testing.T) {
	tests := []struct {
		name   string
		status int
		body   string
		rest   bool
		want   kind
		fault  fault
	}{
		{
			"JSON-RPC", 200, `{"jsonrpc": "2.0", "id": "1", "error": {"code": -32001, "message": "no"}}`, false, failure,
			taskNotFound,
		},
		{
			"JSON-RPC with status 500", 500, `{"jsonrpc": "2.0", "id": "1", "error": {"code": -32603, "message": "no"}}`, false,
			failure, "InternalError",
		},
		{
			"JSON-RPC with id null", 200, `{"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "no"}}`, false,
			failure, "InvalidRequestError",
		},
		{
			"JSON-RPC with a code of its own and a reason", 200,
			`{"jsonrpc": "2.0", "id": "1", "error": {"code": -1, "data": [{"reason": "TASK_NOT_FOUND"}]}}`, false, failure,
			taskNotFound,
		},
		{"JSON-RPC with a code of its own", 200, `{"jsonrpc": "2.0", "id": "1", "error": {"code": -1}}`, false, failure, ""},
		{
			"unauthenticated of a2a-go", 200, `{"jsonrpc": "2.0", "id": "1", "error": {"code": -31401}}`, false, denied,
			unauthenticated,
		},
		{"401 of a gateway", 401, `no`, false, denied, ""},
		{"403 of a gateway", 403, `<html>`, true, denied, ""},
		{"JSON-RPC 1.0", 200, `{"id": "1", "error": {"code": -32001}}`, false, foreign, ""},
		{
			"google.rpc.Status", 404,
			`{"error": {"code": 404, "status": "NOT_FOUND", "details": [{"reason": "TASK_NOT_FOUND"}]}}`, true, failure,
			taskNotFound,
		},
		{
			"google.rpc.Status without details", 404, `{"error": {"code": 404, "status": "NOT_FOUND"}}`, true, failure,
			taskNotFound,
		},
		{
			"google.rpc.Status in an event of status 200", 200,
			`{"error": {"code": 400, "details": [{"reason": "UNSUPPORTED_OPERATION"}]}}`, true, failure, unsupported,
		},
		{
			"a problem of RFC 9457", 404, `{"type": "https://a2a-protocol.org/errors/task-not-found", "status": 404}`, true,
			failure, taskNotFound,
		},
		{"the error of JSON-RPC by itself", 404, `{"code": -32001, "message": "no"}`, true, failure, taskNotFound},
		{"404 of a framework's router", 404, `{"detail": "Not Found"}`, true, foreign, ""},
		{
			"404 of another framework's router", 404,
			`{"statusCode": 404, "message": "Cannot GET /tasks/1", "error": "Not Found"}`, true, foreign, "",
		},
		{"405 of a router", 405, ``, true, foreign, ""},
		{"a result", 200, `{"id": "t1"}`, true, result, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp := &client.Response{URL: &url.URL{}, Status: tt.status, Header: http.Header{}, Body: []byte(tt.body)}
			binding := "JSONRPC"
			if tt.rest {
				binding = "HTTP+JSON"
			}
			got := reading(binding).read(call{op: getTask}, "1", resp)
			if got.kind != tt.want || got.fault != tt.fault || got.said() == "" {
				t.Errorf("got %d %q (%s), want %d %q", got.kind, got.fault, got.said(), tt.want, tt.fault)
			}
		})
	}
}

// reading is an exam that only reads.
func reading(binding string) *exam {
	return &exam{peer: &peer{Interface: schema.Interface{Binding: binding, Version: "1.0"}}}
}

// Whatever a server answers, it is sorted out, and said in words.
func FuzzAnswer(f *testing.F) {
	f.Add(200, "application/json", []byte(`{"jsonrpc": "2.0", "id": "1", "error": {"code": -32001}}`))
	f.Add(404, "application/json", []byte(`{"error": {"details": [{"reason": "TASK_NOT_FOUND"}]}}`))
	f.Add(200, "text/event-stream", []byte("data: {}\n\n"))
	f.Add(302, "text/html", []byte("<!doctype html>"))
	f.Fuzz(func(t *testing.T, status int, media string, body []byte) {
		resp := &client.Response{URL: &url.URL{}, Status: status, Header: http.Header{"Content-Type": {media}}, Body: body}
		for _, binding := range bindings {
			a := reading(binding).read(call{op: getTask}, "1", resp)
			if a.said() == "" || a.kind == result && a.result == nil {
				t.Errorf("%+v", a)
			}
		}
	})
}
