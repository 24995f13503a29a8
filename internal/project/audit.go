package project

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Log takes a line for each card that is published.
type Log struct {
	Name   string    // of a file, "-" for Stdout, "" for no log
	Stdout io.Writer // of the run
	Now    func() time.Time
}

// open opens the log before anything is published: what cannot be recorded is not
// done. It is open as long as the workspace, and nil where there is none.
func (l Log) open(s *Workspace, trees []Output) (io.Writer, error) {
	switch l.Name {
	case "":
		return nil, nil
	case "-":
		return l.Stdout, nil
	}
	dir, name, err := s.FileDir("the audit log", l.Name)
	if err != nil {
		return nil, err
	}
	for _, t := range trees {
		if t.Dir.Contains(dir) {
			return nil, diag.UsageError("choose a file outside of it",
				"the audit log %s is in the output directory %s, which must not depend on time", l.Name, t.Dir.Name)
		}
	}
	file, err := files.OpenLog(dir, name)
	if err != nil {
		return nil, fmt.Errorf("nothing is published, because the audit log cannot be written: %w", err)
	}
	s.keep(file.Close)
	return file, nil
}

// audit writes a line for each public card, all at once. Extended cards are
// not published.
func audit(w io.Writer, now time.Time, made generate.Result) error {
	var lines strings.Builder
	data := map[string][]byte{}
	for _, f := range made.Public {
		data[f.Path] = f.Data
	}
	for _, c := range made.Cards {
		if c.Extended {
			continue
		}
		n := source.ObjectOf(
			"ts", now.UTC().Format(time.RFC3339),
			"event", "agent_card_published",
			"fields", published(c, data[c.Path]),
		)
		lines.WriteString(schema.WriteCompact(report.MaskedNode(n)) + "\n")
	}
	if _, err := io.WriteString(w, lines.String()); err != nil {
		return fmt.Errorf("the cards are published but not recorded: %w", err)
	}
	return nil
}

// published describes a card by what its file says.
func published(c generate.Card, data []byte) *source.Node {
	card, _ := source.ParseJSONUpTo(c.Path, data, 8*len(data))
	preferred, _ := card.Find("/supportedInterfaces/0")
	protocol := cmp.Or(card.Get("protocolVersion").ScalarText(), preferred.Get("protocolVersion").ScalarText())
	return source.ObjectOf(
		"name", source.NewText(c.Name),
		"version", source.NewText(c.Version),
		"protocol_version", source.NewText(protocol), // as Forge writes it
		"protocol", c.Protocol.String(),
		"url", source.NewText(cmp.Or(preferred.Get("url").ScalarText(), card.Get("url").ScalarText())),
		"skill_count", c.Skills,
		"capabilities", capabilities(card.Get("capabilities")),
		"security_schemes", source.ListOf(card.Get("securitySchemes").Fields(),
			func(m source.Member) *source.Node { return source.NewText(m.Key) }),
		"card_size_bytes", len(data),
		"card_sha256", c.Digest.String(),
		"path", c.Path,
	)
}

// capabilities are the flags in snake_case, and the URIs of the extensions.
func capabilities(card *source.Node) *source.Node {
	all := map[string]*source.Node{}
	for _, name := range []string{"streaming", "push_notifications", "state_transition_history"} {
		all[name] = source.NewBool(false)
	}
	for _, m := range card.Fields() {
		if m.Value.Is(source.Bool) {
			all[schema.SnakeName(m.Key)] = source.NewBool(m.Value.Text == "true")
		}
	}
	var uris []string
	for _, e := range card.Get("extensions").Elements() {
		uris = append(uris, e.Get("uri").ScalarText())
	}
	if uris != nil {
		all["extensions"] = source.NewTexts(uris)
	}
	n := &source.Node{Kind: source.Object}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		n.Set(name, all[name])
	}
	return n
}
