package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	a2apbv0 "github.com/a2aproject/a2a-go/a2apb"
	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	a2agrpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	a2agrpc "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	a2apb "github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/a2aproject/a2a-go/v2/a2asrv/push"
	gocmp "github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"

	"cardwright/internal/fixture"
)

const (
	extensionURI = "https://acme.example/ext/cite/v1"
	token        = "Bearer t0p-s3cret-value-of-the-test"
)

// promise is what a card says, and what a server does: an honest agent has the
// same on both sides.
type promise struct {
	Streaming, Push, Extended bool
	Security                  bool // credentials are asked for
	OpenExtended              bool // the extended card is for everybody
	Extension                 bool // one is required
	Version                   string
	Path                      string // of the interface, for JSON-RPC and REST
	Name                      string // of the agent on the card at the well-known path
	Grown                     bool   // there is one skill more
}

var full = promise{
	Streaming: true, Push: true, Extended: true, Security: true, Extension: true, Version: "1.0",
	Name: "Honest Agent",
}

// card is the card of an agent that promises p at a URL.
func (p promise) card(binding, url string) *a2a.AgentCard {
	c := &a2a.AgentCard{
		Name: p.Name, Description: "Keeps what it promises, for the tests of cardwright.", Version: "1.0.0",
		SupportedInterfaces: []*a2a.AgentInterface{{
			URL: url, ProtocolBinding: a2a.TransportProtocol(binding), ProtocolVersion: a2a.ProtocolVersion(p.Version),
		}},
		Capabilities: a2a.AgentCapabilities{
			Streaming: p.Streaming, PushNotifications: p.Push,
			ExtendedAgentCard: p.Extended,
		},
		DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/plain"},
		Skills: []a2a.AgentSkill{{
			ID: "echo", Name: "Echo", Description: "Says again what was said to it.",
			Tags: []string{"echo"},
		}},
	}
	if p.Grown {
		c.Skills = append(c.Skills, a2a.AgentSkill{
			ID: "shout", Name: "Shout", Description: "Says it louder.",
			Tags: []string{"echo"},
		})
	}
	if p.Extension {
		c.Capabilities.Extensions = []a2a.AgentExtension{{URI: extensionURI, Required: true, Description: "Cites sources."}}
	}
	if p.Security {
		c.SecuritySchemes = a2a.NamedSecuritySchemes{"bearer": a2a.HTTPAuthSecurityScheme{
			Scheme:      "Bearer",
			Description: "A token.",
		}}
		c.SecurityRequirements = a2a.SecurityRequirementsOptions{{"bearer": {}}}
	}
	return c
}

// extended is the extended card, with a skill more.
func (p promise) extended(binding, url string) *a2a.AgentCard {
	c := p.card(binding, url)
	c.Skills = append(c.Skills, a2a.AgentSkill{
		ID: "deploy", Name: "Deploy", Description: "Deploys for those who may.",
		Tags: []string{"ops"},
	})
	return c
}

// admits reports whether a call comes in with the credentials that it has.
func (p promise) admits(method string, credentials []string) bool {
	extended := strings.HasSuffix(method, "GetExtendedAgentCard")
	if !p.Security && (!extended || !p.Extended) || extended && p.OpenExtended {
		return true
	}
	return slices.Contains(credentials, token)
}

// guard refuses calls without the token, as an application of a2a-go would over
// HTTP.
type guard struct {
	a2asrv.PassthroughCallInterceptor
	does promise
}

func (g guard) Before(ctx context.Context, call *a2asrv.CallContext, _ *a2asrv.Request) (context.Context, any, error) {
	credentials, _ := call.ServiceParams().Get("authorization")
	if !g.does.admits(call.Method(), credentials) {
		return ctx, nil, a2a.ErrUnauthenticated
	}
	return ctx, nil, nil
}

// grpcServer refuses calls without the token. Interceptors of a2a-go 2.4.0 see no
// metadata of GetExtendedAgentCard over gRPC, so those of grpc-go do it.
func (p promise) grpcServer() *grpc.Server {
	check := func(ctx context.Context, method string) error {
		md, _ := metadata.FromIncomingContext(ctx)
		if !p.admits(method, md.Get("authorization")) {
			return status.Error(codes.Unauthenticated, "no credentials")
		}
		return nil
	}
	return grpc.NewServer(
		grpc.UnaryInterceptor(func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any,
			error,
		) {
			if err := check(ctx, info.FullMethod); err != nil {
				return nil, err
			}
			return next(ctx, req)
		}),
		grpc.StreamInterceptor(func(srv any, s grpc.ServerStream, info *grpc.StreamServerInfo,
			next grpc.StreamHandler,
		) error {
			if err := check(s.Context(), info.FullMethod); err != nil {
				return err
			}
			return next(srv, s)
		}),
	)
}

