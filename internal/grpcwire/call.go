package grpcwire

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"cardwright/internal/client"
)

// Code is a status code of gRPC.
type Code int

// The status codes that A2A uses.
const (
	OK                 Code = 0
	Unknown            Code = 2
	InvalidArgument    Code = 3
	NotFound           Code = 5
	PermissionDenied   Code = 7
	FailedPrecondition Code = 9
	Unimplemented      Code = 12
	Internal           Code = 13
	Unauthenticated    Code = 16
)

var codes = [...]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
	"PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
	"INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}

func (c Code) String() string {
	if c >= 0 && int(c) < len(codes) {
		return codes[c]
	}
	return "CODE " + strconv.Itoa(int(c))
}

// Answer is what a server answered to a call.
type Answer struct {
	Code    Code
	Message string // of a failure
	Reason  string // of google.rpc.ErrorInfo among the details, such as TASK_NOT_FOUND
	Domain  string // of the same
	// Body is the first message of the answer, nil when there is none.
	Body []byte
	// HTTP is the answer as HTTP has it. Where it is no answer of gRPC, Foreign is
	// true and the rest is empty.
	HTTP    *client.Response
	Foreign bool
}

// Call sends one message to a method, such as lf.a2a.v1.A2AService/GetTask, and
// returns the first message or the status that comes back. Target is http or
// https; the client is one of HTTP/2.
func Call(ctx context.Context, c *client.Client, target *url.URL, method string, metadata http.Header,
	m Message,
) (Answer, error) {
	frame := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(m))) //nolint:gosec // a message of ours
	header := http.Header{"Content-Type": {"application/grpc"}, "Te": {"trailers"}, "Accept": {"application/grpc"}}
	maps.Copy(header, metadata)
	resp, err := c.Do(ctx, client.Request{
		Method: http.MethodPost, URL: target.JoinPath(method), Header: header, Body: append(frame, m...),
		Enough: func(body []byte) bool { _, ok := firstFrame(body); return ok },
	})
	if err != nil {
		return Answer{}, fmt.Errorf("calling %s: %w", method, err)
	}
	return read(resp), nil
}

// firstFrame returns the first message of a body when all of it is there.
func firstFrame(body []byte) ([]byte, bool) {
	if len(body) < 5 {
		return nil, false
	}
	size := binary.BigEndian.Uint32(body[1:5])
	body = body[5:]
	if int64(size) > int64(len(body)) {
		return nil, false
	}
	return body[:size], true
}

func read(resp *client.Response) Answer {
	a := Answer{HTTP: resp}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.Status != http.StatusOK || media != "application/grpc" && !strings.HasPrefix(media, "application/grpc+") {
		a.Foreign = true
		return a
	}
	if body, ok := firstFrame(resp.Body); ok {
		a.Body = body
		return a
	}
	status := resp.Trailer
	if status.Get("Grpc-Status") == "" {
		status = resp.Header // an answer of trailers only
	}
	code, err := strconv.Atoi(status.Get("Grpc-Status"))
	if err != nil {
		a.Foreign = true
		return a
	}
	a.Code = Code(code)
	a.Message, _ = url.PathUnescape(status.Get("Grpc-Message"))
	a.Reason, a.Domain = errorInfo(status.Get("Grpc-Status-Details-Bin"))
	return a
}

// errorInfo finds reason and domain of a google.rpc.ErrorInfo in the details of
// a google.rpc.Status. Details that cannot be read have none.
func errorInfo(encoded string) (reason, domain string) {
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil {
		return "", ""
	}
	status, _ := elements(data)
	for _, detail := range status {
		if detail.number != 3 {
			continue
		}
		kind, value, err := anyOf(detail.data)
		if err != nil || !strings.HasSuffix(kind, "/google.rpc.ErrorInfo") {
			continue
		}
		info, _ := elements(value)
		for _, e := range info {
			switch text, _ := e.text(); e.number {
			case 1:
				reason = text
			case 2:
				domain = text
			}
		}
	}
	return reason, domain
}

// anyOf splits a google.protobuf.Any.
func anyOf(data []byte) (kind string, value []byte, err error) {
	parts, err := elements(data)
	for _, e := range parts {
		switch e.number {
		case 1:
			kind, _ = e.text()
		case 2:
			value = e.data
		}
	}
	if kind == "" {
		err = errors.Join(err, errBroken)
	}
	return kind, value, err
}
