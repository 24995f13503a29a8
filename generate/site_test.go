package generate

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/diag"
)

func TestSite(t *testing.T) {
	const agents = "version: 1\nagents: [{id: index.html, name: A, description: B., " +
		"interfaces: [{url: https://acme.example/a2a}]}]\n"
	for _, tt := range []struct {
		name, keys string
		want       []string
	}{
		{"nothing to list", "", nil},
		{"no publisher", "catalog: true\nbaseUrl: https://acme.example\n", []string{"3:10 error config-value"}},
		{"no address", "catalog: true\npublisher: acme.example\n", []string{"3:10 warning config-value"}},
		{"no caching", "cacheControl: no-store\n", []string{"3:15 warning card-cache-control"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, found := config.Load([]byte(agents+tt.keys), config.Options{File: "c.yaml"})
			if found.Worst() == diag.Error {
				t.Fatal(found)
			}
			r := run{Request: &Request{Config: c}, found: checkCatalog(c)}
			if err := checkCaching(context.Background(), &r); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range r.found {
				got = append(got, d.Span.String()[len("c.yaml:"):]+" "+d.Severity.String()+" "+d.Rule.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
