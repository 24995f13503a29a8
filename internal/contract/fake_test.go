package contract

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/hosting/hostingtest"
	"cardwright/internal/source"
	"cardwright/schema"
)

const (
	rightToken = "right-t0ken-of-the-test"
	citeURI    = "https://acme.example/ext/cite/v1"
)

// asked is a call as the fake agent sees it, whatever its binding.
type asked struct {
	op                                            operation
	id, token, version, extensions, tenant, media string
	header                                        http.Header
	versioned                                     bool
}

// replied is what it answers.
type replied struct {
	fault      fault
	words      string
	result     string   // JSON
	events     []string // of a stream
	status     int      // of HTTP, that of the fault when zero
	media      string   // that of the binding when empty, none for -
	raw        string   // in place of everything
	reason     string   // of ErrorInfo, that of the fault when empty, none for -
	domain     string
	code       int // of JSON-RPC, that of the fault when zero
	challenge  string
	envelopeID string
}

// fake is a small agent that does what its card says, unless told to lie.
type fake struct {
	card, extended *schema.Card
	binding        string
	lie            func(q asked, honest replied) replied
	seen           []asked
}

// promised is the card of an agent that can do everything.
func promised(binding, version, url string) *schema.Card {
	yes := true
	c := &schema.Card{
		Name: "Honest Agent", Description: "Keeps what it promises.", Version: "1.0.0",
		Provider:   &schema.Provider{Organization: "Acme", URL: "https://acme.example"},
		InputModes: []string{"text/plain"}, OutputModes: []string{"text/plain"},
		Interfaces: []schema.Interface{{URL: url, Binding: binding, Version: version}},
		SecuritySchemes: map[string]schema.SecurityScheme{
			"login": {Type: schema.HTTPAuth, Scheme: "Bearer"},
		},
		Security: []schema.Requirement{{"login": {}}},
		Skills:   []schema.Skill{{ID: "echo", Name: "Echo", Description: "Says it again.", Tags: []string{"echo"}}},
	}
	c.Capabilities.Streaming, c.Capabilities.PushNotifications, c.Capabilities.ExtendedAgentCard = &yes, &yes, &yes
	return c
}

// answer is what the agent says.
func (f *fake) answer(q asked) replied {
	caps, flat := f.card.Capabilities, f.card.Interfaces[0].Version == "0.3"
	grown := replied{result: `{"task": {"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_COMPLETED"}}}`}
	if flat && f.binding == "JSONRPC" {
		grown.result = `{"kind": "task", "id": "t1", "contextId": "c1", "status": {"state": "completed"}}`
	}
	secured := len(f.card.Security) > 0 || q.op == extendedCard && isTrue(caps.ExtendedAgentCard)
	demanded := slices.ContainsFunc(f.card.Capabilities.Extensions, func(e schema.Extension) bool { return e.Required })
	switch {
	case secured && q.token != "Bearer "+rightToken:
		return replied{fault: unauthenticated, words: "no credentials", challenge: "Bearer"}
	case !flat && q.version != "1.0" && !strings.HasPrefix(q.version, "1.0."):
		return replied{fault: versionRefused, words: "version " + q.version}
	case q.tenant != f.card.Interfaces[0].Tenant:
		return replied{fault: "InvalidParamsError", words: "unknown tenant " + q.tenant}
	case demanded && q.extensions == "":
		return replied{fault: extensionRequired, words: "send " + citeURI}
	case q.op == subscribe && !isTrue(caps.Streaming), q.op == sendStream && !isTrue(caps.Streaming):
		return replied{fault: unsupported, words: "no streaming"}
	case (q.op == listPush || q.op == getPush) && !isTrue(caps.PushNotifications):
		return replied{fault: pushNotSupported, words: "no push"}
	case q.op == extendedCard && f.extended == nil:
		return replied{fault: unsupported, words: "no extended card"}
	case q.op == extendedCard:
		protocol, _ := schema.ParseProtocol(f.card.Interfaces[0].Version)
		n, _ := schema.Wire(f.extended, protocol, schema.WireOptions{})
		if f.binding == "GRPC" { // encode writes no maps; in conformance/, servers of SDKs do
			n = n.Without("securitySchemes").Without("securityRequirements").Without("security")
		}
		return replied{result: string(schema.Write(n))}
	case q.op == listTasks:
		return replied{result: `{"tasks": []}`}
	case q.op == sendMessage:
		return grown
	case q.op == sendStream:
		return replied{events: []string{grown.result}}
	}
	return replied{fault: taskNotFound, words: "no task " + q.id}
}

