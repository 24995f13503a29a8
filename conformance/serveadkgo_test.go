package conformance

import (
	"net/http"

	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	adk "google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/runner"
	adka2a "google.golang.org/adk/v2/server/adka2a/v2"
	"google.golang.org/adk/v2/session"
)

// serveADKGo mounts an agent of ADK with the generated card.
func serveADKGo(mux *http.ServeMux, a adk.Agent) {
	mux.HandleFunc("GET "+a2asrv.WellKnownAgentCardPath, func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, "dist/.well-known/agent-card.json")
	})
	handler := a2asrv.NewHandler(adka2a.NewExecutor(adka2a.ExecutorConfig{
		RunnerConfig: runner.Config{AppName: a.Name(), Agent: a, SessionService: session.InMemoryService()},
	}))
	mux.Handle("/a2a", a2asrv.NewJSONRPCHandler(handler))
	mux.Handle("/a2a/v0", a2av0.NewJSONRPCHandler(handler)) // A2A 0.3
}
