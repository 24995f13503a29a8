package publish

import (
	"os"
	"path/filepath"
	"testing"

	"cardwright/internal/site"
)

func TestVerify(t *testing.T) {
	const card, older = "a/.well-known/agent-card.json", "a/.well-known/agent.json"
	files := append(project("a", "one", "b", "two"), textFile("_headers", "x"))
	for name, test := range map[string]struct {
		put    map[string]string
		remove []string
		link   string
		want   []string
	}{
		"as written":  {},
		"no manifest": {remove: []string{site.ManifestName}},
		"no sidecars": {remove: []string{card + ".etag", older + ".sha256"}},
		"no card": {remove: []string{card}, want: []string{
			"sidecar " + card + ".etag", "sidecar " + card + ".sha256",
		}},
		"sidecar changed": {put: map[string]string{card + ".etag": "W/"}, want: []string{"sidecar " + card + ".etag"}},
		"card changed": {put: map[string]string{card: "{}"}, want: []string{
			"sidecar " + card + ".etag", "sidecar " + card + ".sha256", "sidecar " + older,
		}},
		"link": {remove: []string{card}, link: card, want: []string{
			"link " + card, "sidecar " + card + ".etag", "sidecar " + card + ".sha256",
		}},
		"no directory": {remove: []string{"."}, want: []string{"drift ."}},
		"nothing":      {remove: []string{"a", "b"}, want: []string{"drift ."}},
		"file":         {remove: []string{"."}, put: map[string]string{".": ""}, want: []string{"path ."}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "dist")
			publish(t, dir, files, Options{})
			for _, p := range test.remove {
				must(t, os.RemoveAll(filepath.Join(dir, filepath.FromSlash(p))))
			}
			for p, text := range test.put {
				put(t, dir, p, text)
			}
			if test.link != "" {
				must(t, os.Symlink("agent.json", filepath.Join(dir, test.link)))
			}
			got, found := Verify(at(t, dir))
			var want []string
			for _, w := range test.want {
				want = append(want, "output-"+w)
			}
			equal(t, want, rulesOf(found, dir))
			if test.want == nil {
				equal(t, 2, len(got)) // the cards
			}
		})
	}
}