// ServeHTTP reads a call in the form of its binding, and answers in it.
func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	q := asked{
		token: r.Header.Get("Authorization"), version: r.Header.Get("A2A-Version"), header: r.Header,
		extensions: r.Header.Get("A2a-Extensions") + r.Header.Get("X-A2a-Extensions"), media: r.Header.Get("Content-Type"),
	}
	_, q.versioned = r.Header["A2a-Version"]
	var reply func(replied)
	switch {
	case strings.HasPrefix(q.media, "application/grpc"):
		reply = f.readGRPC(&q, body, w, r)
	case f.binding == "HTTP+JSON":
		reply = f.readREST(&q, w, r)
	default:
		reply = f.readRPC(&q, body, w)
	}
	f.seen = append(f.seen, q)
	a := replied{fault: methodNotFound, words: "no such operation", status: 404}
	if q.op != "" {
		a = f.answer(q)
	}
	if f.lie != nil {
		a = f.lie(q, a)
	}
	if a.raw == "abort" {
		panic(http.ErrAbortHandler)
	}
	if a.challenge != "" && a.fault == unauthenticated {
		w.Header().Set("WWW-Authenticate", a.challenge)
	}
	reply(a)
}

func (f *fake) version() string { return f.card.Interfaces[0].Version }

func (f *fake) readRPC(q *asked, body []byte, w http.ResponseWriter) func(replied) {
	var envelope struct {
		ID, Method string
		Params     struct{ ID, TaskID, Tenant string }
	}
	_ = json.Unmarshal(body, &envelope)
	for op, wording := range wordings[f.version()] {
		if wording.rpc == envelope.Method {
			q.op = op
		}
	}
	q.id, q.tenant = envelope.Params.ID+envelope.Params.TaskID, envelope.Params.Tenant
	return func(a replied) {
		if a.fault == unauthenticated {
			a.status = http.StatusUnauthorized
		}
		id := envelope.ID
		if a.envelopeID != "" {
			id = a.envelopeID
		}
		wrap := func(member string) string { return fmt.Sprintf(`{"jsonrpc": "2.0", "id": %q, %s}`, id, member) }
		if a.fault == "" {
			send(w, a, "application/json", func(result string) string { return wrap(`"result": ` + result) })
			return
		}
		code := spelled(func(s spelling) bool { return s.fault == a.fault }).code
		if a.code != 0 {
			code = a.code
		}
		info := ""
		if r := a.info(f.version()); r != "" {
			info = `, "data": [` + r + `]`
		}
		a.result = fmt.Sprintf(`"error": {"code": %d, "message": %q%s}`, code, a.words, info)
		a.events = nil
		send(w, a, "application/json", wrap)
	}
}

func (f *fake) readREST(q *asked, w http.ResponseWriter, r *http.Request) func(replied) {
	path := r.URL.Path
	if tenant, rest, ok := strings.Cut(strings.TrimPrefix(path, "/"), "/"); ok && strings.HasPrefix(tenant, "tenant-") {
		q.tenant, path = tenant, "/"+rest
	}
	for op, wording := range wordings[f.version()] {
		pattern := strings.Split(strings.NewReplacer("TASK", "*", "CONFIG", "*").Replace(wording.rest), "*")
		rest, ok := r.Method+" "+path, true
		for i, part := range pattern {
			_, after, found := strings.Cut(rest, part)
			ok = ok && found && (i > 0 || strings.HasPrefix(rest, part)) && (part != "" || i > 0)
			if rest = after; i == len(pattern)-1 && part == "" {
				ok, rest = ok && !strings.ContainsAny(after, "/:"), ""
			}
		}
		if ok && rest == "" {
			q.op = op
		}
	}
	if q.op == subscribeToo {
		q.op = ""
	}
	return func(a replied) {
		if a.fault == "" {
			send(w, a, "application/a2a+json", func(result string) string { return result })
			return
		}
		s := spelled(func(s spelling) bool { return s.fault == a.fault })
		if a.status == 0 {
			a.status = s.http
		}
		if q.op == "" {
			http.NotFound(w, r)
			return
		}
		details := ""
		if r := a.info(f.version()); r != "" {
			details = `, "details": [` + r + `]`
		}
		a.result = fmt.Sprintf(`{"error": {"code": %d, "status": %q, "message": %q%s}}`, a.status, s.grpc, a.words, details)
		if f.version() == "0.3" || details == "" {
			a.result = fmt.Sprintf(`{"code": %d, "message": %q}`, s.code, a.words)
		}
		a.events = nil
		send(w, a, "application/json", func(result string) string { return result })
	}
}