// echo answers each message with its text.
type echo struct{}

func (echo) Execute(_ context.Context, e *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		yield(a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("again: "+e.Message.Parts[0].Text())), nil)
	}
}

func (echo) Cancel(context.Context, *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(func(a2a.Event, error) bool) {}
}

// handler is the request handler of a server that does p.
func (p promise) handler(binding string, extended *a2a.AgentCard) a2asrv.RequestHandler {
	options := []a2asrv.RequestHandlerOption{
		a2asrv.WithCapabilityChecks(&p.card("", "").Capabilities),
		a2asrv.WithLogger(slog.New(slog.DiscardHandler)),
	}
	if binding != "GRPC" {
		options = append(options, a2asrv.WithCallInterceptors(guard{does: p}))
	}
	if p.Push {
		options = append(options, a2asrv.WithPushNotifications(push.NewInMemoryStore(), push.NewHTTPPushSender(nil)))
	}
	if extended != nil {
		options = append(options, a2asrv.WithExtendedAgentCard(extended))
	}
	return a2asrv.NewHandler(echo{}, options...)
}

// lie is one way in which an agent does not do what its card says.
type lie struct {
	name       string
	says, does func(*promise)
	noExtended bool // the server has the capability, and no card
	served     func(*promise)
	args       []string
	want       []string // findings, with their severity
}

// agent is a server of a2a-go.
type agent struct {
	url  string // where it serves its card
	card []byte // that it should serve
}

// startGo starts an agent that says one thing and does another.
func startGo(t *testing.T, binding string, l lie) agent {
	t.Helper()
	says, does := full, full
	if binding == "GRPC" && strings.Contains(l.name, "extended") {
		says.Extension, does.Extension = false, false // a2a-go 2.4.0 does not see them with this call
	}
	apply(&says, l.says)
	apply(&does, l.does)
	mux := http.NewServeMux()
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	url := web.URL + "/a2a"
	var listener net.Listener
	if binding == "GRPC" {
		var err error
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		url = listener.Addr().String()
	}
	extended := says.extended(binding, url)
	if l.noExtended {
		extended = nil
	}
	h := does.handler(binding, extended)
	if binding == "GRPC" {
		serveGRPC(t, listener, does, h)
		if says.Path != "" {
			url = strings.TrimPrefix(web.URL, "http://") // where no gRPC is spoken
		}
	} else {
		mount(mux, binding, does, h)
	}
	if says.Path != "" && binding != "GRPC" {
		url = web.URL + says.Path
	}
	card := says.card(binding, url)
	served := says
	apply(&served, l.served)
	mux.Handle(a2asrv.WellKnownAgentCardPath, a2asrv.NewStaticAgentCardHandler(served.card(binding, url)))
	mux.Handle("/portal/", http.RedirectHandler("/login", http.StatusFound))
	text, err := json.Marshal(card)
	if err != nil {
		t.Fatal(err)
	}
	return agent{web.URL, text}
}

// serveGRPC starts a gRPC server.
func serveGRPC(t *testing.T, listener net.Listener, does promise, h a2asrv.RequestHandler) {
	t.Helper()
	server := does.grpcServer()
	if does.Version == "0.3" {
		a2agrpcv0.NewHandler(h).RegisterWith(server)
	} else {
		a2agrpc.NewHandler(h).RegisterWith(server)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
}

func apply(p *promise, change func(*promise)) {
	if change != nil {
		change(p)
	}
}

// mount puts both HTTP bindings where they belong.
func mount(mux *http.ServeMux, binding string, does promise, h a2asrv.RequestHandler) {
	rpc, rest := a2asrv.NewJSONRPCHandler(h), a2asrv.NewRESTHandler(h)
	if does.Version == "0.3" {
		rpc, rest = a2av0.NewJSONRPCHandler(h), a2av0.NewRESTHandler(h)
	}
	at, other := rpc, rest
	if binding == "HTTP+JSON" {
		at, other = rest, rpc
	}
	mux.Handle("/a2a", challenging(at))
	mux.Handle("/a2a/", http.StripPrefix("/a2a", challenging(at)))
	mux.Handle("/other", challenging(other))
	mux.Handle("/other/", http.StripPrefix("/other", challenging(other)))
}

// challenging adds what a2a-go leaves to the application: a 401 says how to
// authenticate.
func challenging(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(challenger{w}, r) })
}

type challenger struct{ http.ResponseWriter }

func (c challenger) WriteHeader(status int) {
	if status == http.StatusUnauthorized {
		c.Header().Set("WWW-Authenticate", "Bearer")
	}
	c.ResponseWriter.WriteHeader(status)
}

