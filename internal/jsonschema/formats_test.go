package jsonschema

import (
	"slices"
	"strings"
	"testing"
)

func TestFormats(t *testing.T) {
	tests := []struct {
		format string
		good   []string
		bad    []string
	}{
		{
			"http-url",
			[]string{"http://a", "https://a.example/b?c#d", "HTTPS://a", "http://[::1]:80/"},
			[]string{
				"a", "/a", "//a", "ftp://a", "http:", "http://", "http:///a", "https://a b", "https://a\n",
				"javascript://a", "http://:80",
			},
		},
		{"https-url", []string{"https://a"}, []string{"http://a"}},
		{
			"media-type",
			[]string{"text/plain", "image/*", "*/*", "application/vnd.a+json", "text/plain; charset=utf-8"},
			[]string{"text", "/", "text/", "/plain", "text/pl ain", "a/b/c", "text/plän"},
		},
		{
			"slash-path",
			[]string{"skills", "../dist", "/srv/www", "C:/dist", "a b"},
			[]string{`skills\pdf`, `C:\dist`, `\\\\server\share`, "a\nb"},
		},
		{
			"agent-id",
			[]string{"a", "code-review", "A.b_c-1"},
			[]string{".", "..", ".a", "a.", "-a", "a/b", "a b", "ä", strings.Repeat("a", 101)},
		},
	}
	for _, tt := range tests {
		i := slices.IndexFunc(formats, func(f format) bool { return f.name == tt.format })
		for _, s := range tt.good {
			if !formats[i].holds(s) {
				t.Errorf("%s refuses %q", tt.format, s)
			}
		}
		for _, s := range append(tt.bad, "") {
			if formats[i].holds(s) {
				t.Errorf("%s takes %q", tt.format, s)
			}
		}
	}
}
