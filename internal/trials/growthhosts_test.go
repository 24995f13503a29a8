package trials

import (
	"net/http"
	"net/http/httptest"
	"strings"
)

// hosts are trials of what a host answers.
func hosts() []growth {
	answer := func(name string, quick, full int, body func(n int) string) growth {
		return growth{"host: " + name, quick, full, func(p *input, n int) [][]string {
			text := body(n)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(text)) // whoever asks may hang up
			}))
			p.Cleanup(server.Close)
			url := server.URL + "/.well-known/agent-card.json"
			return [][]string{
				{"probe", url},
				{"probe", url, "--format", "json"},
			}
		}}
	}
	return []growth{
		answer("a card of many skills", 50, 2000, func(n int) string { return skillsOf(join(n, cardSkill)) }),
		answer("a card of many interfaces", 30, 1000, func(n int) string {
			return reached(join(n, `{"url": "http://127.0.0.1:9/%d", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}`))
		}),
		answer("what is no card", 3000, 100000, func(n int) string { return strings.Repeat("<p>no card</p>\n", n) }),
	}
}
