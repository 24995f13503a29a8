package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	a2a03 "github.com/a2aproject/a2a-go/a2a"
	client03 "github.com/a2aproject/a2a-go/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"

	"cardwright/internal/diff"
	"cardwright/internal/source"
)

// The table of SDKs in internal/diff says what those do that install here.
func TestTableOfSDKs(t *testing.T) {
	cards := interfaceLists(60)
	for _, binding := range append(diff.Bindings(), "") {
		tableHolds(t, cards, binding)
	}
}

// A client of a2a-go with a2av0 reads a scheme with a type as 0.3 does, and others do not.
func TestSchemesWithTypes(t *testing.T) {
	var cards []map[string]any
	for _, typed := range []map[string]any{
		{"type": "apiKey", "in": "header", "name": "X-Key"},
		{"type": "none"},
		{"type": "oauth2", "flows": map[string]any{}},
		{"type": "oauth2", "flows": map[string]any{"clientCredentials": map[string]any{}, "password": map[string]any{}}},
		{"type": "oauth2", "flows": map[string]any{"other": map[string]any{}}},
		{"flows": map[string]any{"other": map[string]any{}}},
	} {
		typed["apiKeySecurityScheme"] = map[string]any{"location": "header", "name": "X-Key"}
		card := interfaceLists(1)[0]
		card["securitySchemes"] = map[string]any{"key": typed}
		card["supportedInterfaces"] = []any{
			map[string]any{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
		}
		cards = append(cards, card)
	}
	tableHolds(t, cards, "")
}

// tableHolds compares the URLs that clients call with the answers of the table.
func tableHolds(t *testing.T, cards []map[string]any, binding string) {
	t.Helper()
	js := chosenByJS(t, cards, binding)
	for i, card := range cards {
		data := mustMarshal(t, card)
		got := map[string]string{
			"a2a-go 2.4":                   chosenByGo(parseDefault, data, false, bindingsOf("go", binding)),
			"a2a-go 2.4 with a2av0":        chosenByGo(parseCompat, data, true, bindingsOf("go", binding)),
			"a2a-go 0.3":                   chosenByGo03(data, bindingsOf("go 0.3", binding)),
			"a2a-js 1.3":                   js[i][0],
			"a2a-js 1.3 with legacyCompat": js[i][1],
			"a2a-js 0.3":                   js[i][2],
		}
		asked := 0
		for _, answer := range answersTo(t, data, binding) {
			url, known := got[answer.SDK]
			if !known {
				continue
			}
			if asked++; answer.URL != url {
				t.Errorf("%s calls %q and the table says %q (binding %q): %s", answer.SDK, url, answer.URL, binding, data)
			}
		}
		if asked != len(got) {
			t.Fatalf("the table has %d rows of %d", asked, len(got))
		}
	}
}

func answersTo(t *testing.T, data []byte, binding string) []diff.Answer {
	t.Helper()
	root, found := source.ParseJSON("card.json", data)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return diff.Answers(root, binding)
}

// bindingsOf are the bindings of a client, which by default are the library's own.
func bindingsOf(sdk, binding string) []string {
	switch {
	case binding != "":
		return []string{binding}
	case sdk == "go 0.3":
		return []string{"JSONRPC", "GRPC"}
	}
	return []string{"JSONRPC", "HTTP+JSON"}
}

// interfaceLists returns cards for 1.0, for 0.3 and for both, whose lists differ in
// length, order, URLs, bindings and versions.
func interfaceLists(n int) []map[string]any {
	r := rand.New(rand.NewPCG(48, 1))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	url := func() string { return fmt.Sprintf("https://%c.example/a2a", 'a'+rune(r.IntN(4))) }
	var cards []map[string]any
	for i := range n {
		card := map[string]any{
			"name": "Agent", "description": "Answers.", "version": "1.0.0", "capabilities": map[string]any{},
			"defaultInputModes": []string{"text/plain"}, "defaultOutputModes": []string{"text/plain"},
			"skills": []any{map[string]any{"id": "chat", "name": "Chat", "description": "Chats.", "tags": []string{"chat"}}},
		}
		if i%3 != 1 {
			var list []any
			for range 1 + r.IntN(4) {
				list = append(list, map[string]any{
					"url": url(), "protocolBinding": pick("JSONRPC", "JSONRPC", "HTTP+JSON", "GRPC", "jsonrpc"),
					"protocolVersion": pick("1.0", "1.0", "0.3", "1.1"),
				})
			}
			card["supportedInterfaces"] = list
		}
		if i%3 != 0 {
			card["url"], card["protocolVersion"] = url(), pick("0.3.0", "0.3")
			if r.IntN(4) > 0 {
				card["preferredTransport"] = pick("JSONRPC", "HTTP+JSON", "GRPC")
			}
			var list []any
			for range r.IntN(4) {
				list = append(list, map[string]any{"url": url(), "transport": pick("JSONRPC", "HTTP+JSON", "GRPC", "jsonrpc")})
			}
			card["additionalInterfaces"] = list
		}
		cards = append(cards, card)
	}
	return cards
}

// chosenByJS returns what @a2a-js/sdk 1.3, the same with legacyCompat and 0.3 call.
func chosenByJS(t *testing.T, cards []map[string]any, binding string) [][3]string {
	t.Helper()
	var requests []map[string]any
	for _, card := range cards {
		requests = append(requests, map[string]any{"card": card, "bindings": bindingsOf("js", binding)})
	}
	return ask[[3]string](t, &choices, requests...)
}

var errNoted = errors.New("noted")

// chosenByGo returns the URL that a client of a2a-go 2 calls, with the transports of 0.3
// too where compat is set.
func chosenByGo(parse agentcard.Parser, data []byte, compat bool, bindings []string) (url string) {
	card, err := parse(data)
	if err != nil {
		return ""
	}
	var note a2aclient.TransportFactoryFn = func(_ context.Context, _ *a2a.AgentCard, i *a2a.AgentInterface) (
		a2aclient.Transport, error,
	) {
		if url == "" {
			url = i.URL
		}
		return nil, errNoted
	}
	options := []a2aclient.FactoryOption{a2aclient.WithDefaultsDisabled()}
	for _, binding := range bindings {
		options = append(options, a2aclient.WithTransport(a2a.TransportProtocol(binding), note))
		if compat {
			options = append(options, a2aclient.WithCompatTransport("0.3", a2a.TransportProtocol(binding), note))
		}
	}
	_, _ = a2aclient.NewFromCard(context.Background(), card, options...) // fails as noted
	return url
}

// chosenByGo03 returns the URL that a client of a2a-go 0.3 calls.
func chosenByGo03(data []byte, bindings []string) (url string) {
	var card a2a03.AgentCard
	if json.Unmarshal(data, &card) != nil {
		return ""
	}
	var note client03.TransportFactoryFn = func(
		_ context.Context, at string, _ *a2a03.AgentCard,
	) (client03.Transport, error) {
		if url == "" {
			url = at
		}
		return nil, errNoted
	}
	options := []client03.FactoryOption{client03.WithDefaultsDisabled()}
	for _, binding := range bindings {
		options = append(options, client03.WithTransport(a2a03.TransportProtocol(binding), note))
	}
	_, _ = client03.NewFromCard(context.Background(), &card, options...) // fails as noted
	return url
}

func mustMarshal(t *testing.T, value any) []byte {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
