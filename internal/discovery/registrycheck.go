package discovery

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/schema"
)

// The limits of registries.
const (
	googleBytes   = 10_000  // "10 KB": 1,000 or 1,024 bytes each is not said
	awsCharacters = 102_400 // of a descriptor
	awsVersion    = 255
	awsName       = 255
	backstageName = 63
)

func googleCheck(k *checker) {
	small := len(compact(k.Data))
	switch {
	case small > googleBytes:
		k.report(diag.Error, "", "leave out examples or skills, or divide the agent",
			"the card has %d bytes without white space, but the Agent Registry of Google accepts at most %d", small, googleBytes)
	case len(k.Data) > googleBytes:
		k.report(diag.Info, "", "cardwright export google prints the card without white space, which fits",
			"the card has %d bytes, but the Agent Registry of Google accepts at most %d", len(k.Data), googleBytes)
	}
	if len(k.Card.Skills) == 0 {
		k.report(diag.Error, "/skills", "add a skill",
			"the card has no skills, but the Agent Registry of Google requires one")
	}
}

func geminiCheck(k *checker) {
	if k.Older == nil && !k.Card.Protocol().Has(schema.Flat) {
		k.report(diag.Error, "/supportedInterfaces", `give an interface versions: ["1.0", "0.3"]`,
			"the agent has no interface of version 0.3, which Gemini Enterprise needs")
	}
}

var (
	awsNameForm    = parallel.Regexp(`^[a-zA-Z0-9][a-zA-Z0-9_\-./]*$`)
	awsVersionForm = parallel.Regexp(`^[a-zA-Z0-9.-]+$`)
)

func awsCheck(k *checker) {
	if n := utf8.RuneCount(compact(k.Data)); n > awsCharacters {
		k.report(diag.Error, "", "leave out examples or skills, or divide the agent",
			"the card has %d characters without white space, but the Agent Registry of AWS accepts at most %d", n, awsCharacters)
	}
	if v := k.Card.Version; v != "" && (!awsVersionForm().MatchString(v) || len(v) > awsVersion) {
		k.report(diag.Error, "/version", "leave out build metadata such as +build",
			"the version %s must have only letters, digits, dots and hyphens for the Agent Registry of AWS", diag.Quote(v))
	}
	if !k.Bare && (!awsNameForm().MatchString(k.Agent) || len(k.Agent) > awsName) {
		k.report(diag.Error, "/name", "change the id of the agent",
			"the id %s cannot be the name of a record in the Agent Registry of AWS", diag.Quote(k.Agent))
	}
}

func agntcyCheck(k *checker) {
	for _, m := range []struct{ pointer, instead string }{
		{"/name", "generated-agent"}, {"/version", "v1.0.0"}, {"/provider/organization", "Unknown"},
	} {
		if k.lacks(m.pointer) {
			k.report(diag.Warning, m.pointer, "add it", "the card has no %s, so the AGNTCY Directory shows %q",
				strings.ReplaceAll(m.pointer[1:], "/", "."), m.instead)
		}
	}
}

// lacks reports whether the card as it is written has nothing at a pointer, or an empty
// text or list. In [checker.Card] what is missing may be completed.
func (k *checker) lacks(pointer string) bool {
	n, _ := k.Root.Find(pointer)
	return n == nil || n.Word() == "" && len(n.Items) == 0
}

// skillsHave reports what a registry requires of every skill.
func (k *checker) skillsHave(registry string, keys ...string) {
	for i, s := range k.Card.Skills {
		for _, key := range keys {
			if pointer := "/skills/" + strconv.Itoa(i) + "/" + key; k.lacks(pointer) {
				k.report(diag.Error, pointer, "add it", "the skill %s has no %s, which %s requires", nameOf(s, i), key, registry)
			}
		}
	}
}

