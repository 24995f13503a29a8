package discovery

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func TestTable(t *testing.T) {
	if !slices.IsSorted(RegistryNames()) {
		t.Error("the table is not sorted by name")
	}
	for _, target := range Registries() {
		if _, ok := diag.FindRule(target.Rule()); !ok || target.Title == "" {
			t.Errorf("%s: %+v", target.Name, target)
		}
	}
}

func TestCompact(t *testing.T) {
	for in, want := range map[string]string{
		"{\n  \"a b\": [1, 2],\n\t\"c\": \"x \\\" y\\\\\"\r\n}\n": `{"a b":[1,2],"c":"x \" y\\"}`,
		`"\\" `: `"\\"`,
		"":      "",
	} {
		if got := string(compact([]byte(in))); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// A shell reads each text back as it was, and runs nothing in it.
func TestQuote(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	for _, text := range []string{
		"plain", "", "It's", `$(id) "x" \ ` + "`id`", "a;b|c&d", "*?[x]~#!", "-n", "Übersicht",
		"{1..3}",
	} {
		out, err := exec.Command(sh, "-c", "printf '<%s>' "+quote(text)).Output()
		if err != nil || string(out) != "<"+text+">" {
			t.Errorf("%q is quoted as %s, which a shell reads as %s (%v)", text, quote(text), out, err)
		}
	}
	if got := quote("a\nb"); strings.Contains(got, "\n") {
		t.Errorf("a line break stays: %q", got)
	}
}

// cardOf is a card of A2A 1.0 with one change.
func cardOf(t *testing.T, change func(*schema.Card)) Listing {
	t.Helper()
	c := &schema.Card{
		Name: "Billing", Description: "Explains invoices.", Version: "1.0.0",
		Interfaces: []schema.Interface{{URL: "https://acme.example/a2a", Binding: "JSONRPC", Version: "1.0"}},
		Provider:   &schema.Provider{Organization: "Acme", URL: "https://acme.example"},
		InputModes: []string{"text/plain"}, OutputModes: []string{"text/plain"},
		Skills: []schema.Skill{{ID: "ask", Name: "Ask", Description: "Asks.", Tags: []string{"ask"}}},
	}
	change(c)
	wire, _ := schema.Wire(c, c.Protocol(), schema.WireOptions{})
	return Listing{
		Agent: "billing", Owner: "team", Data: schema.Write(wire), Root: wire, Card: c,
		URL: "https://acme.example/.well-known/agent-card.json", File: "dist/agent-card.json",
	}
}

func TestRegistryCheck(t *testing.T) {
	none := func(*schema.Card) {}
	grpcFirst := func(c *schema.Card) {
		c.Interfaces = append([]schema.Interface{{URL: "grpc.acme.example:443", Binding: "GRPC", Version: "1.0"}},
			c.Interfaces...)
	}
	grpcLast := func(c *schema.Card) {
		c.Interfaces = append(c.Interfaces, schema.Interface{URL: "grpc.acme.example:443", Binding: "GRPC", Version: "1.0"})
	}
	long := func(n int) func(*schema.Card) {
		return func(c *schema.Card) { c.Description = strings.Repeat("x", n) }
	}
	for name, c := range map[string]struct {
		target string
		change func(*schema.Card)
		want   diag.Severity
	}{
		"google": {"google", none, 0},
		"google, large as written": {
			"google", func(c *schema.Card) { c.Skills[0].Tags = slices.Repeat([]string{"t"}, 1500) },
			diag.Info,
		},
		"google, too large":  {"google", long(10_000), diag.Error},
		"google, no skills":  {"google", func(c *schema.Card) { c.Skills = nil }, diag.Error},
		"aws":                {"aws", long(100_000), 0},
		"aws, too large":     {"aws", long(102_400), diag.Error},
		"aws, a pre-release": {"aws", func(c *schema.Card) { c.Version = "1.0.0-rc.1" }, 0},
		"aws, a build":       {"aws", func(c *schema.Card) { c.Version = "1.0.0+5" }, diag.Error},
		"gemini, 1.0 only":   {"gemini", none, diag.Error},
		"gemini, both": {"gemini", func(c *schema.Card) {
			c.Interfaces = append(c.Interfaces, schema.Interface{
				URL: "https://acme.example/old", Binding: "JSONRPC",
				Version: "0.3",
			})
		}, 0},
		"apicurio":                   {"apicurio", none, 0},
		"apicurio, gRPC anywhere":    {"apicurio", grpcLast, diag.Error},
		"a2aregistry, gRPC behind":   {"a2aregistry", grpcLast, 0},
		"a2aregistry, gRPC first":    {"a2aregistry", grpcFirst, diag.Error},
		"agntcy":                     {"agntcy", none, 0},
		"agntcy, without a provider": {"agntcy", func(c *schema.Card) { c.Provider = nil }, diag.Warning},
		"backstage":                  {"backstage", none, 0},
		"azure-apim":                 {"azure-apim", grpcFirst, 0},
		"azure-apim, gRPC only":      {"azure-apim", func(c *schema.Card) { c.Interfaces[0].Binding = "GRPC" }, diag.Error},
		"kong":                       {"kong", none, 0},
		"kong, no version":           {"kong", func(c *schema.Card) { c.Version = "" }, diag.Error},
		"servicenow, 1.0 only":       {"servicenow", none, diag.Warning},
		"wso2":                       {"wso2", none, 0},
		"wso2, gRPC besides":         {"wso2", grpcLast, diag.Info},
		"wso2, 0.3 only":             {"wso2", func(c *schema.Card) { c.Interfaces[0].Version = "0.3" }, diag.Error},
	} {
		target, _ := FindRegistry(c.target)
		if found := target.Check(cardOf(t, c.change)); found.Worst() != c.want {
			t.Errorf("%s: %v, want %s", name, found, c.want)
		}
	}
	card := cardOf(t, none)
	card.Owner = ""
	target, _ := FindRegistry("backstage")
	if target.Check(card).Worst() != diag.Error {
		t.Error("Backstage takes an agent without an owner")
	}
}

// What becomes of a signed card is said for each registry that is not known to keep it.
func TestRegistryChanges(t *testing.T) {
	signed := cardOf(t, func(c *schema.Card) {
		c.Interfaces = append(c.Interfaces, schema.Interface{URL: "grpc.acme.example:443", Binding: "GRPC", Version: "1.0"})
		c.Skills[0].Tags = []string{"ask", "Ask Me"}
	})
	signed.Root.Set("signatures", &source.Node{Kind: source.Array})
	want := map[string][]string{
		"a2aregistry": {"info /signatures"},
		"agntcy":      {"info /signatures"},
		"azure-apim":  {"info /supportedInterfaces", "warning /signatures", "info /supportedInterfaces/1"},
		"backstage":   {"info /skills/0/tags/1"},
		"gemini":      {"warning /signatures", "info /supportedInterfaces/0", "info /supportedInterfaces/1"},
		"kong":        {"info /signatures"},
		"servicenow":  {"info /signatures"},
		"wso2":        {"info /supportedInterfaces", "warning /signatures"},
	}
	for _, target := range Registries() {
		var got []string
		for _, d := range target.Changes(signed) {
			got = append(got, d.Severity.String()+" "+d.Pointer)
		}
		if !slices.Equal(got, want[target.Name]) {
			t.Errorf("%s: %q, want %q", target.Name, got, want[target.Name])
		}
	}
}

// What registries take as JSON is JSON, and the card in it is the card.
func TestExport(t *testing.T) {
	card := cardOf(t, func(c *schema.Card) { c.Description = "Says \"who\"\nand </script>." })
	for _, target := range Registries() {
		if target.Name == "gemini" {
			continue // which needs 0.3
		}
		first, err := target.Export(card)
		if err != nil {
			t.Errorf("%s: %v", target.Name, err)
		}
		if again, _ := target.Export(card); string(again) != string(first) {
			t.Errorf("%s: other bytes the second time", target.Name)
		}
		if first[0] == '{' && !json.Valid(first) {
			t.Errorf("%s: no JSON: %s", target.Name, first)
		}
	}
	body, _ := kongBody(card)
	root, _ := source.ParseJSON("", body, source.Limits{})
	if !root.Get("agent_card").Equal(card.Root) {
		t.Errorf("the card for Kong is another one: %s", body)
	}
	record, _ := awsRecord(card)
	root, _ = source.ParseJSON("", record, source.Limits{})
	data, _ := root.Find("/descriptors/a2aAgentCard/data")
	inner, found := source.ParseJSON("", []byte(data.Text), source.Limits{})
	if len(found) > 0 || !inner.Equal(card.Root) {
		t.Errorf("the card in the record is another one: %s", data.Text)
	}
}
