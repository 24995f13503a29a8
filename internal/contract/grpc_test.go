package contract

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"cardwright/schema"
)

// protoMessage is a protobuf message that is being written.
type protoMessage []byte

func (m protoMessage) Text(number int, value string) protoMessage {
	return m.Sub(number, protoMessage(value))
}

func (m protoMessage) Enum(number int, value uint64) protoMessage {
	return protowire.AppendVarint(protowire.AppendTag(m, protowire.Number(number), protowire.VarintType), value)
}

func (m protoMessage) Sub(number int, value protoMessage) protoMessage {
	return protowire.AppendBytes(protowire.AppendTag(m, protowire.Number(number), protowire.BytesType), value)
}

func TestDecode(t *testing.T) {
	var part, message, status, task protoMessage
	part = part.Text(1, "hello").Text(7, "text/plain")
	message = message.Text(1, "m1").Enum(4, 2).Sub(5, part).Sub(5, part)
	status = status.Enum(1, 3)
	task = task.Text(1, "t1").Sub(3, status).Text(99, "of a later version")
	var scheme, pair, list, card protoMessage
	scheme = scheme.Sub(2, protoMessage(nil).Text(2, "Bearer"))
	pair = pair.Text(1, "login").Sub(2, scheme)
	list = list.Text(1, "a").Text(1, "b")
	card = card.Text(1, "Desk").Sub(7, protoMessage(nil).Enum(1, 1)).Sub(8, pair).
		Sub(9, protoMessage(nil).Sub(1, protoMessage(nil).Text(1, "login").Sub(2, list)))
	tests := []struct {
		name, version, message string
		data                   protoMessage
		want                   string
	}{
		{"a task", "1.0", "Task", task, `{"id": "t1", "status": {"state": "TASK_STATE_COMPLETED"}}`},
		{
			"a message in an answer", "1.0", "SendMessageResponse", protoMessage(nil).Sub(2, message),
			`{"message": {"messageId": "m1", "role": "ROLE_AGENT", "parts": [{"text": "hello", "mediaType": "text/plain"}, ` +
				`{"text": "hello", "mediaType": "text/plain"}]}}`,
		},
		{
			"a card", "1.0", "card", card,
			`{"name": "Desk", "capabilities": {"streaming": true}, ` +
				`"securitySchemes": {"login": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}}, ` +
				`"securityRequirements": [{"schemes": {"login": {"list": ["a", "b"]}}}]}`,
		},
		{
			"a card of 0.3", "0.3", "card", protoMessage(nil).Text(3, "https://a.example").Enum(13, 1),
			`{"url": "https://a.example", "supportedAuthenticatedExtendedCard": true}`,
		},
		{"the last of two counts", "1.0", "Task", protoMessage(nil).Text(1, "a").Text(1, "b"), `{"id": "b"}`},
		{"a state that nobody knows", "1.0", "TaskStatus", protoMessage(nil).Enum(1, 77), `{"state": 77}`},
		{"nothing", "1.0", "Task", nil, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := decode(tt.version, tt.message, tt.data)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(tt.want, "supportedAuthenticated", "supportsAuthenticated", 1)
			if diff := cmp.Diff(flat(want), flat(string(schema.Write(got)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// flat is JSON without white space between its tokens.
func flat(text string) string { return strings.NewReplacer("\n", "", " ", "").Replace(text) }

func TestDecodeRefuses(t *testing.T) {
	deep := protoMessage(nil)
	for range 100 {
		deep = protoMessage(nil).Sub(2, deep)
	}
	for name, data := range map[string]string{
		"a length beyond the end": "\x0a\xff",
		"a length without end":    "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"a varint without end":    "\x08\x80",
		"the number 0":            "\x02\x00",
		"a group":                 "\x0b",
		"text that is not UTF-8":  "\x0a\x01\xff",
		"a number for a text":     "\x08\x01",
		"a number for a message":  "\x18\x01",
	} {
		if node, err := decode("1.0", "Task", []byte(data)); err == nil {
			t.Errorf("%s is read as %s", name, schema.Write(node))
		}
	}
	if _, err := decode("1.0", "SendMessageResponse", deep); err == nil {
		t.Error("an empty message without id is fine, but not 100 of them in one another")
	}
}

func TestErrorInfo(t *testing.T) {
	info := protoMessage(nil).Text(1, "TASK_NOT_FOUND").Text(2, "a2a-protocol.org")
	other := protoMessage(nil).Text(1, "type.googleapis.com/google.rpc.DebugInfo").Sub(2, protoMessage(nil).Text(1, "x"))
	status := protoMessage(nil).Enum(1, 5).Text(2, "no such task").Sub(3, other).
		Sub(3, protoMessage(nil).Text(1, "type.googleapis.com/google.rpc.ErrorInfo").Sub(2, info))
	for name, encoded := range map[string]string{
		"padded":   base64.StdEncoding.EncodeToString(status),
		"unpadded": base64.RawStdEncoding.EncodeToString(status),
	} {
		if reason, domain := errorInfo(detailsOf(encoded)); reason != "TASK_NOT_FOUND" || domain != "a2a-protocol.org" {
			t.Errorf("%s: %q %q", name, reason, domain)
		}
	}
	for _, encoded := range []string{"", "%%%", "AA", base64.StdEncoding.EncodeToString(other)} {
		if reason, _ := errorInfo(detailsOf(encoded)); reason != "" {
			t.Errorf("%q has the reason %q", encoded, reason)
		}
	}
}

// Whatever a server sends as a message, reading it ends, with JSON or an error.
func FuzzDecode(f *testing.F) {
	f.Add("Task", []byte(protoMessage(nil).Text(1, "t1")))
	f.Add("card", []byte(protoMessage(nil).Sub(8, protoMessage(nil).Text(1, "login"))))
	f.Add("StreamResponse", []byte("\x0a\x02\x0a\x00"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		for _, version := range []string{"1.0", "0.3"} {
			node, err := decode(version, name, data)
			if (node == nil) == (err == nil) {
				t.Errorf("%v, %v", node, err)
			}
		}
	})
}
