//go:build !js

package client

import (
	"mime"
	"strings"
)

// Media is the media type of a response without its parameters, "" for none.
func (r *Response) Media() string {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return media
}

// Challenges are the authentication schemes that a response asks for (RFC 9110, section
// 11.6.1): each is a word without =, at the start or behind a comma.
func (r *Response) Challenges() []string {
	var schemes []string
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("WWW-Authenticate"), ","), ",") {
		if words := strings.Fields(part); len(words) > 0 && !strings.Contains(words[0], "=") {
			schemes = append(schemes, words[0])
		}
	}
	return schemes
}

// Events returns the data of the events of a stream that are there to their end
// (WHATWG HTML, section 9.2.6).
func Events(body []byte) [][]byte {
	var list [][]byte
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(body))
	for event := range strings.SplitSeq(text[:strings.LastIndex(text, "\n\n")+1], "\n\n") {
		var data []string
		for line := range strings.SplitSeq(event, "\n") {
			if value, ok := strings.CutPrefix(line, "data:"); ok {
				data = append(data, strings.TrimPrefix(value, " "))
			}
		}
		if len(data) > 0 {
			list = append(list, []byte(strings.Join(data, "\n")))
		}
	}
	return list
}