func apicurioCheck(k *checker) {
	c := k.Card
	if k.Root.Get("supportedInterfaces") == nil {
		k.report(diag.Error, "", "register a card of version 1.0",
			"the card has no supportedInterfaces, which Apicurio requires")
	}
	if list := k.Root.Get("supportedInterfaces"); list.Is(source.Array) {
		for i, item := range list.Items {
			if address := item.Get("url"); !isWeb(address.Word()) {
				k.report(diag.Error, "/supportedInterfaces/"+strconv.Itoa(i)+"/url",
					"leave the interface out of this card, or set the validity rule to SYNTAX_ONLY",
					"the interface %s has no http or https URL, which Apicurio requires", diag.Quote(address.Word()))
			}
		}
	}
	if len(c.Skills) == 0 {
		k.report(diag.Error, "/skills", "add a skill", "the card has no skills, but Apicurio requires one")
	}
	k.skillsHave("Apicurio", "id", "name", "description", "tags")
	if p := c.Provider; p != nil && (p.Organization == "" || !isWeb(p.URL)) {
		k.report(diag.Error, "/provider", "add both, or leave provider out",
			"the provider has no organization or no http URL, but Apicurio requires both")
	}
}

func a2aRegistryCheck(k *checker) {
	c := k.Card
	pointer, first := "/url", k.Root.Get("url").Word()
	if first == "" && len(c.Interfaces) > 0 {
		pointer, first = "/supportedInterfaces/0/url", c.Interfaces[0].URL
	}
	if !isWeb(first) {
		k.report(diag.Error, pointer, "put an interface with an https URL first",
			"the first interface %s has no http or https URL, which a2aregistry.org requires", diag.Quote(first))
	}
	k.fetched("a2aregistry.org")
	k.skillsHave("a2aregistry.org", "id", "name", "description")
}

// fetched reports a card whose URL is unknown, for a registry that is given no more.
func (k *checker) fetched(registry string) {
	if k.URL == "" && !k.Bare {
		k.report(diag.Error, "", "set baseUrl, or pass --base-url",
			"the URL of the card is unknown, but %s fetches the card from it", registry)
	}
}

// apimCheck wants an interface that Azure API Management passes on, which it reads in
// the form of 0.3.
func apimCheck(k *checker) {
	k.fetched("Azure API Management")
	if !slices.ContainsFunc(k.Card.Interfaces, func(i schema.Interface) bool { return i.Binding == "JSONRPC" }) {
		k.report(diag.Error, "/supportedInterfaces", "add an interface with binding: JSONRPC",
			"the card has no JSONRPC interface, the only binding that Azure API Management supports")
	}
}

func kongCheck(k *checker) {
	for _, key := range []string{"name", "description", "version"} {
		if k.lacks("/" + key) {
			k.report(diag.Error, "/"+key, "add it", "the card has no %s, which Kong Konnect requires", key)
		}
	}
}

func serviceNowCheck(k *checker) {
	k.fetched("ServiceNow")
	if k.Older == nil && !k.Card.Protocol().Has(schema.Flat) {
		k.report(diag.Warning, "/supportedInterfaces", `give an interface versions: ["1.0", "0.3"]`,
			"the agent has no interface of version 0.3, which ServiceNow needs unless Premium Chat is enabled")
	}
}

func wso2Check(k *checker) {
	k.fetched("WSO2 Agent Manager")
	if !k.Card.Protocol().Has(schema.V10) {
		k.report(diag.Error, "/supportedInterfaces", `give an interface versions: ["1.0"]`,
			"the agent has no interface of version 1.0, the only version that WSO2 Agent Manager supports")
	}
	for i, one := range k.Card.Interfaces {
		if one.Binding == "GRPC" {
			k.report(diag.Info, "/supportedInterfaces/"+strconv.Itoa(i), "",
				"the gateway of WSO2 Agent Manager has no gRPC transport, so only direct clients reach this interface")
		}
	}
}

// nameOf names a skill in a message, by its place where it has no id.
func nameOf(s schema.Skill, i int) string {
	if s.ID == "" {
		return strconv.Itoa(i + 1)
	}
	return diag.Quote(s.ID)
}

// entityName is what Backstage takes as the name of an entity.
var entityName = parallel.Regexp(`^[a-zA-Z0-9]+([-_.][a-zA-Z0-9]+)*$`)

func backstageCheck(k *checker) {
	if k.Bare {
		return // name and owner are not on the card
	}
	if !entityName().MatchString(k.Agent) || len(k.Agent) > backstageName {
		k.report(diag.Error, "/name", "change the id of the agent",
			"the id %s cannot name an entity in Backstage: at most %d letters and digits, with single - _ . between them",
			diag.Quote(k.Agent), backstageName)
	}
	if k.Owner == "" {
		k.report(diag.Error, "/name", "set owner: team-payments",
			"the agent has no owner, which Backstage requires")
	}
}

// isWeb reports whether a text is an absolute http or https URL.
func isWeb(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}