// Flush is needed by the streams of a2a-go.
func (c challenger) Flush() {
	if f, ok := c.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// lies are those that a server of any SDK can tell.
var lies = []lie{
	{
		name: "streaming declared and absent", does: func(p *promise) { p.Streaming = false },
		want: []string{"error contract-streaming"},
	},
	{
		name: "streaming absent and served", says: func(p *promise) { p.Streaming = false },
		want: []string{"error contract-streaming"},
	},
	{name: "push declared and absent", does: func(p *promise) { p.Push = false }, want: []string{"error contract-push"}},
	{name: "push absent and served", says: func(p *promise) { p.Push = false }, want: []string{"error contract-push"}},
	{name: "extended card missing", noExtended: true, want: []string{"error contract-extended"}},
	{
		name: "extended card unsupported", does: func(p *promise) { p.Extended = false },
		want: []string{"error contract-extended"},
	},
	{
		name: "extended card served and not declared", says: func(p *promise) { p.Extended = false },
		want: []string{"error contract-extended"},
	},
	{
		name: "extended card open to everybody", does: func(p *promise) { p.OpenExtended = true },
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
		name: "wrong binding at the URL", says: func(p *promise) { p.Path = "/other" },
		want: []string{"error contract-binding"},
	},
	{name: "wrong version", says: func(p *promise) { p.Version = "0.3" }, want: []string{"error contract-version"}},
	{name: "login page", says: func(p *promise) { p.Path = "/portal/a2a" }, want: []string{"error contract-binding"}},
	{
		name: "another card at the well-known path", served: func(p *promise) { p.Name = "Another Agent" },
		want: []string{"error contract-card"},
	},
	{
		name: "required extension not demanded", does: func(p *promise) { p.Extension = false },
		want: []string{"info contract-extension-required"},
	},
	{
		name: "required extension not demanded of a message", does: func(p *promise) { p.Extension = false },
		args: []string{"--send", "hello"}, want: []string{"error contract-extension-required"},
	},
}

// Honest servers of a2a-go pass in every binding, and every lie is found by the
// check that is about it, and by no other.
func TestContractA2AGo(t *testing.T) {
	bin := fixture.Program(t)
	// a2a-go leaves comparing versions to the application, and writes requirements
	// in a form of its own.
	allowed := []string{"warning contract-version-refused", "warning contract-extended"}
	for _, binding := range []string{"JSONRPC", "HTTP+JSON", "GRPC"} {
		t.Run(binding+"/honest", func(t *testing.T) {
			got := contractOf(t, bin, startGo(t, binding, lie{}), "--send", "hello")
			got.without(allowed)
			if len(got.findings) > 0 {
				t.Errorf("findings: %q\n%s", got.findings, got.text)
			}
		})
		t.Run(binding+"/honest, promising nothing", func(t *testing.T) {
			nothing := func(p *promise) { *p = promise{Version: "1.0", Name: "Modest Agent"} }
			got := contractOf(t, bin, startGo(t, binding, lie{says: nothing, does: nothing}), "--send", "hello")
			got.without(allowed)
			if len(got.findings) > 0 {
				t.Errorf("findings: %q\n%s", got.findings, got.text)
			}
		})
		for _, l := range lies {
			if binding == "GRPC" && l.served != nil {
				continue // its card has no web host
			}
			t.Run(binding+"/"+l.name, func(t *testing.T) {
				got := contractOf(t, bin, startGo(t, binding, l), l.args...)
				got.without(allowed)
				if diff := gocmp.Diff(l.want, got.findings); diff != "" {
					t.Errorf("findings (-want +got):\n%s\n%s", diff, got.text)
				}
			})
		}
	}
	for _, binding := range []string{"JSONRPC", "HTTP+JSON", "GRPC"} {
		t.Run("0.3/"+binding, func(t *testing.T) {
			old := func(p *promise) { p.Version, p.Extension = "0.3", false }
			got := contractOf(t, bin, startGo(t, binding, lie{says: old, does: old}), "--send", "hello")
			got.without([]string{"warning contract-binding"}) // JSON as text/plain
			if len(got.findings) > 0 {
				t.Errorf("findings: %q\n%s", got.findings, got.text)
			}
		})
	}
}

// outcome is what contract says of an agent.
type outcome struct {
	findings []string // severity and rule
	text     string
	untried  []string
}

func (v *outcome) without(allowed []string) {
	v.findings = slices.DeleteFunc(v.findings, func(f string) bool { return slices.Contains(allowed, f) })
}

// contractOf checks an agent by the card that it should serve.
func contractOf(t *testing.T, bin string, a agent, args ...string) outcome {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "card.json")
	if err := os.WriteFile(name, a.card, 0o644); err != nil {
		t.Fatal(err)
	}
	args = append([]string{
		"contract", name, "--connect-to", "127.0.0.1", "--connect-to", "localhost", "--header", "Authorization: env:TOKEN",
		"--format", "json", "--timeout", "1m", "--report", "markdown=" + filepath.Join(dir, "report.md"),
	}, args...)
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TOKEN="+token)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, _ := cmd.Output() // the exit code follows from the findings
	text, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatalf("%s\n%s", stderr.String(), out)
	}
	if strings.Contains(string(out)+stderr.String()+string(text), strings.TrimPrefix(token, "Bearer ")) {
		t.Error("the credentials are printed")
	}
	var report struct {
		Diagnostics []struct{ Severity, Rule string }
		Checks      []struct {
			Name  string
			Tried *bool
		}
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, stderr.String())
	}
	v := outcome{text: string(text)}
	for _, d := range report.Diagnostics {
		v.findings = append(v.findings, d.Severity+" "+d.Rule)
	}
	for _, c := range report.Checks {
		if c.Tried != nil {
			v.untried = append(v.untried, c.Name)
		}
	}
	wantCode := 0
	if slices.ContainsFunc(v.findings, func(f string) bool { return strings.HasPrefix(f, "error ") }) {
		wantCode = 1
	}
	if code := cmd.ProcessState.ExitCode(); code != wantCode {
		t.Errorf("exit code %d, want %d", code, wantCode)
	}
	return v
}