func (f *fake) readGRPC(q *asked, body []byte, w http.ResponseWriter, r *http.Request) func(replied) {
	method := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	var used wording
	for op, wording := range wordings[f.version()] {
		if wording.method() == method && strings.HasPrefix(r.URL.Path, "/"+services[f.version()]) {
			q.op, used = op, wording
		}
	}
	for _, one := range frames(body) {
		if n, err := decode(f.version(), used.asks(), one); err == nil {
			q.id, q.tenant = n.Get("id").Word()+n.Get("taskId").Word()+n.Get("name").Word(), n.Get("tenant").Word()
		}
	}
	return func(a replied) {
		w.Header().Set("Content-Type", "application/grpc")
		if a.fault == "" {
			for _, text := range append(slices.Clone(a.events), a.result) {
				if n, _ := source.ParseJSON("", []byte(text), source.Limits{}); n != nil {
					message := encode(f.version(), used.gets, n)
					_, _ = w.Write(frame(message))
				}
			}
			w.Header().Set(http.TrailerPrefix+"Grpc-Status", "0")
			return
		}
		s := spelled(func(s spelling) bool { return s.fault == a.fault })
		codes := map[string]string{
			"INVALID_ARGUMENT": "3", "NOT_FOUND": "5", "PERMISSION_DENIED": "7", "FAILED_PRECONDITION": "9",
			"UNIMPLEMENTED": "12", "INTERNAL": "13", "UNAUTHENTICATED": "16",
		}
		status := codes[s.grpc]
		if a.code != 0 {
			status = strconv.Itoa(a.code)
		}
		w.Header().Set("Grpc-Status", status)
		w.Header().Set("Grpc-Message", a.words)
		if r := a.info("1.0"); r != "" {
			n, _ := source.ParseJSON("", []byte(r), source.Limits{})
			info := encode("1.0", "ErrorInfo", n)
			detail := append([]byte("\n\x28type.googleapis.com/google.rpc.ErrorInfo\x12"), byte(len(info)))
			detail = append(detail, info...)
			w.Header().Set("Grpc-Status-Details-Bin",
				base64.RawStdEncoding.EncodeToString(append([]byte{0x1a, byte(len(detail))}, detail...)))
		}
	}
}

// info is the ErrorInfo of an answer, "" for none.
func (a replied) info(version string) string {
	reason, domain := spelled(func(s spelling) bool { return s.fault == a.fault }).reason, "a2a-protocol.org"
	code := spelled(func(s spelling) bool { return s.fault == a.fault }).code
	if a.reason != "" {
		reason = a.reason
	}
	if a.domain != "" {
		domain = a.domain
	}
	if a.reason == "-" || version == "0.3" || code > -32001 || code < -32009 {
		return ""
	}
	return fmt.Sprintf(`{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": %q, "domain": %q}`, reason, domain)
}

// send writes an answer over HTTP.
func send(w http.ResponseWriter, a replied, media string, wrap func(string) string) {
	if a.media != "" {
		media = a.media
	}
	body := wrap(a.result)
	if len(a.events) > 0 && a.media == "" {
		media, body = "text/event-stream", ""
		for _, event := range a.events {
			body += "data: " + wrap(event) + "\n\n"
		}
	} else if len(a.events) > 0 {
		body = wrap(a.events[0])
	}
	if a.raw != "" {
		body = a.raw
	}
	w.Header()["Content-Type"] = []string{media}
	if media == "-" {
		w.Header()["Content-Type"] = nil
	}
	w.WriteHeader(max(a.status, 200))
	_, _ = io.WriteString(w, body)
}

// start starts a fake agent that says what says makes of the card of an honest one,
// and does what does makes of it. It is in the network or in memory.
func start(t *testing.T, binding, version string, l lie, network bool) (Options, *fake) {
	t.Helper()
	f := &fake{binding: binding, card: promised(binding, version, "")}
	var server string
	var dial client.Dialer
	if network {
		server = startServer(t, binding, f).URL
	} else {
		memory := hostingtest.InMemory(t, f)
		server, dial = memory.URL, memory.Dial
	}
	url := server + "/"
	if binding == "GRPC" {
		url = strings.TrimPrefix(server, "http://")
	}
	f.card.Interfaces[0].URL = url
	says := promised(binding, version, url)
	if l.both != nil {
		l.both(says)
		l.both(f.card)
	}
	if l.says != nil {
		l.says(says)
	}
	if isTrue(f.card.Capabilities.ExtendedAgentCard) {
		extended := promised(binding, version, url)
		if l.both != nil {
			l.both(extended)
		}
		f.extended = extended
		f.extended.Skills = append(f.extended.Skills, schema.Skill{
			ID: "deploy", Name: "Deploy", Description: "Deploys.", Tags: []string{"ops"},
		})
	}
	if l.does != nil {
		l.does(f)
	}
	n := 0
	o := Options{
		Card: says, Named: []string{"127.0.0.1"}, Skip: []string{"contract-card"},
		Credentials: []Credential{{Name: "Authorization", Value: "Bearer " + rightToken}},
		Lint:        func(*source.Node) diag.List { return nil },
		Dial:        dial,
		NewID: func() string {
			n++
			return fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		},
	}
	if l.send {
		o.Send = "hello"
	}
	if l.options != nil {
		l.options(&o)
	}
	return o, f
}
