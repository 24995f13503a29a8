package hosting

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"testing"
	"testing/fstest"

	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/preview"
)

// The resolvers of the official SDKs find the card of every agent on the
// preview, in every layout. A base URL ends in a slash, without which the
// JavaScript one drops its last segment.
func TestResolvers(t *testing.T) {
	card, err := os.ReadFile("../testdata/cards/1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for layout, dirs := range hostingtest.Layouts() {
		t.Run(layout, func(t *testing.T) {
			tree := fstest.MapFS{}
			var bases, names []string
			for _, dir := range dirs {
				file := path.Join(dir, ".well-known/agent-card.json")
				name := "Agent of " + dir
				tree[file] = &fstest.MapFile{Data: named(t, card, name)}
				names = append(names, name)
			}
			server := httptest.NewServer(preview.Handler(tree, hostingtest.Settings(layout)))
			defer server.Close()
			for _, dir := range dirs {
				bases = append(bases, base(t, server.URL, layout, dir))
			}
			t.Run("a2a-go", func(t *testing.T) {
				if diff := cmp.Diff(names, resolveA2AGo(t, server, bases)); diff != "" {
					t.Errorf("names (-want +got):\n%s", diff)
				}
			})
			t.Run("a2a-js", func(t *testing.T) {
				if diff := cmp.Diff(names, resolveA2AJS(t, bases)); diff != "" {
					t.Errorf("names (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// base is the base URL of an agent. Hosts are names below localhost.
func base(t *testing.T, server, layout, dir string) string {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	switch layout {
	case "host":
		u.Host = net.JoinHostPort(dir, u.Port())
	case "path", "stored":
		u.Path = dir
	case "base":
		u.Path = path.Join(hostingtest.Settings(layout).Base, dir)
	}
	return u.String() + "/"
}

func named(t *testing.T, card []byte, name string) []byte {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal(card, &members); err != nil {
		t.Fatal(err)
	}
	members["name"] = name
	data, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func resolveA2AGo(t *testing.T, server *httptest.Server, bases []string) []string {
	t.Helper()
	resolver := agentcard.NewResolver(&http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		},
	}})
	var names []string
	for _, b := range bases {
		card, err := resolver.Resolve(t.Context(), b)
		if err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		names = append(names, card.Name)
	}
	return names
}

func resolveA2AJS(t *testing.T, bases []string) []string {
	t.Helper()
	fixture.NPM(t, "js", "--omit=optional")
	cmd := exec.CommandContext(t.Context(), "node", append([]string{"resolve.mjs"}, bases...)...)
	cmd.Dir = "js"
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("resolve.mjs: %v\n%s", err, &said)
	}
	var names []string
	if err := json.Unmarshal(out, &names); err != nil {
		t.Fatal(fmt.Errorf("resolve.mjs printed %s: %w", out, err))
	}
	return names
}
