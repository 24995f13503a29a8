package contract

import (
	"cmp"
	_ "embed" // for the messages
	"encoding/base64"
	"encoding/binary"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"cardwright/internal/client"
	"cardwright/internal/source"
	"cardwright/schema"
)

// statuses are the names of the status codes of gRPC by their numbers.
var statuses = []string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
	"PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
	"INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}

// frame puts the length of a message before it, as gRPC does.
func frame(message []byte) []byte {
	head := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))) //nolint:gosec // a message of ours
	return append(head, message...)
}

// frames returns the messages of a body that are there to their end.
func frames(body []byte) [][]byte {
	var list [][]byte
	for len(body) >= 5 {
		size := int64(binary.BigEndian.Uint32(body[1:5]))
		if size > int64(len(body)-5) {
			break
		}
		list, body = append(list, body[5:5+size]), body[5+size:]
	}
	return list
}

// readGRPC reads messages or a status (section 10).
func (x *exam) readGRPC(c call, resp *client.Response) answer {
	status := resp.Trailer
	if status.Get("Grpc-Status") == "" {
		status = resp.Header // an answer of trailers only
	}
	code, err := strconv.Atoi(status.Get("Grpc-Status"))
	came := frames(resp.Body)
	spoken := resp.Status == http.StatusOK && strings.HasPrefix(resp.Media()+"+", "application/grpc+")
	if a := ofHTTP(resp); a.kind != result && !spoken {
		return a
	}
	if !spoken || err != nil && len(came) == 0 { // a stream that was left early has no status
		return answer{kind: foreign, code: httpStatus(resp.Status) + " that is not a gRPC answer" + because(resp.Cut)}
	}
	if code != 0 {
		e := reported{code: "CODE " + strconv.Itoa(code)}
		if code > 0 && code < len(statuses) {
			e.code = statuses[code]
		}
		e.words, _ = url.PathUnescape(status.Get("Grpc-Message"))
		e.reason, e.domain = errorInfo(detailsOf(status.Get("Grpc-Status-Details-Bin")))
		e.faults = []fault{ofReason(e.reason), ofStatus(e.code)}
		return e.failed(x.Version, e.code, func(s spelling) string { return s.grpc })
	}
	a := answer{kind: result, sent: x.sent(c, resp.Body), code: "OK without a message"}
	a.result = &source.Node{Kind: source.Object}
	switch gets := wordings[x.Version][c.op].gets; {
	case len(a.sent) < len(came):
		return answer{kind: foreign, code: "a message that is not a " + gets}
	case len(a.sent) > 0:
		a.result, a.code = a.sent[0], "a "+gets
	}
	if resp.Cut != nil {
		a.cut = client.Explain(resp.Cut)
	}
	return a
}

// detailsOf are the details of a google.rpc.Status, as JSON has them.
func detailsOf(encoded string) *source.Node {
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil {
		return nil
	}
	status, _ := decode("1.0", "Status", data)
	for _, d := range status.Get("details").Elements() {
		info, _ := decode("1.0", "ErrorInfo", []byte(d.Get("value").Word()))
		for _, name := range []string{"reason", "domain"} {
			d.SetText(name, info.Get(name).Word())
		}
	}
	return status.Get("details")
}

// messages are the fields of a2a.proto in the order of their numbers, as name:kind, where - is one that is
// not read, * a list and no kind a text. Those of a card follow from the members in package schema.
// NameRequest is whatever 0.3 asks about a task; Status is that of google.rpc.
// Those of a message that 0.3 has otherwise stand below its name and the version.
//
//go:embed messages.txt
var messageRows string

var messages = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(messageRows) {
		name, fields, _ := strings.Cut(line, "  ")
		all[name] = fields
	}
	return all
})

// enums are the names of enum values by their numbers.
var enums = map[string][]string{
	"flag": {"false", "true"},
	"Role": {"ROLE_UNSPECIFIED", "ROLE_USER", "ROLE_AGENT"},
	"TaskState": {
		"TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED",
		"TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_REJECTED",
		"TASK_STATE_AUTH_REQUIRED",
	},
}

// field is what is known of one field of a message. What is not known is left out.
type field struct {
	name string      // in JSON
	kind string      // text, bytes, flag, name of an enum or of a message
	form source.Kind // Array for a list, Object for a map, Invalid for what stands there once
}

