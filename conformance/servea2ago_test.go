package conformance

import (
	"net/http"

	"github.com/a2aproject/a2a-go/v2/a2asrv"
)

// serveA2AGo mounts an agent of a2a-go with the generated card. The bytes come from the
// file, so a signature stays valid, and clients get a Last-Modified.
func serveA2AGo(mux *http.ServeMux, handler a2asrv.RequestHandler) {
	mux.HandleFunc("GET "+a2asrv.WellKnownAgentCardPath, func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, "dist/.well-known/agent-card.json")
	})
	mux.Handle("/a2a", a2asrv.NewJSONRPCHandler(handler))
}
