package conformance

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"trpc.group/trpc-go/trpc-a2a-go/log"
	"trpc.group/trpc-go/trpc-a2a-go/protocol"
	"trpc.group/trpc-go/trpc-a2a-go/server"
	"trpc.group/trpc-go/trpc-a2a-go/taskmanager"

	"cardwright/internal/fixture"
)

// processor answers each message with a message.
type processor struct{}

func (processor) ProcessMessage(_ context.Context, _ protocol.Message, o taskmanager.ProcessOptions,
	h taskmanager.TaskHandler,
) (*taskmanager.MessageProcessingResult, error) {
	answer := protocol.NewMessage(protocol.MessageRoleAgent, []protocol.Part{protocol.NewTextPart("again")})
	if !o.Streaming {
		return &taskmanager.MessageProcessingResult{Result: &answer}, nil
	}
	id, err := h.BuildTask(nil, nil)
	if err != nil {
		return nil, err
	}
	events, err := h.SubscribeTask(&id)
	if err != nil {
		return nil, err
	}
	go func() {
		defer events.Close()
		_ = events.Send(protocol.StreamingMessageEvent{Result: &answer})
	}()
	return &taskmanager.MessageProcessingResult{StreamingEvents: events}, nil
}

// trpcCard is the card of an agent that promises p, as trpc-a2a-go has it.
func (p promise) trpcCard(url string) server.AgentCard {
	bound, version := "JSONRPC", "0.3.0"
	c := server.AgentCard{
		Name: p.Name, Description: "Keeps what it promises, for the tests of cardwright.", Version: "1.0.0", URL: url,
		PreferredTransport: &bound, ProtocolVersion: &version, SupportsAuthenticatedExtendedCard: &p.Extended,
		Capabilities:      server.AgentCapabilities{Streaming: &p.Streaming, PushNotifications: &p.Push},
		DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
		Skills: []server.AgentSkill{{ID: "echo", Name: "Echo", Tags: []string{"echo"}}},
	}
	if p.Security {
		scheme := "Bearer"
		c.SecuritySchemes = map[string]server.SecurityScheme{
			"bearer": {Type: server.SecuritySchemeTypeHTTP, Scheme: &scheme},
		}
		c.Security = []map[string][]string{{"bearer": {}}}
	}
	return c
}

// tokens refuses calls without the token.
type tokens struct{ does promise }

func (g tokens) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.does.Security && r.Header.Get("Authorization") != token {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "no credentials", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Honest servers of trpc-a2a-go have no failure, and lies about what it can switch off
// are found.
func TestContractTRPC(t *testing.T) {
	t.Parallel()
	log.Default = zap.NewNop().Sugar()
	bin := fixture.Program(t)
	honest := promise{Streaming: true, Push: true, Security: true, Version: "0.3", Name: "Honest Agent"}
	changes := []lie{
		{name: "honest", args: []string{"--send", "hello"}},
		{name: "push absent and served", says: func(p *promise) { p.Push = false }},
		{
			name: "streaming absent and served", says: func(p *promise) { p.Streaming = false },
			want: []string{"error contract-streaming"},
		},
		{
			name: "extended card missing", says: func(p *promise) { p.Extended = true },
			want: []string{"error contract-extended"},
		},
		{
			name: "security declared and not enforced", does: func(p *promise) { p.Security = false },
			want: []string{"error contract-security"},
		},
		{
			name: "security enforced and not declared", says: func(p *promise) { p.Security = false },
			want: []string{"error contract-security-open"},
		},
		{
			name: "another card at the well-known path", served: func(p *promise) { p.Name = "Another Agent" },
			want: []string{"error contract-card"},
		},
		{name: "wrong URL", says: func(p *promise) { p.Path = "/other" }, want: []string{"error contract-binding"}},
	}
	for _, l := range changes {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			says, does := honest, honest
			apply(&says, l.says)
			apply(&does, l.does)
			served := says
			apply(&served, l.served)
			manager, err := taskmanager.NewMemoryTaskManager(processor{})
			if err != nil {
				t.Fatal(err)
			}
			mux := http.NewServeMux()
			web := httptest.NewServer(mux)
			t.Cleanup(web.Close)
			agentServer, err := server.NewA2AServer(does.trpcCard(web.URL), manager, server.WithMiddleWare(tokens{does}))
			if err != nil {
				t.Fatal(err)
			}
			mux.Handle("/{$}", agentServer.Handler())
			mux.HandleFunc("/.well-known/agent-card.json", func(w http.ResponseWriter, _ *http.Request) {
				_ = json.NewEncoder(w).Encode(served.trpcCard(web.URL + served.Path))
			})
			text, err := json.Marshal(says.trpcCard(web.URL + says.Path))
			if err != nil {
				t.Fatal(err)
			}
			got := contractOf(t, bin, agent{web.URL, text}, l.args...)
			without := len(got.findings)
			got.without([]string{"warning contract-push"})
			if without == len(got.findings) && l.name != "wrong URL" {
				t.Errorf("the list of push configurations, which it lacks, is not missed:\n%s", got.text)
			}
			if diff := cmp.Diff(l.want, got.findings); diff != "" && len(l.want)+len(got.findings) > 0 {
				t.Errorf("findings (-want +got):\n%s\n%s", diff, got.text)
			}
		})
	}
}