// The numbers of the fields that are read over gRPC are those of the messages of
// a2a-go: of a card from the table of its members, of others from that of contract.
func TestFieldsOfGRPC(t *testing.T) {
	files := map[string]protoreflect.FileDescriptor{"1.0": a2apb.File_a2av1_proto, "0.3": a2apbv0.File_a2a_proto}
	compared := 0
	compare := func(version, message, name string, number int) {
		t.Helper()
		m := files[version].Messages().ByName(protoreflect.Name(message))
		if m == nil {
			t.Errorf("%s: a2a-go has no message %s", version, message)
			return
		}
		compared++
		f := m.Fields().ByNumber(protoreflect.FieldNumber(number))
		if f == nil || f.JSONName() != name && version == "1.0" {
			t.Errorf("%s: %s.%d is not %s in a2a-go", version, message, number, name)
		}
	}
	renamed := map[string]string{
		"StatusUpdate": "TaskStatusUpdateEvent", "ArtifactUpdate": "TaskArtifactUpdateEvent", "": "AgentCard",
		"InterfaceMessage": "AgentInterface", "ProviderMessage": "AgentProvider", "CapabilitiesMessage": "AgentCapabilities",
		"ExtensionMessage": "AgentExtension", "SkillMessage": "AgentSkill", "SchemeMessage": "SecurityScheme",
		"APIKey.Message()": "APIKeySecurityScheme", "HTTPAuth.Message()": "HTTPAuthSecurityScheme",
		"OAuth2.Message()": "OAuth2SecurityScheme", "OpenIDConnect.Message()": "OpenIdConnectSecurityScheme",
		"FlowsMessage": "OAuthFlows", "AuthorizationCode.Message()": "AuthorizationCodeOAuthFlow",
		"DeviceCode.Message()": "DeviceCodeOAuthFlow", "RequirementMessage": "SecurityRequirement",
		`"scopes"`: "StringList", "SignatureMessage": "AgentCardSignature",
	}
	rows := regexp.MustCompile(`(?m)^(\w+)( 0\.3)? {2,}(.+)$`)
	for _, row := range rows.FindAllStringSubmatch(read(t, "internal/contract/messages.txt"), -1) {
		version := "1.0"
		if row[2] != "" {
			version = "0.3"
		}
		if slices.Contains([]string{"NameRequest", "FilePart", "Status", "Any", "ErrorInfo"}, row[1]) {
			continue // of 0.3, under another name for each operation, or of google.rpc
		}
		for i, field := range strings.Fields(row[3]) {
			if name, _, _ := strings.Cut(field, ":"); name != "-" {
				compare(version, cmp.Or(renamed[row[1]], row[1]), name, i+1)
			}
		}
	}
	members := regexp.MustCompile(`(?:Message: ([^\n,]+), )?Name: "(\w+)", Number: (\d+),(?: Number03: (\d+),)? In: (\w+)`)
	for _, m := range members.FindAllStringSubmatch(read(t, "schema/members.go"), -1) {
		number, _ := strconv.Atoi(m[3])
		older, _ := strconv.Atoi(cmp.Or(m[4], m[3]))
		if m[1] == "t.Message()" {
			continue
		}
		if m[5] != "Flat" {
			compare("1.0", renamed[m[1]], m[2], number)
		}
		if m[5] != "Listed" {
			compare("0.3", strings.Replace(renamed[m[1]], "SecurityRequirement", "Security", 1), m[2], older)
		}
	}
	if compared < 120 {
		t.Errorf("only %d fields were compared", compared)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
