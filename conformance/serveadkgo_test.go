package conformance

import (
	"net/http"

	"github.com/a2aproject/a2a-go/a2asrv"
	adk "google.golang.org/adk/agent"
	"google.golang.org/adk/runner"
	"google.golang.org/adk/server/adka2a"
	"google.golang.org/adk/session"
)

// serveADKGo mounts an agent of ADK with the generated card, in place of the A2A launcher,
// which makes its own.
func serveADKGo(mux *http.ServeMux, a adk.Agent) {
	mux.HandleFunc("GET "+a2asrv.WellKnownAgentCardPath, func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, "dist/.well-known/agent-card.json")
	})
	executor := adka2a.NewExecutor(adka2a.ExecutorConfig{
		RunnerConfig: runner.Config{AppName: a.Name(), Agent: a, SessionService: session.InMemoryService()},
	})
	mux.Handle("/a2a/invoke", a2asrv.NewJSONRPCHandler(a2asrv.NewHandler(executor)))
}
