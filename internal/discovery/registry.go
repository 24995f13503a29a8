package discovery

import (
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Listing is a published card that is to be registered.
type Listing struct {
	Agent string // id of the agent
	Owner string // who answers for it, "" when nobody is named
	Data  []byte // as it is published
	Older []byte // the card for A2A 0.3 beside it, nil when there is none
	Root  *source.Node
	Card  *schema.Card
	URL   string // where it is published, "" when nobody knows
	File  string // where it lies, for commands that read it
	// Bare tells that the card is all there is: nothing is known of its agent.
	Bare bool
}

// Registry is a registry. A new one needs a row in [registries], what it takes, changes
// and is given in registrycheck.go, registrychange.go and registryexport.go, and a rule.
type Registry struct {
	Name   string
	Rule   string
	Title  string // what it is, for people
	Source string // URL of what is known of it
	Read   string // the day on which that was read, YYYY-MM-DD
	check  func(*checker)
	change func(*checker) // what becomes of a card there, nil when it stays as it is
	export func(Listing) ([]byte, error)
}

// registries are all registries, sorted by name.
func registries() []Registry {
	return []Registry{
		{
			Name: "a2aregistry", Rule: "target-a2aregistry", Title: "a2aregistry.org: the body of a registration",
			Source: "https://github.com/prassanna-ravishankar/a2a-registry", Read: "2026-11-21",
			check: a2aRegistryCheck, change: signaturesUnknown, export: a2aRegistryBody,
		},
		{
			Name: "agntcy", Rule: "target-agntcy", Title: "AGNTCY Directory: a command line of dirctl",
			Source: "https://github.com/agntcy/oasf-sdk/tree/main/pkg/translator", Read: "2026-11-21",
			check: agntcyCheck, change: agntcyChange, export: agntcyCommand,
		},
		{
			Name: "apicurio", Rule: "target-apicurio", Title: "Apicurio Registry: the body of a request",
			Source: "https://github.com/Apicurio/apicurio-registry/issues/10119", Read: "2026-11-25",
			check: apicurioCheck, export: apicurioBody,
		},
		{
			Name: "aws", Rule: "target-aws", Title: "AWS Agent Registry (before: AgentCore): a record",
			Source: "https://docs.aws.amazon.com/agent-registry-control/latest/APIReference/API_CreateRegistryRecord.html",
			Read:   "2026-11-25", check: awsCheck, export: awsRecord,
		},
		{
			Name: "azure-apim", Rule: "target-azure-apim", Title: "Azure API Management: the URL of the card",
			Source: "https://learn.microsoft.com/en-us/azure/api-management/agent-to-agent-api", Read: "2026-11-25",
			check: apimCheck, change: apimChange, export: cardURL,
		},
		{
			Name: "backstage", Rule: "target-backstage", Title: "Backstage: the entities AiResource and API",
			Source: "https://www.npmjs.com/package/@backstage/catalog-model", Read: "2026-11-25",
			check: backstageCheck, change: backstageChange, export: backstageEntities,
		},
		{
			Name: "gemini", Rule: "target-gemini", Title: "Gemini Enterprise app: the body of an agent",
			Source: "https://docs.cloud.google.com/gemini/enterprise/docs/register-and-manage-an-a2a-agent", Read: "2026-11-21",
			check: geminiCheck, change: geminiChange, export: geminiAgent,
		},
		{
			Name: "google", Rule: "target-google", Title: "Google Agent Registry: a command line of gcloud",
			Source: "https://docs.cloud.google.com/sdk/gcloud/reference/agent-registry/services/create", Read: "2026-11-25",
			check: googleCheck, export: googleCommand,
		},
		{
			Name: "kong", Rule: "target-kong", Title: "Kong Konnect (beta): the body of a request",
			Source: "https://developer.konghq.com/catalog/agents/", Read: "2026-11-26",
			check: kongCheck, change: signaturesUnknown, export: kongBody,
		},
		{
			Name: "servicenow", Rule: "target-servicenow", Title: "ServiceNow AI Agent Studio: the URL of the card",
			Source: "https://www.servicenow.com/docs/r/australia/intelligent-experiences/a2a-protocol.html", Read: "2026-11-25",
			check: serviceNowCheck, change: signaturesUnknown, export: cardURL,
		},
		{
			Name: "wso2", Rule: "target-wso2", Title: "WSO2 Agent Manager: the URL of the card",
			Source: "https://wso2.com/agent-platform/docs/v2026.11.0/guides/register-an-external-a2a-agent/", Read: "2026-11-25",
			check: wso2Check, change: wso2Change, export: cardURL,
		},
	}
}

// Registries are the registries, sorted by name.
func Registries() []Registry { return registries() }

// RegistryNames are the names of the registries, sorted.
func RegistryNames() []string {
	var names []string
	for _, t := range registries() {
		names = append(names, t.Name)
	}
	return names
}

// RegistryTitles say of each registry in a line what is printed for it.
func RegistryTitles() string {
	var b strings.Builder
	for _, t := range registries() {
		fmt.Fprintf(&b, "  %-13s %s\n", t.Name, t.Title)
	}
	return b.String()
}

// FindRegistry returns the registry of a name.
func FindRegistry(name string) (Registry, bool) {
	all := registries()
	i := slices.IndexFunc(all, func(t Registry) bool { return t.Name == name })
	if i < 0 {
		return Registry{}, false
	}
	return all[i], true
}

// NamedRegistries returns the registries of some names, which must all be known.
func NamedRegistries(names []string) ([]Registry, error) {
	var targets []Registry
	for _, name := range names {
		t, ok := FindRegistry(name)
		if !ok {
			return nil, diag.UsageError(diag.Hint(name, RegistryNames(), "registries: "+strings.Join(RegistryNames(), ", ")),
				"no registry is named %s", diag.Quote(name))
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// Check reports what keeps a registry from taking a card. Findings have the
// pointer and the place of the member at fault.
func (t Registry) Check(c Listing) diag.List { return t.ask(c, t.check) }

// Changes reports what becomes of a card in the registry, or behind its gateway.
func (t Registry) Changes(c Listing) diag.List { return t.ask(c, t.change) }

func (t Registry) ask(c Listing, what func(*checker)) diag.List {
	k := &checker{Listing: c, rule: t.Rule}
	if what != nil {
		what(k)
	}
	return k.found
}

// Export returns what registers the card, as the registry takes it. The card has
// no errors by [Registry.Check].
func (t Registry) Export(c Listing) ([]byte, error) { return t.export(c) }

// checker judges a card for one registry.
type checker struct {
	Listing
	rule  string
	found diag.List
}

// report reports a fault at a pointer into the card.
func (k *checker) report(severity diag.Severity, pointer, hint, format string, args ...any) {
	node, _ := k.Root.Find(pointer)
	var at diag.Span
	if node != nil {
		at = node.Span
	}
	k.found = append(k.found, diag.New(k.rule, at, format, args...).WithSeverity(severity).WithPointer(pointer).
		WithHint(hint))
}

// compact returns JSON without the white space between its tokens.
func compact(data []byte) []byte {
	out := make([]byte, 0, len(data))
	quoted, escaped := false, false
	for _, b := range data {
		switch {
		case escaped:
			escaped = false
		case quoted && b == '\\':
			escaped = true
		case b == '"':
			quoted = !quoted
		case !quoted && (b == ' ' || b == '\n' || b == '\r' || b == '\t'):
			continue
		}
		out = append(out, b)
	}
	return out
}
