// Package serving has the Go that docs/recipes/frameworks.md shows.
package serving

import (
	"net/http"

	"github.com/a2aproject/a2a-go/v2/a2asrv"
)

// A2AGo mounts an agent of a2a-go with the generated card. The bytes are those of the
// file, so a signature stays valid, and clients get a Last-Modified.
func A2AGo(mux *http.ServeMux, handler a2asrv.RequestHandler) {
	mux.HandleFunc("GET "+a2asrv.WellKnownAgentCardPath, func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, "dist/.well-known/agent-card.json")
	})
	mux.Handle("/a2a", a2asrv.NewJSONRPCHandler(handler))
}
