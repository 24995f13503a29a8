package probe_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"

	"cardwright/internal/probe"
)

// TestLinks fetches links of a card, each kind by what has to be behind it.
func TestLinks(t *testing.T) {
	mux := http.NewServeMux()
	answer := func(path, body string, status int) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		})
	}
	answer("/.well-known/agent-card.json", "{}", http.StatusOK)
	answer("/page", "<p>How to", http.StatusOK)
	answer("/issuer", `{"issuer": "x"}`, http.StatusOK)
	answer("/list", `["x"]`, http.StatusOK)
	answer("/token", "", http.StatusMethodNotAllowed)
	answer("/broken", "", http.StatusBadGateway)
	server := httptest.NewServer(mux)
	defer server.Close()
	for name, c := range map[string]struct {
		links []probe.Link
		want  []string
	}{
		"all there": {[]probe.Link{
			{Kind: probe.Documentation, URL: "/page"},
			{Kind: probe.Metadata, URL: "/issuer"},
			{Kind: probe.Token, URL: "/token"},
		}, nil},
		"no page": {
			[]probe.Link{{Kind: probe.Documentation, URL: "/none"}},
			[]string{"link-documentation"},
		},
		"metadata that is a page":    {[]probe.Link{{Kind: probe.Metadata, URL: "/page"}}, []string{"link-metadata!"}},
		"metadata that is a list":    {[]probe.Link{{Kind: probe.Metadata, URL: "/list"}}, []string{"link-metadata!"}},
		"metadata that is not there": {[]probe.Link{{Kind: probe.Metadata, URL: "/none"}}, []string{"link-metadata!"}},
		"no token endpoint":          {[]probe.Link{{Kind: probe.Token, URL: "/none"}}, []string{"link-token!"}},
		"a broken token endpoint":    {[]probe.Link{{Kind: probe.Token, URL: "/broken"}}, []string{"link-token!"}},
		"each once": {
			[]probe.Link{{Kind: probe.Token, URL: "/none"}, {Kind: probe.Token, URL: "/none"}},
			[]string{"link-token!"},
		},
		"a private host": {
			[]probe.Link{{Kind: probe.Token, URL: "http://10.1.2.3/token"}},
			[]string{"link-token!"},
		},
		"no URL": {
			[]probe.Link{{Kind: probe.Token, URL: "ftp://files.example/"}},
			[]string{"link-token!"},
		},
		"credentials": {
			[]probe.Link{{Kind: probe.Documentation, URL: "http://user:key@files.example/"}},
			[]string{"link-documentation"},
		},
		"too many": {many(), []string{"links"}},
	} {
		t.Run(name, func(t *testing.T) {
			failed := run(t, probe.Options{URL: server.URL, Links: func([]byte) []probe.Link {
				var list []probe.Link
				for _, l := range c.links {
					if l.URL[0] == '/' {
						l.URL = server.URL + l.URL
					}
					list = append(list, l)
				}
				return list
			}})
			got := slices.DeleteFunc(failed, func(name string) bool { return name[:4] != "link" })
			if !slices.Equal(got, c.want) {
				t.Errorf("failed %v, want %v", got, c.want)
			}
		})
	}
}

// many are more links than are fetched.
func many() []probe.Link {
	var list []probe.Link
	for i := range 40 {
		list = append(list, probe.Link{Kind: probe.Documentation, URL: "/page?" + strconv.Itoa(i)})
	}
	return list
}
