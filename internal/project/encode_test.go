package project

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"cardwright/internal/tree"
)

// The files of a list in codings are the list again once a client has decoded them, and
// the same bytes on every processor and with every release of Go.
func TestCodings(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("{\"name\": \"Räume\", \"url\": \"https://agents.acme.example/rooms\"}\n", 3000) +
		"\x00\xff" + strings.Repeat("abcdefghijk", 20000)
	for name, want := range map[string][2]string{
		"":   {"8a8de823", "ac73670a"},
		"x":  {"544c1325", "d96912ca"},
		text: {"a66c7399", "9c24393b"},
	} {
		files := withCodings([]tree.File{{Path: "index.html", Data: []byte(name)}, {Path: tree.CardPath}},
			[]string{"gzip", "br"})
		if len(files) != 4 || files[2].Path != "index.html.br" || files[3].Path != "index.html.gz" {
			t.Fatalf("got %d files", len(files))
		}
		for i, open := range []func(io.Reader) (io.Reader, error){
			func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
			func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		} {
			f := files[2+i]
			r, err := open(bytes.NewReader(f.Data))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != name {
				t.Errorf("%s of %d bytes: %d bytes come back, %v", f.Path, len(name), len(got), err)
			}
			if sum := f.Digest().String()[:8]; sum != want[i] {
				t.Errorf("%s of %d bytes: the digest begins with %s, want %s", f.Path, len(name), sum, want[i])
			}
		}
	}
}
