package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/contract"
)

// The values of headers come from the environment, and from nowhere else.
func TestCredentials(t *testing.T) {
	getenv := func(name string) (string, bool) {
		value, ok := map[string]string{"TOKEN": "t", "BROKEN": "a\nb"}[name]
		return value, ok
	}
	got, err := credentials([]string{
		"authorization: Bearer env:TOKEN", "X-Key: env:TOKEN", "a.example=X-Key: env:TOKEN",
		"[::1]:8080=X-Key:env:TOKEN",
	}, getenv)
	want := []contract.Credential{
		{Name: "authorization", Value: "Bearer t"},
		{Name: "X-Key", Value: "t"},
		{Host: "a.example", Name: "X-Key", Value: "t"},
		{Host: "[::1]:8080", Name: "X-Key", Value: "t"},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, header := range []string{
		"X-Key: t", "X-Key: env:NONE", "X-Key: env:BROKEN", "X Key: env:TOKEN", "X-Key: env:a b", "=X-Key: env:TOKEN",
		"a/b=X-Key: env:TOKEN", "a.example=X-Key: t",
	} {
		if got, err := credentials([]string{header}, getenv); err == nil {
			t.Errorf("%s: %v", header, got)
		}
	}
}

func TestConnectTo(t *testing.T) {
	var o contract.Options
	if err := connectTo(&o, []string{"a.example", "b.example=http://localhost:8080"}); err != nil {
		t.Fatal(err)
	}
	if len(o.Named) != 1 || o.Named[0] != "a.example" || len(o.Route) != 1 ||
		o.Route["b.example"].Host != "localhost:8080" {
		t.Errorf("named %v, routed %v", o.Named, o.Route)
	}
	for _, text := range []string{"", "a/b", "a@b", "a=nothing"} {
		if err := connectTo(&o, []string{text}); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
