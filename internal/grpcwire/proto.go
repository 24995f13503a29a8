package grpcwire

import (
	"encoding/binary"
	"errors"
	"unicode/utf8"
)

// Message is a protobuf message that is being written.
type Message []byte

// The wire types of protobuf that proto3 uses.
const (
	varint  = 0
	fixed64 = 1
	bounded = 2
	fixed32 = 5
)

// errBroken says that bytes are no protobuf message.
var errBroken = errors.New("not a protobuf message")

// Text appends a string field. An empty one is the default, which is not sent.
func (m Message) Text(number int, value string) Message {
	if value == "" {
		return m
	}
	return m.bytes(number, []byte(value))
}

// Enum appends the number of an enum value.
func (m Message) Enum(number int, value uint64) Message {
	m = binary.AppendUvarint(m, tag(number, varint))
	return binary.AppendUvarint(m, value)
}

// Sub appends a message within this one.
func (m Message) Sub(number int, value Message) Message { return m.bytes(number, value) }

func (m Message) bytes(number int, value []byte) Message {
	m = binary.AppendUvarint(m, tag(number, bounded))
	m = binary.AppendUvarint(m, uint64(len(value)))
	return append(m, value...)
}

// tag is what a field begins with: its number and its wire type.
func tag(number, kind int) uint64 { return uint64(number<<3 | kind) } //nolint:gosec // numbers of ours

// element is one field of a message as it was sent.
type element struct {
	number int
	kind   int    // wire type
	value  uint64 // of a varint
	data   []byte // of a bounded field
}

// elements splits a message into its fields.
func elements(data []byte) ([]element, error) {
	var list []element
	for len(data) > 0 {
		head, n := binary.Uvarint(data)
		if n <= 0 || head>>3 == 0 || head>>3 > 1<<29-1 {
			return nil, errBroken
		}
		data = data[n:]
		e := element{number: int(head >> 3), kind: int(head & 7)}
		size, ok := e.size(&data)
		if !ok || size > uint64(len(data)) {
			return nil, errBroken
		}
		e.data, data = data[:size], data[size:]
		list = append(list, e)
	}
	return list, nil
}

// size is how many bytes the value takes, behind the length of a bounded one. It
// reads the value of a varint on the way.
func (e *element) size(data *[]byte) (uint64, bool) {
	switch e.kind {
	case varint:
		value, n := binary.Uvarint(*data)
		e.value = value
		return uint64(max(n, 0)), n > 0
	case fixed64:
		return 8, true
	case fixed32:
		return 4, true
	case bounded:
		length, n := binary.Uvarint(*data)
		*data = (*data)[max(n, 0):]
		return length, n > 0
	}
	return 0, false
}

// text is the value of a string field.
func (e element) text() (string, error) {
	if e.kind != bounded || !utf8.Valid(e.data) {
		return "", errBroken
	}
	return string(e.data), nil
}
