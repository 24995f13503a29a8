package discovery

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"unicode"

	"cardwright/internal/source"
	"cardwright/schema"
)

// awsRecord is the body of CreateRegistryRecord of agent-registry-control
// 2025-12-01. The token follows from the card, so that a repeated call makes one
// record.
func awsRecord(c Listing) ([]byte, error) {
	data := string(compact(c.Data))
	sum := sha256.Sum256(append([]byte(c.Agent+"\n"), c.Data...))
	return schema.Write(source.ObjectOf(
		"clientToken", hex.EncodeToString(sum[:]),
		"name", c.Agent,
		"displayName", c.Card.Name,
		"description", c.Card.Description,
		"recordType", "AGENT",
		"recordVersion", c.Card.Version,
		"descriptors", source.ObjectOf("a2aAgentCard", source.ObjectOf("data", data, "dataSchemaVersion", version(c.Card))),
	)), nil
}

// version is the version of A2A that a card is to be validated by, its newest.
func version(c *schema.Card) string {
	return c.Protocol().Versions()[0].String()
}

// geminiAgent is the body of an agent of the Discovery Engine, with a card in the
// form of 0.3.
func geminiAgent(c Listing) ([]byte, error) {
	older := c.Older
	if older == nil {
		card := *c.Card
		card.Interfaces = slices.DeleteFunc(slices.Clone(card.Interfaces),
			func(i schema.Interface) bool { return !i.Speaks().Has(schema.Flat) })
		wire, _ := schema.Wire(&card, schema.Flat, schema.WireOptions{})
		older = schema.Write(wire)
	}
	return schema.Write(source.ObjectOf(
		"displayName", c.Card.Name,
		"description", c.Card.Description,
		"a2aAgentDefinition", source.ObjectOf("jsonAgentCard", string(compact(older))),
	)), nil
}

// apicurioBody is the body of a request to make an artifact, of version 3 of the API.
func apicurioBody(c Listing) ([]byte, error) {
	return schema.Write(source.ObjectOf(
		"artifactId", c.Agent,
		"artifactType", "AGENT_CARD",
		"name", c.Card.Name,
		"description", c.Card.Description,
		"firstVersion", source.ObjectOf(
			"version", c.Card.Version,
			"content", source.ObjectOf("content", string(c.Data), "contentType", "application/json"),
		),
	)), nil
}

// kongBody is the body of a request to POST /v1/agents of Konnect, which has the card as
// it is.
func kongBody(c Listing) ([]byte, error) {
	return schema.Write(source.ObjectOf("source_type", "manual", "display_name", c.Card.Name, "agent_card", c.Root)), nil
}

// errNoURL is returned for a card whose URL is unknown.
var errNoURL = errors.New("the URL of the card is unknown")

func a2aRegistryBody(c Listing) ([]byte, error) {
	if c.URL == "" {
		return nil, errNoURL
	}
	return schema.Write(source.ObjectOf("wellKnownURI", c.URL)), nil
}

// cardURL is what a registry is given that fetches the card itself.
func cardURL(c Listing) ([]byte, error) {
	if c.URL == "" {
		return nil, errNoURL
	}
	return []byte(c.URL + "\n"), nil
}

// googleCommand is a command line of gcloud. A card that is too large as it is
// published is given without white space.
func googleCommand(c Listing) ([]byte, error) {
	content := "@" + c.File
	if len(c.Data) > googleBytes {
		content = string(compact(c.Data))
	}
	return command("gcloud", "agent-registry", "services", "create", serviceName(c.Agent),
		`--project="$PROJECT"`, `--location="$LOCATION"`,
		"--display-name="+quote(c.Card.Name), "--agent-spec-type=a2a-agent-card", "--agent-spec-content="+quote(content)), nil
}

// serviceName is the id of an agent in lower case, with hyphens.
func serviceName(id string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '.' {
			return '-'
		}
		return unicode.ToLower(r)
	}, id)
}

// agntcyCommand is a command line of dirctl.
func agntcyCommand(c Listing) ([]byte, error) {
	return command("dirctl", "import", "--type=a2a", "--file-path="+quote(c.File)), nil
}

// command is a line for a shell, whose words are quoted where that is needed.
func command(words ...string) []byte { return []byte(strings.Join(words, " ") + "\n") }

// quote makes one word of a text, for any POSIX shell. Control characters
// become spaces, so that the command stays on one line.
func quote(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./_-", r)
	}
	if text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
