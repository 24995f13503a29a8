package hosting_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/hosting"
	"cardwright/internal/tree"
)

func card(path string) tree.File {
	return tree.File{Path: path, Data: []byte("{}\n")}
}

func TestNewTable(t *testing.T) {
	for name, c := range map[string]struct {
		files    []tree.File
		settings hosting.Settings
		want     map[string][]string // host to paths
	}{
		"single": {
			files: []tree.File{card(".well-known/agent.json"), card(".well-known/agent-card.json")},
			want:  map[string][]string{"": {"/.well-known/agent-card.json", "/.well-known/agent.json"}},
		},
		"path": {
			files: []tree.File{
				card("b/.well-known/agent-card.json"), card("a/.well-known/agent-card.json"),
				card(".well-known/jwks.json"),
			},
			want: map[string][]string{"": {
				"/.well-known/jwks.json", "/a/.well-known/agent-card.json",
				"/b/.well-known/agent-card.json",
			}},
		},
		"host": {
			files:    []tree.File{card("B.example/.well-known/agent-card.json"), card("a.example/.well-known/agent-card.json")},
			settings: hosting.Settings{HostLayout: true},
			want: map[string][]string{
				"a.example": {"/.well-known/agent-card.json"},
				"b.example": {"/.well-known/agent-card.json"},
			},
		},
		"no sidecars; a page twice": {
			files: []tree.File{
				card(".well-known/agent-card.json.etag"), card(".well-known/agent-card.json.sha256"),
				card("index.html"), card("cardwright.manifest.json"), card(".well-known/acme/x.etag"),
			},
			want: map[string][]string{"": {"/", "/cardwright.manifest.json", "/index.html"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			table, found := hosting.NewTable(c.files, c.settings)
			if len(found) > 0 {
				t.Errorf("unexpected finding: %s", found[0].Message)
			}
			got := map[string][]string{}
			for _, s := range table.Sites {
				for _, e := range s.Entries {
					got[s.Host] = append(got[s.Host], e.Path)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("paths (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEntry(t *testing.T) {
	table, _ := hosting.NewTable([]tree.File{card("x/.well-known/agent.json")}, hosting.Settings{})
	got := table.Sites[0].Entries[0]
	if want := `"ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"`; got.ETag() != want {
		t.Errorf("ETag is %s, want %s", got.ETag(), want)
	}
}

func TestHeaders(t *testing.T) {
	const current, legacy = "/.well-known/agent-card.json", "/a/.well-known/agent.json"
	link := hosting.Header{Name: "Link", Value: `</a/.well-known/agent-card.json>; rel="successor-version"`}
	cache := hosting.Header{Name: "Cache-Control", Value: hosting.DefaultCacheControl}
	sniff := hosting.Header{Name: "X-Content-Type-Options", Value: "nosniff"}
	origin := hosting.Header{Name: "Access-Control-Allow-Origin", Value: "*"}
	expose := hosting.Header{Name: "Access-Control-Expose-Headers", Value: "ETag, Link, Deprecation"}
	for name, c := range map[string]struct {
		path     string
		settings hosting.Settings
		want     []hosting.Header
	}{
		"card":          {current, hosting.Settings{}, []hosting.Header{cache, origin, expose, sniff}},
		"card, no CORS": {current, hosting.Settings{NoCORS: true}, []hosting.Header{cache, sniff}},
		"card, no store": {
			current,
			hosting.Settings{CacheControl: "no-store", NoCORS: true},
			[]hosting.Header{{Name: "Cache-Control", Value: "no-store"}, sniff},
		},
		"legacy": {
			legacy,
			hosting.Settings{NoCORS: true},
			[]hosting.Header{cache, sniff, {Name: "Deprecation", Value: "@1753833600"}, link},
		},
		"legacy, draft": {
			legacy,
			hosting.Settings{NoCORS: true, DraftDeprecation: true},
			[]hosting.Header{cache, sniff, {Name: "Deprecation", Value: "true"}, link},
		},
		"legacy, quiet": {legacy, hosting.Settings{NoCORS: true, NoDeprecation: true}, []hosting.Header{cache, sniff, link}},
		"legacy, sunset": {
			legacy,
			hosting.Settings{NoCORS: true, Deprecation: "2026-01-01", Sunset: "2027-01-31"},
			[]hosting.Header{
				cache, sniff,
				{Name: "Deprecation", Value: "@1767225600"},
				link,
				{Name: "Sunset", Value: "Sun, 31 Jan 2027 00:00:00 GMT"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.settings.Headers(c.path)); diff != "" {
				t.Errorf("headers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNewTableFindings(t *testing.T) {
	for name, c := range map[string]struct {
		path     string
		settings hosting.Settings
		want     string // pointer and message
	}{
		"quote in an id": {
			`a"b/.well-known/agent-card.json`,
			hosting.Settings{},
			` the path "a\"b/.well-known/agent-card.json" is not allowed in a server configuration`,
		},
		"newline in an id": {
			"a\nb/.well-known/agent-card.json",
			hosting.Settings{},
			` the path "a\nb/.well-known/agent-card.json" is not allowed in a server configuration`,
		},
		"not ASCII": {
			"é/.well-known/agent-card.json",
			hosting.Settings{},
			` the path "é/.well-known/agent-card.json" is not allowed in a server configuration`,
		},
		"cache policy": {
			"",
			hosting.Settings{CacheControl: "x\r\nX-Evil: 1"},
			`/cacheControl "x\r\nX-Evil: 1" is not a cache policy`,
		},
		"deprecation": {"", hosting.Settings{Deprecation: "July"}, `/deprecation "July" is not a date`},
		"sunset":      {"", hosting.Settings{Sunset: "2027-02-30"}, `/sunset "2027-02-30" is not a date`},
		"name of the tree": {
			"",
			hosting.Settings{Out: "build/my $dist"},
			`/out the directory name "my $dist" is not allowed in a server configuration`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var files []tree.File
			if c.path != "" {
				files = append(files, card(c.path))
			}
			_, found := hosting.NewTable(files, c.settings)
			if len(found) != 1 || found[0].Pointer+" "+found[0].Message != c.want {
				t.Fatalf("found %v, want %s", found, c.want)
			}
			if found[0].Hint == "" {
				t.Error("no hint")
			}
		})
	}
}

// The type that a link announces is the one that its file is served as.
func TestAnnouncedTypes(t *testing.T) {
	links := hosting.Announcements("", func(string) bool { return true })[0].Value
	found := regexp.MustCompile(`<(/[^>]+)>[^,]*; type="([^"]+)"`).FindAllStringSubmatch(links, -1)
	if len(found) < 5 {
		t.Errorf("%d links: %s", len(found), links)
	}
	for _, m := range found {
		if served := tree.ContentType(m[1][1:]); served != m[2] {
			t.Errorf("%s is announced as %s, and served as %s", m[1], m[2], served)
		}
	}
}
