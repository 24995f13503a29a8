package site

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/schema"
)

func TestAPICatalog(t *testing.T) {
	t.Parallel()
	card := func(url string) *schema.Card {
		return &schema.Card{
			Name: "Review", DocumentationURL: "https://acme.example/docs",
			Interfaces: []schema.Interface{{URL: url}},
		}
	}
	site := Site{Agents: []Agent{
		{Path: "a/.well-known/agent-card.json", Card: card("https://a.acme.example/a2a")},
		{Path: "b/.well-known/agent-card.json", Card: card("b.acme.example:443")}, // of gRPC
	}, HasARD: true}
	const want = `{
  "linkset": [
    {
      "item": [
        {
          "href": "https://a.acme.example/a2a",
          "title": "Review"
        },
        {
          "href": "../b/.well-known/agent-card.json",
          "type": "application/json"
        }
      ],
      "describedby": [
        {
          "href": "../.well-known/ard.json",
          "type": "application/json"
        }
      ]
    },
    {
      "anchor": "https://a.acme.example/a2a",
      "service-desc": [
        {
          "href": "../a/.well-known/agent-card.json",
          "type": "application/json"
        }
      ],
      "service-doc": [
        {
          "href": "https://acme.example/docs"
        }
      ]
    }
  ]
}
`
	if diff := cmp.Diff(want, string(site.APICatalog())); diff != "" {
		t.Error("without a known URL of the site (-want +got):\n", diff)
	}
}
