package discovery

import (
	"fmt"
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

// Registry is a registry. A new one needs a row in [Registries], what it takes, changes
// and is given in registrycheck.go, registrychange.go and registryexport.go, a rule, and a
// row in docs/registries.md that says where and when that was read.
type Registry struct {
	Name   string
	Title  string // what it is, for people
	check  func(*checker)
	change func(*checker) // what becomes of a card there, nil when it stays as it is
	// Export returns what registers the card, as the registry takes it. The card has
	// no errors by [Registry.Check].
	Export func(Listing) ([]byte, error)
}

// Registries are all registries, sorted by name.
func Registries() []Registry {
	return []Registry{
		{"a2aregistry", "a2aregistry.org: the body of a registration", a2aRegistryCheck, signaturesUnknown, a2aRegistryBody},
		{"agntcy", "AGNTCY Directory: a command line of dirctl", agntcyCheck, agntcyChange, agntcyCommand},
		{"apicurio", "Apicurio Registry: the body of a request", apicurioCheck, nil, apicurioBody},
		{"aws", "AWS Agent Registry (before: AgentCore): a record", awsCheck, nil, awsRecord},
		{"azure-apim", "Azure API Management: the URL of the card", apimCheck, apimChange, cardURL},
		{"backstage", "Backstage: the entities AiResource and API", backstageCheck, backstageChange, backstageEntities},
		{"gemini", "Gemini Enterprise app: the body of an agent", geminiCheck, geminiChange, geminiAgent},
		{"google", "Google Agent Registry: a command line of gcloud", googleCheck, nil, googleCommand},
		{"kong", "Kong Konnect (beta): the body of a request", kongCheck, signaturesUnknown, kongBody},
		{"servicenow", "ServiceNow AI Agent Studio: the URL of the card", serviceNowCheck, signaturesUnknown, cardURL},
		{"wso2", "WSO2 Agent Manager: the URL of the card", wso2Check, wso2Change, cardURL},
	}
}

// Rule is the rule of what a registry does not take.
func (t Registry) Rule() string { return "target-" + t.Name }

// RegistryNames are the names of the registries, sorted.
func RegistryNames() []string {
	var names []string
	for _, t := range Registries() {
		names = append(names, t.Name)
	}
	return names
}

// RegistryTitles say of each registry in a line what is printed for it.
func RegistryTitles() string {
	var b strings.Builder
	for _, t := range Registries() {
		fmt.Fprintf(&b, "  %-13s %s\n", t.Name, t.Title)
	}
	return b.String()
}

// FindRegistry returns the registry of a name.
func FindRegistry(name string) (Registry, bool) {
	for _, t := range Registries() {
		if t.Name == name {
			return t, true
		}
	}
	return Registry{}, false
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
	k := &checker{Listing: c, rule: t.Rule()}
	if what != nil {
		what(k)
	}
	return k.found
}

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
