package keyfile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"strings"

	"cardwright/internal/parallel"
)

// unwrap undoes what secret stores, .env files and shells do to the text of a key:
// quotes around it, line breaks that became \n or blanks, base64 of the whole.
func unwrap(data []byte) []byte {
	data = unquote(bytes.TrimSpace(data))
	if !isText(data) {
		if text := decoded(data); isText(text) {
			data = unquote(bytes.TrimSpace(text))
		}
	}
	if bytes.Contains(data, []byte("-----BEGIN ")) {
		return unfold(data)
	}
	return data
}

// isText reports whether the text may be PEM or a JWK.
func isText(data []byte) bool {
	data = unquote(bytes.TrimSpace(data))
	return bytes.HasPrefix(data, []byte("{")) || bytes.Contains(data, []byte("-----BEGIN "))
}

// unquote takes away quotes around a text, and the escapes of a JSON string.
func unquote(data []byte) []byte {
	if len(data) < 2 || data[0] != data[len(data)-1] || data[0] != '"' && data[0] != '\'' {
		return data
	}
	var text string
	if data[0] == '"' && json.Unmarshal(data, &text) == nil {
		return bytes.TrimSpace([]byte(text))
	}
	return bytes.TrimSpace(data[1 : len(data)-1])
}

// decoded returns what a text is the base64 of, in any of its spellings, nil when
// it is none.
func decoded(data []byte) []byte {
	text := strings.Join(strings.Fields(string(data)), "")
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	out, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return out
}

// block matches a PEM block whatever became of its line breaks.
var block = parallel.Regexp(`-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END [A-Z0-9 ]+-----`)

// unfold gives PEM its line breaks back, unless it has them.
func unfold(data []byte) []byte {
	if found, _ := pem.Decode(data); found != nil {
		return data
	}
	text := strings.NewReplacer(`\r\n`, "\n", `\n`, "\n", `\r`, "\n").Replace(string(data))
	if found, _ := pem.Decode([]byte(text)); found != nil {
		return []byte(text)
	}
	var out strings.Builder
	for _, m := range block().FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[2], ":") { // headers, which only encrypted keys have
			return []byte(text)
		}
		out.WriteString("-----BEGIN " + m[1] + "-----\n" + strings.Join(strings.Fields(m[2]), "\n") + "\n-----END " + m[1] +
			"-----\n")
	}
	if out.Len() == 0 {
		return data
	}
	return []byte(out.String())
}
