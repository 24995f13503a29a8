package contract

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// identity says which credentials go with a call.
type identity int

const (
	known   identity = iota // those of the user, if they may go there
	nobody                  // none
	mistake                 // made-up ones, in the form that the card declares
	blank                   // empty ones, in that form
)

// call is one request to an interface.
type call struct {
	op      operation
	as      identity
	claim   string // A2A-Version that is sent, that of the interface when empty
	nothing bool   // A2A-Version is sent empty
	plain   bool   // without A2A-Extensions
	less    string // without this credential
}

// ask sends a request in the form of the binding, and reads the answer. It asks nothing twice.
func (x *exam) ask(c call) answer {
	if c.as == known && len(x.credentials) == 0 && (!x.trusted || x.Certificate == nil) {
		c.as = nobody
	}
	a, ok := x.asked[c]
	if !ok {
		a = x.call(c)
		x.asked[c] = a
	}
	return a
}

func (x *exam) call(c call) answer {
	switch {
	case wordings[x.Version] == nil:
		return answer{kind: unasked, code: "cardwright does not speak A2A " + x.Version}
	case !slices.Contains(bindings, x.Binding):
		return answer{kind: unasked, code: "cardwright does not speak the binding " + diag.Quote(x.Binding)}
	case x.fault != "":
		return answer{kind: broken, code: x.fault}
	case x.calls >= x.MaxCalls:
		return answer{kind: unasked, code: x.limit()}
	case x.ctx.Err() != nil:
		return answer{kind: unasked, code: "the time limit for all calls is reached"}
	}
	x.calls++
	id := x.NewID()
	var connected atomic.Bool
	ctx := httptrace.WithClientTrace(x.ctx,
		&httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	to := x.client(x.Binding == "GRPC", c.as == known && x.trusted)
	resp, err := to.Do(ctx, x.request(c, id))
	var a answer
	switch {
	case err == nil:
		a = x.read(c, id, resp)
	case client.WantsCertificate(err):
		a = answer{kind: denied, code: "a TLS alert: a client certificate is required"}
	default:
		a = answer{kind: broken, code: client.Explain(err), private: client.Private(err)}
	}
	a.connected = connected.Load()
	if a.kind == broken && x.ctx.Err() != nil {
		return answer{kind: unasked, code: "the time limit for all calls is reached"}
	}
	// The id is another one in each run, and the messages of a run are not.
	a.code, a.words = x.scrub(a.code), strings.ReplaceAll(x.scrub(a.words), id, "{id}")
	x.learn(c.op, a)
	return a
}

// request is a call in the form of the binding (specification, sections 9 to 11).
func (x *exam) request(c call, id string) client.Request {
	w := wordings[x.Version][c.op]
	target, header := x.headers(c)
	ids := strings.NewReplacer("TASK", id, "CONFIG", id)
	q := client.Request{Method: http.MethodPost, URL: target, Header: header, Enough: x.enough(c)}
	params := x.params(w, ids)
	switch x.Binding {
	case "GRPC":
		if path := strings.TrimPrefix(strings.Fields(w.rest)[1], "/v1/"); w.asks() == "NameRequest" {
			path, _, _ = strings.Cut(strings.TrimSuffix(path, "/pushNotificationConfigs"), ":")
			params.SetText("name", ids.Replace(path))
		}
		q.URL = target.JoinPath(services[x.Version], w.method())
		q.Body = frame(encode(x.Version, w.asks(), params))
		for _, name := range []string{"Content-Type", "Accept"} {
			header.Set(name, "application/grpc")
		}
		header.Set("Te", "trailers")
		return q
	case "HTTP+JSON":
		verb, path, _ := strings.Cut(w.rest, " ")
		if x.Tenant != "" && x.Version != "0.3" {
			target = target.JoinPath(x.Tenant)
		}
		q.Method = verb
		q.URL = target.JoinPath(ids.Replace(path))
		if verb == http.MethodPost {
			header.Set("Content-Type", "application/a2a+json")
			if x.Version == "0.3" {
				header.Set("Content-Type", "application/json")
			}
			q.Body = schema.Write(params.Without("id").Without("tenant"))
		}
		header.Set("Accept", "application/a2a+json, application/json")
	default:
		header.Set("Content-Type", "application/json")
		q.Body = schema.Write(source.ObjectOf("jsonrpc", "2.0", "id", id, "method", w.rpc, "params", params))
	}
	if c.op.streams() {
		header.Set("Accept", "text/event-stream, application/json")
	}
	return q
}

// params are the parameters of an operation as JSON has them.
func (x *exam) params(w wording, ids *strings.Replacer) *source.Node {
	n := &source.Node{Kind: source.Object}
	if x.Version != "0.3" {
		n.SetText("tenant", x.Tenant)
	}
	for pair := range strings.FieldsSeq(w.params) {
		name, value, _ := strings.Cut(pair, "=")
		if value == "MESSAGE" {
			n.Set(name, x.message(ids.Replace("TASK")))
		} else {
			n.SetText(name, ids.Replace(value))
		}
	}
	return n
}

// message is the message of --send as JSON has it.
func (x *exam) message(id string) *source.Node {
	form := `{"messageId": ID, "role": "ROLE_USER", "parts": [{"text": TEXT}]}`
	if x.Version == "0.3" && x.Binding == "JSONRPC" {
		form = `{"kind": "message", "messageId": ID, "role": "user", "parts": [{"kind": "text", "text": TEXT}]}`
	} else if x.Version == "0.3" && x.Binding == "HTTP+JSON" { // as a2a.proto of 0.3 spells it
		form = `{"messageId": ID, "role": "ROLE_USER", "content": [{"text": TEXT}]}`
	}
	quoted := func(text string) string { return string(schema.Write(source.NewText(text))) }
	form = strings.NewReplacer("ID", quoted(id), "TEXT", quoted(x.Send)).Replace(form)
	n, _ := source.ParseJSON("", []byte(form), source.Limits{})
	return n
}

// headers are those of a call, with the URL, in which credentials may stand too.
func (x *exam) headers(c call) (*url.URL, http.Header) {
	h, u := http.Header{}, *x.target
	extensions := "A2a-Extensions"
	switch {
	case x.Version == "0.3":
		extensions = "X-A2a-Extensions"
	case c.claim != "" || c.nothing:
		h.Set("A2A-Version", c.claim)
	default:
		h.Set("A2A-Version", x.Version)
	}
	if required := x.required(); len(required) > 0 && !c.plain {
		h.Set(extensions, strings.Join(required, ", "))
	}
	switch c.as {
	case known:
		for _, given := range x.credentials {
			if given.Name != c.less {
				given.place(x.carrierOf(given), h, &u)
			}
		}
	case mistake, blank:
		for _, at := range x.carriers {
			at.madeUp(c.as).place(at, h, &u)
		}
	}
	return &u, h
}

// carrier is where the card says that a credential stands.
type carrier struct {
	in     string // header, query or cookie
	name   string
	scheme string // of HTTP authentication, such as Bearer
}

// carriersOf are the places of all credentials that a card asks for.
func carriersOf(c *schema.Card) []carrier {
	var list []carrier
	for _, requirement := range c.Security {
		for _, name := range slices.Sorted(maps.Keys(requirement)) {
			switch s := c.SecuritySchemes[name]; s.Type {
			case schema.APIKey:
				list = append(list, carrier{in: s.In, name: s.Name})
			case schema.HTTPAuth:
				list = append(list, carrier{"header", "Authorization", s.Scheme})
			case schema.OAuth2, schema.OpenIDConnect:
				list = append(list, carrier{"header", "Authorization", "Bearer"})
			}
		}
	}
	return list
}

// carrierOf is where the card declares a credential, a header for one that it does not.
func (x *exam) carrierOf(given Credential) carrier {
	for _, at := range x.carriers {
		if strings.EqualFold(at.name, given.Name) {
			return at
		}
	}
	return carrier{in: "header", name: given.Name}
}

// madeUp is a credential for a place that no server should accept.
func (at carrier) madeUp(as identity) Credential {
	value := ""
	if as == mistake {
		value = "made-up-by-cardwright"
		if strings.EqualFold(at.scheme, "Basic") {
			value = base64.StdEncoding.EncodeToString([]byte("cardwright:" + value))
		}
	}
	if at.scheme != "" {
		value = at.scheme + " " + value
	}
	return Credential{Name: at.name, Value: value}
}

// place puts a credential where the card declares it.
func (given Credential) place(at carrier, h http.Header, u *url.URL) {
	switch at.in {
	case "query":
		q := u.Query()
		q.Set(at.name, given.Value)
		u.RawQuery = q.Encode()
	case "cookie":
		h.Add("Cookie", at.name+"="+given.Value)
	default:
		h.Add(given.Name, given.Value)
	}
}

// required are the URIs of the extensions that clients have to know.
func (r *run) required() []string {
	var uris []string
	for _, e := range r.Card.Capabilities.Extensions {
		if e.Required {
			uris = append(uris, e.URI)
		}
	}
	return uris
}

// enough ends a stream after its first event, or the answer to a message after the task.
func (x *exam) enough(c call) func([]byte) bool {
	if x.Binding != "GRPC" && !c.op.streams() {
		return nil
	}
	return func(body []byte) bool {
		sent := x.sent(c, body)
		return len(sent) > 0 && (c.op != sendStream || documentOf(sent[len(sent)-1]).final)
	}
}

// sent are the documents of a stream that are there to their end.
func (x *exam) sent(c call, body []byte) []*source.Node {
	var list []*source.Node
	if x.Binding == "GRPC" {
		for _, one := range frames(body) {
			if n, err := decode(x.Version, wordings[x.Version][c.op].gets, one); err == nil {
				list = append(list, n)
			}
		}
		return list
	}
	for _, event := range client.Events(body) {
		n, _ := source.ParseJSON("", event, source.Limits{})
		if result := n.Get("result"); result != nil {
			n = result
		}
		list = append(list, n)
	}
	return list
}
