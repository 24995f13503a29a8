package probe_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"cardwright/internal/hosting"
	"cardwright/internal/probe"
	"cardwright/internal/report"
	"cardwright/internal/site"
)

// BenchmarkAgainst compares a host that is 50 ms away with a tree of 1,000 agents.
func BenchmarkAgainst(b *testing.B) {
	const agents, latency = 1000, 50 * time.Millisecond
	card := published(b)[cardPath[1:]]
	served := fstest.MapFS{}
	var deployed []string
	var all []site.File
	for i := range agents {
		for _, name := range []string{"agent-card.json", "agent.json"} {
			name = fmt.Sprintf("agent-%d/.well-known/%s", i, name)
			served[name] = card
			deployed = append(deployed, fmt.Sprintf("%q", name))
			all = append(all, site.File{Path: name, Data: card.Data})
		}
	}
	served[site.ManifestName] = &fstest.MapFile{
		Data: fmt.Appendf(nil, `{"version": 1, "environment": "", "files": [%s]}`, strings.Join(deployed, ",")),
	}
	right := hosting.Handler(hosting.Memory(all), hosting.Settings{}, "")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(latency)
		right.ServeHTTP(w, r)
	}))
	defer server.Close()
	for b.Loop() {
		checks, err := probe.Probe(b.Context(), probe.Options{URL: server.URL + "/agent-0", Tree: served})
		if err != nil || report.SumUp(checks) != "good" {
			b.Fatalf("%v, %+v", err, checks)
		}
	}
}