// fieldsOf are the fields of a message by their numbers, none for one that is not known, such as Opaque.
func fieldsOf(version, message string) map[protowire.Number]field {
	list := map[protowire.Number]field{}
	row := cmp.Or(messages()[message+" "+version], messages()[message])
	if kind, ok := strings.CutPrefix(message, "entry of "); ok {
		row = "key value:" + kind
	}
	for i, text := range strings.Fields(row) {
		name, kind, _ := strings.Cut(text, ":")
		f := field{name: name, kind: cmp.Or(strings.TrimSuffix(kind, "*"), "text")}
		if strings.HasSuffix(kind, "*") {
			f.form = source.Array
		}
		if name != "-" {
			list[protowire.Number(i+1)] = f
		}
	}
	protocol, _ := schema.ParseProtocol(version)
	for _, m := range schema.Members(message) {
		f := field{name: m.Name, kind: m.Of}
		if m.Kind == source.String || m.Of == "" && m.Elem == source.String {
			f.kind = "text"
		}
		switch {
		case m.Kind == source.Array:
			f.form = source.Array
		case m.Kind == source.Bool:
			f.kind = "flag"
		case m.Elem != 0:
			f.form = source.Object
		}
		if number := m.Field(protocol); number > 0 {
			list[protowire.Number(number)] = f //nolint:gosec // numbers of ours
		}
	}
	return list
}

// encode returns a message of the given name as protobuf, from those members of its JSON that it has.
func encode(version, message string, node *source.Node) []byte {
	var data []byte
	known := fieldsOf(version, message)
	for _, number := range slices.Sorted(maps.Keys(known)) {
		f := known[number]
		values := []*source.Node{node.Get(f.name)}
		if values[0].Is(source.Array) {
			values = values[0].Items
		}
		for _, value := range values {
			if i := slices.Index(enums[f.kind], value.ScalarText()); i > 0 {
				data = protowire.AppendVarint(protowire.AppendTag(data, number, protowire.VarintType), uint64(i))
				continue
			}
			text := []byte(value.Word())
			if value.Is(source.Object) {
				text = encode(version, f.kind, value)
			}
			if len(text) > 0 {
				data = protowire.AppendBytes(protowire.AppendTag(data, number, protowire.BytesType), text)
			}
		}
	}
	return data
}

// errBroken says that bytes are no protobuf message.
var errBroken = errors.New("not a protobuf message")

// maxDepth bounds how deep messages may lie in one another.
const maxDepth = 32

// decode returns a message of the given name as the JSON that the other bindings send for it.
func decode(version, message string, data []byte) (*source.Node, error) {
	return decoder{version, map[string]map[protowire.Number]field{}}.message(message, data, 0)
}

type decoder struct {
	version string
	known   map[string]map[protowire.Number]field // by message
}

func (d decoder) message(message string, data []byte, depth int) (*source.Node, error) {
	if d.known[message] == nil {
		d.known[message] = fieldsOf(d.version, message)
	}
	node := &source.Node{Kind: source.Object}
	for len(data) > 0 {
		number, wire, head := protowire.ConsumeTag(data)
		if head < 0 {
			return nil, errBroken
		}
		size := protowire.ConsumeFieldValue(number, wire, data[head:])
		if size < 0 || depth > maxDepth {
			return nil, errBroken
		}
		if f, ok := d.known[message][number]; ok {
			kind := f.kind
			if f.form == source.Object {
				kind = "entry of " + kind
			}
			value, err := d.value(kind, wire, data[head:head+size], depth)
			if err != nil {
				return nil, err
			}
			f.put(node, value)
		}
		data = data[head+size:]
	}
	return node, nil
}

// put sets, or adds to, a member of the node: the last one of a name counts.
func (f field) put(node, value *source.Node) {
	if f.form == source.Invalid {
		set(node, f.name, value)
		return
	}
	held := node.Get(f.name)
	if held == nil {
		held = &source.Node{Kind: f.form}
		node.Set(f.name, held)
	}
	if f.form == source.Array {
		held.Items = append(held.Items, value)
		return
	}
	empty := &source.Node{Kind: source.Object} // which may be left out
	if f.kind == "text" {
		empty.Kind = source.String
	}
	set(held, value.Get("key").Word(), cmp.Or(value.Get("value"), empty))
}

func set(node *source.Node, name string, value *source.Node) {
	if m := node.Member(name); m != nil {
		m.Value = value
		return
	}
	node.Set(name, value)
}

func (d decoder) value(kind string, wire protowire.Type, data []byte, depth int) (*source.Node, error) {
	if wire == protowire.VarintType {
		number, _ := protowire.ConsumeVarint(data)
		switch names := enums[kind]; {
		case kind == "flag":
			return source.NewBool(number != 0), nil
		case names == nil:
			return nil, errBroken
		case number < uint64(len(names)):
			return source.NewText(names[number]), nil
		}
		return &source.Node{Kind: source.Number, Text: strconv.FormatUint(number, 10)}, nil
	}
	data, _ = protowire.ConsumeBytes(data)
	switch {
	case wire != protowire.BytesType, enums[kind] != nil, kind == "text" && !utf8.Valid(data):
		return nil, errBroken
	case kind == "text", kind == "bytes":
		return source.NewText(string(data)), nil
	}
	return d.message(kind, data, depth+1)
}
