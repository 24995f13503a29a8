package probe_test

import (
	"net/url"
	"testing"

	"cardwright/internal/probe"
	"cardwright/schema"
)

func TestSource(t *testing.T) {
	tests := []struct{ name, from, url, want string }{
		{"as it was asked", "https://agents.acme.example/desk/", "https://agents.acme.example/a2a", "${baseUrl}/a2a"},
		{"the root", "http://localhost:8080/", "http://localhost:8080", "${baseUrl}"},
		{"another name of this machine", "http://localhost:8080/", "http://127.0.0.1:8080/a2a", "${baseUrl}/a2a"},
		{"every address of this machine", "http://localhost:8080/", "http://0.0.0.0:8080/a2a", "${baseUrl}/a2a"},
		{"another port", "http://localhost:8080/", "http://localhost:80801/a2a", "http://localhost:80801/a2a"},
		{
			"another host", "https://agents.acme.example/", "https://agents.acme.example.evil.example/",
			"https://agents.acme.example.evil.example/",
		},
		{
			"another scheme", "http://agents.acme.example/", "https://agents.acme.example/a2a",
			"https://agents.acme.example/a2a",
		},
		{"gRPC", "http://localhost:8080/", "localhost:50051", "localhost:50051"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			from, err := url.Parse(tt.from)
			if err != nil {
				t.Fatal(err)
			}
			card := &schema.Card{
				Name: "Desk", Interfaces: []schema.Interface{{URL: tt.url, Binding: "JSONRPC", Version: "1.0"}},
				Signatures: []schema.Signature{{Protected: "e30", Signature: "AAAA"}},
			}
			node, _ := probe.CapturedSource(card, from)
			got, _ := node.Find("/supportedInterfaces/0/url")
			if got.Text != tt.want {
				t.Errorf("got %q, want %q", got.Text, tt.want)
			}
			if node.Get("signatures") != nil || len(card.Signatures) != 1 {
				t.Error("the copy keeps its signatures, or the card loses them")
			}
		})
	}
}
