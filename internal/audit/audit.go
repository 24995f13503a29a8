// Package audit records which cards were published, and when: a line of JSON for
// each, under the names that Forge has for the event.
package audit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"cardwright/generate"
	"cardwright/internal/source"
)

// published is one line of the log.
type published struct {
	Time   string          `json:"ts"`
	Event  string          `json:"event"`
	Fields publishedFields `json:"fields"`
}

// publishedFields say which card it was, under the names that Forge has for the
// event. The hash is that of the file's bytes.
type publishedFields struct {
	Name            string         `json:"name"`
	Version         string         `json:"version"`
	ProtocolVersion string         `json:"protocol_version"` // that the card states, as Forge writes it
	Protocol        string         `json:"protocol"`         // 1.0, 0.3 or dual
	URL             string         `json:"url"`              // of the preferred interface
	SkillCount      int            `json:"skill_count"`
	Capabilities    map[string]any `json:"capabilities"` // the flags in snake_case, and the URIs of the extensions
	SecuritySchemes []string       `json:"security_schemes"`
	Size            int            `json:"card_size_bytes"`
	SHA256          string         `json:"card_sha256"`
	Path            string         `json:"path"` // below the output directory
	Owner           string         `json:"owner,omitempty"`
}

// Record writes a line for each public card, all at once. Extended cards are
// not published.
func Record(w io.Writer, now time.Time, made generate.Result) error {
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	data := map[string][]byte{}
	for _, f := range made.Public {
		data[f.Path] = f.Data
	}
	for _, c := range made.Cards {
		if c.Extended {
			continue
		}
		if err := enc.Encode(published{now.UTC().Format(time.RFC3339), "agent_card_published", publishedCard(c, data[c.Path])}); err != nil {
			return fmt.Errorf("describing the card of %s: %w", c.Agent, err)
		}
	}
	if _, err := w.Write(lines.Bytes()); err != nil {
		return fmt.Errorf("the cards are published, and not recorded: %w", err)
	}
	return nil
}

// publishedCard describes a card by what its file says.
func publishedCard(c generate.Card, data []byte) publishedFields {
	card, _ := source.ParseJSON(c.Path, data, source.Limits{Card: 8 * len(data)})
	if card == nil { // nested beyond the bound, which whoever made it has raised
		card = &source.Node{}
	}
	fields := publishedFields{
		Name:            c.Name,
		Version:         c.Version,
		Protocol:        c.Protocol.String(),
		SkillCount:      c.Skills,
		Capabilities:    map[string]any{"streaming": false, "push_notifications": false, "state_transition_history": false},
		SecuritySchemes: []string{},
		Size:            len(data),
		SHA256:          c.Digest.String(),
		Path:            c.Path,
		Owner:           c.Owner,
	}
	preferred, _ := card.Find("/supportedInterfaces/0")
	for _, n := range []*source.Node{card, preferred} {
		fields.URL = cmp.Or(textOf(n.Get("url")), fields.URL)
		fields.ProtocolVersion = cmp.Or(fields.ProtocolVersion, textOf(n.Get("protocolVersion")))
	}
	if capabilities := card.Get("capabilities"); capabilities != nil {
		for _, m := range capabilities.Members {
			if m.Value.Is(source.Bool) {
				fields.Capabilities[snakeCase(m.Key)] = m.Value.Text == "true"
			}
		}
		if uris := extensionURIs(capabilities.Get("extensions")); uris != nil {
			fields.Capabilities["extensions"] = uris
		}
	}
	if schemes := card.Get("securitySchemes"); schemes != nil {
		for _, m := range schemes.Members {
			fields.SecuritySchemes = append(fields.SecuritySchemes, m.Key)
		}
	}
	return fields
}

// textOf returns the text of a node, "" when there is none.
func textOf(n *source.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

// snakeCase spells the name of a capability as Forge does.
func snakeCase(name string) string {
	var b strings.Builder
	for _, c := range name {
		if unicode.IsUpper(c) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

func extensionURIs(extensions *source.Node) []string {
	if extensions == nil {
		return nil
	}
	var uris []string
	for _, e := range extensions.Items {
		if uri := e.Get("uri"); uri != nil {
			uris = append(uris, uri.Text)
		}
	}
	return uris
}
